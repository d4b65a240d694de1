import { expect, test } from 'vitest'
import { isAdminLevel, isManagerLevel, mayCall, roleFromName } from './roles.ts'

test('ROLE-02 admin-level and manager-level in one place', () => {
  expect(
    (['superadmin', 'admin', 'manager', 'editor', 'monitor'] as const).map(isAdminLevel),
  ).toEqual([true, true, false, false, false])
  expect(
    (['superadmin', 'admin', 'manager', 'editor', 'monitor'] as const).map(isManagerLevel),
  ).toEqual([true, true, true, false, false])
})

test('AUTH-22 an unknown or missing role may use nothing that needs one', () => {
  for (const name of [undefined, null, '', 'root', 'Admin']) expect(roleFromName(name)).toBeNull()
  expect(mayCall(null, { may: ['monitor'] })).toBe(false)
  expect(mayCall(null, { may: 'anyone' })).toBe(true)
})
