import {
  addGroup,
  addGroupUser,
  listGroups,
  moveGroupUser,
  removeGroup,
  removeGroupUser,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as groupMemberService from './group-member.service.ts'
import * as groupService from './group.service.ts'

export function groupRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listGroups, async ({ query }, actor) => groupService.list(ctx, actor, query))
  mountAdd(
    app,
    ctx,
    addGroup,
    async ({ body }, actor, id) => groupService.add(ctx, actor, body, id),
    groupService.added,
  )
  mount(app, ctx, updateGroup, async ({ params, body }, actor) =>
    groupService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeGroup, async ({ params }, actor) =>
    groupService.remove(ctx, actor, params.id),
  )
  mount(app, ctx, addGroupUser, async ({ params, body }, actor) =>
    groupMemberService.add(ctx, actor, params.groupId, body.userId),
  )
  mount(app, ctx, moveGroupUser, async ({ params, body }, actor) =>
    groupMemberService.move(ctx, actor, params.groupId, body.userId),
  )
  mount(app, ctx, removeGroupUser, async ({ params, body }, actor) =>
    groupMemberService.remove(ctx, actor, params.groupId, body.userId),
  )
}
