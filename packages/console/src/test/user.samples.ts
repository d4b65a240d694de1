/** Valid people for tests; each test changes what it is about. */
import type { Role } from '@trunkline/contract/roles'
import type { User } from '@trunkline/contract/users/user.schema'

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
    version: 4,
    ...parts,
  }
}
