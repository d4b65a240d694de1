/** Valid people for tests; each test changes what it is about. */
import type { Role } from '@trunkline/contract/roles'
import { findUser, listUsers } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { refuse, type FakeApi } from './fake-api.ts'

export const NORTH = { _id: 'north', title: 'Sports North' }
export const SOUTH = { _id: 'south', title: 'Sports South' }

/** Somebody else than who is signed in; of North, where their role belongs to groups. */
export function personOf(role: Role, parts: Partial<User> = {}): User {
  const id = parts._id ?? `other-${role}`
  return {
    _id: id,
    id,
    firstName: 'Gallery',
    lastName: role,
    fullName: `Gallery ${role}`,
    email: `gallery.${role}@trunkline.example`,
    mode: role,
    modeInfo: { _id: role, name: role },
    groups: role === 'superadmin' || role === 'admin' ? [] : [NORTH],
    hasGroupBeyond: false,
    asksBeforeInterrupting: false,
    language: null,
    times: null,
    isFromProvider: false,
    version: 4,
    ...parts,
  }
}

/** As the API answers for people: found one by one, and in pages of those that match. */
export function answerPeople(api: FakeApi, people: readonly User[]): void {
  api.on(listUsers).answer(({ query }) => {
    const size = Number(query.get('rowsPerPage') ?? 0)
    const text = query.get('searchText') ?? ''
    const found = people.filter(({ fullName }) => fullName.includes(text))
    const data = size === 0 ? found : found.slice(0, size)
    return { status: true, data, users: data, total: found.length }
  })
  api.on(findUser).answer(({ path }) => {
    const user = people.find(({ _id }) => path.endsWith(`/${_id}`))
    if (user === undefined) return refuse(404, 'There is no such user.')
    return { status: true, data: user, user }
  })
}
