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
import { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as apiTokenService from './api-tokens/api-token.service.ts'
import * as userListService from './user-list.service.ts'
import * as userRemoveService from './user-remove.service.ts'
import * as userSessionListService from './sessions/user-session-list.service.ts'
import * as userUpdateService from './user-update.service.ts'
import * as userService from './user.service.ts'

export function userRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listUsers, async ({ query }, actor) => userListService.list(ctx, actor, query))
  mount(app, ctx, findUser, async ({ params }, actor) =>
    userListService.find(ctx, actor, params.id),
  )
  mount(app, ctx, listRoles, async (_, actor) => Promise.resolve(userListService.roles(actor)))
  mount(app, ctx, addUser, async ({ body, ip }, actor) => userService.add(ctx, actor, body, ip))
  mount(app, ctx, updateUser, async ({ body, ip }, actor) =>
    userUpdateService.update(ctx, actor, body, ip),
  )
  mount(app, ctx, listUserSessions, async ({ params }, actor) =>
    userSessionListService.list(ctx, actor, params.id),
  )
  mount(app, ctx, endUserSession, async ({ params, ip }, actor) =>
    userSessionListService.end(ctx, actor, params, ip),
  )
  mount(app, ctx, removeUser, async ({ params, ip }, actor) =>
    userRemoveService.remove(ctx, actor, params.id, ip),
  )
  apiTokenRoutes(app, ctx)
}

function apiTokenRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOwnApiTokens, async (_, actor) => apiTokenService.listOwn(ctx, actor))
  mount(app, ctx, listApiTokens, async ({ query }, actor) =>
    apiTokenService.list(ctx, actor, query),
  )
  mount(app, ctx, addApiToken, async ({ body, ip }, actor) =>
    apiTokenService.add(ctx, actor, body, ip),
  )
  mount(app, ctx, addServiceToken, async ({ body, ip }, actor) =>
    apiTokenService.addService(ctx, actor, body, ip),
  )
  mount(app, ctx, revokeApiToken, async ({ params, ip }, actor) =>
    apiTokenService.revoke(ctx, actor, params.id, ip),
  )
}
