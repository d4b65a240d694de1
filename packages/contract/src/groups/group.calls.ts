import { z } from 'zod'
import { Page, pageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { Group, GroupDraft, GroupEdit } from './group.schema.ts'
import { success } from '../reply.schema.ts'

const OneGroup = success({ data: Group })

export const GROUP_SORTS = ['title'] as const

/** Scoped: admin-level see all, everybody else their own groups (Q39). */
export const listGroups = route({
  name: 'groups.list',
  method: 'GET',
  path: '/api/group',
  action: 'listGroups',
  query: z.strictObject({
    searchText: SearchText,
    /** The one of that id; '' for all. */
    id: z.union([Id, z.literal('')]).default(''),
    /** Whom `users` and `userInfo` name of each group: everybody, or its manager alone. */
    people: z.enum(['all', 'manager']).default('all'),
    page: Page,
    /** Foreign clients name none and get all. */
    rowsPerPage: pageSize(0),
    /** '' for the order of creation. */
    sort: sortBy(GROUP_SORTS),
  }),
  reply: success({ data: z.array(Group), total: z.number() }),
})

export const addGroup = route({
  name: 'groups.add',
  method: 'POST',
  addsObject: true,
  path: '/api/group',
  action: 'editGroups',
  body: GroupDraft,
  reply: OneGroup,
})

export const updateGroup = route({
  name: 'groups.update',
  method: 'PUT',
  path: '/api/group/:id',
  action: 'editGroups',
  params: ById,
  body: GroupEdit,
  reply: OneGroup,
})

/** Empty groups only (Q110): 409 with what is still in it. */
export const removeGroup = removal('groups.remove', '/api/group/:id', 'editGroups')

export const addGroupUser = route({
  name: 'groups.addUser',
  method: 'POST',
  path: '/api/group/add_user/:groupId',
  action: 'addToGroup',
  params: z.object({ groupId: Id }),
  body: z.strictObject({ userId: Id }),
  reply: OneGroup,
})

/** Takes the user out of every other group (Q106). */
export const moveGroupUser = route({
  name: 'groups.moveUser',
  method: 'POST',
  path: '/api/group/update_user_group/:groupId',
  action: 'addToGroup',
  params: z.object({ groupId: Id }),
  body: z.strictObject({ userId: Id }),
  reply: OneGroup,
})

/**
 * Takes the user out of this one group; encoders of the group that are assigned to them lose them.
 * 409 when they do not belong to it, or manage it.
 */
export const removeGroupUser = route({
  name: 'groups.removeUser',
  method: 'POST',
  path: '/api/group/remove_user/:groupId',
  action: 'removeFromGroup',
  params: z.object({ groupId: Id }),
  body: z.strictObject({ userId: Id }),
  reply: OneGroup,
})
