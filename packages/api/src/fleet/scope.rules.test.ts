import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import type { Actor } from '../security/actor.ts'
import { maySeeNotice } from './scope.rules.ts'

const ADMINS = ['superadmin', 'admin']
const MANAGERS = [...ADMINS, 'manager']
const EVERYBODY = [...MANAGERS, 'editor', 'monitor']

function actor(role: Role, groupIds: readonly string[]): Actor {
  return { id: role, email: '', fullName: '', role, groupIds, sessionId: '', ip: '' }
}

/** The roles that are notified of a change of an object of group North. */
function rolesNotified(kind: ObjectKind, groupIds: readonly string[]): Role[] {
  const notice = { kind, id: 'x', change: 'changed', groupIds: ['north'] } as const
  return ROLES.filter((role) => maySeeNotice(actor(role, groupIds), notice))
}

test.each([
  ['destination', MANAGERS],
  ['notificationRule', ADMINS],
  ['input', MANAGERS],
  ['output', MANAGERS],
  ['encoderTemplate', [...MANAGERS, 'editor']],
  ['encoder', EVERYBODY],
  ['channel', EVERYBODY],
  ['server', EVERYBODY],
  ['group', EVERYBODY],
  ['user', EVERYBODY],
] as const)('ROLE-11 a change of a %s is pushed to %s of its group', (kind, roles) => {
  expect(rolesNotified(kind, ['north'])).toEqual(roles)
  expect(rolesNotified(kind, ['south'])).toEqual(ADMINS)
})
