import {
  addEnrolmentCode,
  enrolHost,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount, mountOpen } from '../http/mount.ts'
import * as enrolHostService from './enrol-host.service.ts'
import * as enrolmentService from './enrolment.service.ts'

export function enrolmentRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readEnrolment, async ({ params }) => enrolmentService.read(ctx, params))
  mount(app, ctx, addEnrolmentCode, async ({ params }, actor) =>
    enrolmentService.addCode(ctx, actor, params),
  )
  mount(app, ctx, revokeEnrolment, async ({ params }, actor) =>
    enrolmentService.revoke(ctx, actor, params),
  )
  mountOpen(app, enrolHost, async ({ body, ip }) => enrolHostService.enrol(ctx, body, ip))
}
