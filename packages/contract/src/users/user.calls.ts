import { z } from 'zod'
import { Page, pageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { RoleName, RoleRef } from '../session/session.schema.ts'
import { Id } from '../text.schema.ts'
import { User, UserDraft, UserEdit } from './user.schema.ts'
import { success } from '../reply.schema.ts'

const OneUser = success({ data: User, user: User })

export const USER_SORTS = ['name', 'email', 'role'] as const

/** Scoped by row S of the role table. `users` is `data` once more (API-03). */
export const listUsers = route({
  name: 'users.list',
  method: 'GET',
  path: '/api/users/getUsers',
  action: 'listUsers',
  query: z.strictObject({
    searchText: SearchText,
    /** '' for all groups. */
    groupId: z.union([Id, z.literal('')]).default(''),
    /** One role only: the group dialog chooses among managers, the encoder's picker among editors. */
    mode: z.union([RoleName, z.literal('')]).default(''),
    page: Page,
    /** Foreign clients name none and get all. */
    rowsPerPage: pageSize(0),
    /** '' for the order of full names. */
    sort: sortBy(USER_SORTS),
  }),
  reply: success({ data: z.array(User), users: z.array(User), total: z.number() }),
})

export const findUser = route({
  name: 'users.find',
  method: 'GET',
  path: '/api/users/getUser/:id',
  action: 'listUsers',
  params: ById,
  reply: OneUser,
})

/** Only what the caller may give (Q24); for a superadmin all five, in their usual order. */
export const listRoles = route({
  name: 'users.roles',
  method: 'GET',
  path: '/api/users/getRoles',
  action: 'listUsers',
  reply: success({ data: z.array(RoleRef), roles: z.array(RoleRef) }),
})

export const addUser = route({
  name: 'users.add',
  method: 'POST',
  addsObject: true,
  path: '/api/users/addUser',
  action: 'addUser',
  body: UserDraft,
  reply: success({ id: z.string(), _id: z.string(), data: User }),
})

/** Everybody for oneself; whom else, user.rules.ts says. */
export const updateUser = route({
  name: 'users.update',
  method: 'PUT',
  path: '/api/users/updateUser',
  action: 'editSelf',
  body: UserEdit,
  reply: success({ data: User }),
})

export const removeUser = removal('users.remove', '/api/users/removeUser/:id', 'removeUser')
