import {
  addUser,
  findUser,
  listRoles,
  listUsers,
  removeUser,
  updateUser,
} from '@trunkline/contract/users/user.calls'
import {
  addApiToken,
  addServiceToken,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import { readCaller } from '@trunkline/contract/users/caller.calls'
import { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as apiTokenService from './api-tokens/api-token.service.ts'
import * as callerService from './caller.service.ts'
import * as userListService from './user-list.service.ts'
import * as userRemoveService from './user-remove.service.ts'
import * as userSessionListService from './sessions/user-session-list.service.ts'
import * as userUpdateService from './user-update.service.ts'
import * as userService from './user.service.ts'

export function userRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readCaller, async (_, actor) => callerService.read(ctx, actor))
  mount(app, ctx, listUsers, async ({ query }, actor) => userListService.list(ctx, actor, query))
  mount(app, ctx, findUser, async ({ params }, actor) =>
    userListService.find(ctx, actor, params.id),
  )
  mount(app, ctx, listRoles, async (_, actor) => Promise.resolve(userListService.roles(actor)))
  mountAdd(
    app,
    ctx,
    addUser,
    async ({ body }, actor, id) => userService.add(ctx, actor, body, id),
    userService.added,
  )
  mount(app, ctx, updateUser, async ({ body }, actor) => userUpdateService.update(ctx, actor, body))
  mount(app, ctx, listUserSessions, async ({ params }, actor) =>
    userSessionListService.list(ctx, actor, params.id),
  )
  mount(app, ctx, endUserSession, async ({ params }, actor) =>
    userSessionListService.end(ctx, actor, params),
  )
  mount(app, ctx, removeUser, async ({ params }, actor) =>
    userRemoveService.remove(ctx, actor, params.id),
  )
  apiTokenRoutes(app, ctx)
}

function apiTokenRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOwnApiTokens, async (_, actor) => apiTokenService.listOwn(ctx, actor))
  mount(app, ctx, listApiTokens, async ({ query }, actor) =>
    apiTokenService.list(ctx, actor, query),
  )
  mount(app, ctx, addApiToken, async ({ body }, actor) => apiTokenService.add(ctx, actor, body))
  mount(app, ctx, addServiceToken, async ({ body }, actor) =>
    apiTokenService.addService(ctx, actor, body),
  )
  mount(app, ctx, revokeApiToken, async ({ params }, actor) =>
    apiTokenService.revoke(ctx, actor, params.id),
  )
}
