import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import {
  addServer,
  findServer,
  listServers,
  readServerStatus,
  removeServer,
  updateServer,
} from '@trunkline/contract/servers/server.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as hostAdaptersService from './host-adapters.service.ts'
import * as serverUpdateService from './server-update.service.ts'
import * as serverService from './server.service.ts'

export function serverRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listServers, async ({ query }, actor) => serverService.list(ctx, actor, query))
  mount(app, ctx, findServer, async ({ params }, actor) =>
    serverService.find(ctx, actor, params.id),
  )
  mount(app, ctx, readHostAdapters, async ({ query }) =>
    Promise.resolve(hostAdaptersService.read(ctx, query)),
  )
  mountAdd(
    app,
    ctx,
    addServer,
    async ({ body }, actor, id) => serverService.add(ctx, actor, body, id),
    serverService.added,
  )
  mount(app, ctx, updateServer, async ({ params, body }, actor) =>
    serverUpdateService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeServer, async ({ params }, actor) =>
    serverUpdateService.remove(ctx, actor, params.id),
  )
  mount(app, ctx, readServerStatus, async ({ params }, actor) =>
    serverService.readStatus(ctx, actor, params.id),
  )
}
