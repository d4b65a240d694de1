/** What the Users tab asks for, and under which keys; 'user' is invalidated by push. */
import type { Sort } from '@trunkline/contract/paging.schema'
import {
  type USER_SORTS,
  findUser,
  listRoles,
  listUsers,
} from '@trunkline/contract/users/user.calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readSecondFactor } from '@trunkline/contract/users/second-factor.calls'
import { listUserSessions } from '@trunkline/contract/users/user-session.calls'
import { call } from '../lib/call.ts'

export interface UserList {
  searchText: string
  /** '' for all groups. */
  groupId: string
  page: number
  rowsPerPage: number
  sort?: Sort<(typeof USER_SORTS)[number]>
}

/** A new question aborts the old one. */
export function usersQuery(list: UserList) {
  return queryOptions({
    queryKey: ['user', 'list', list],
    queryFn: async ({ signal }) => call(listUsers, { query: list, signal }),
    placeholderData: keepPreviousData,
  })
}

/** How many there are in all, for the tab; the smallest page brings the count along. */
export function userTotalQuery() {
  return queryOptions({
    queryKey: ['user', 'total'],
    queryFn: async ({ signal }) => call(listUsers, { query: { rowsPerPage: 1 }, signal }),
    select: (reply) => reply.total,
  })
}

/** With the version that an edit is made from, so it is never taken from the cache. */
export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['user', 'one', id],
    queryFn: async ({ signal }) => (await call(findUser, { params: { id }, signal })).data,
    gcTime: 0,
  })
}

export function userSessionsKey(id: string) {
  return ['user', 'sessions', id]
}

/** Where that person is signed in. */
export function userSessionsQuery(id: string) {
  return queryOptions({
    queryKey: userSessionsKey(id),
    queryFn: async ({ signal }) => (await call(listUserSessions, { params: { id }, signal })).data,
    gcTime: 0,
  })
}

export function secondFactorKey(id: string) {
  return ['user', 'second factor', id]
}

/** Whether that person signs in with a code. */
export function secondFactorQuery(id: string) {
  return queryOptions({
    queryKey: secondFactorKey(id),
    queryFn: async ({ signal }) => (await call(readSecondFactor, { params: { id }, signal })).data,
    gcTime: 0,
  })
}

/** USER-18: the roles that this user may give. */
export function rolesQuery() {
  return queryOptions({
    queryKey: ['role', 'list'],
    queryFn: async ({ signal }) => (await call(listRoles, { signal })).data,
  })
}
