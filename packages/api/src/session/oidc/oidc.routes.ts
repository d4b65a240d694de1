import { beginOidc, endOidc, signInWays } from '@trunkline/contract/session/oidc.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountOpen } from '../../http/mount.ts'
import { pageTicket } from '../page-ticket.ts'
import * as oidcService from './oidc.service.ts'

export function oidcRoutes(app: FastifyInstance, ctx: Context): void {
  mountOpen(app, signInWays, async () => Promise.resolve(oidcService.ways(ctx)))
  mountOpen(app, beginOidc, async ({ body, ip }) => oidcService.begin(ctx, body, ip))
  mountOpen(app, endOidc, async ({ body, isTls, setCookie, ...client }) => {
    const { sessionId, reply } = await oidcService.end(ctx, body, client)
    setCookie(pageTicket(ctx.keys.tokenSecret, sessionId, isTls))
    return reply
  })
}
