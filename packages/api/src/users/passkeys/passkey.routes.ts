import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as passkeyService from './passkey.service.ts'

export function passkeyRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, beginPasskey, async ({ body, ...caller }, actor) =>
    passkeyService.begin(ctx, actor, body, caller),
  )
  mount(app, ctx, addPasskey, async ({ body, ...caller }, actor) =>
    passkeyService.add(ctx, actor, body, caller),
  )
  mount(app, ctx, renamePasskey, async ({ body }, actor) => passkeyService.rename(ctx, actor, body))
  mount(app, ctx, removePasskey, async ({ body }, actor) => passkeyService.remove(ctx, actor, body))
}
