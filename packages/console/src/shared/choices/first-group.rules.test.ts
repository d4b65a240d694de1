import { expect, test } from 'vitest'
import { seesAllChannels, startingGroup } from './first-group.rules.ts'

const ownGroupIds = ['north', 'south']

test.each([
  ['superadmin', ''],
  ['admin', ''],
  ['manager', 'north'],
  ['editor', ''],
  ['monitor', 'north'],
] as const)('ROLE-10 Q48 a %s starts on %j', (role, group) => {
  expect(startingGroup({ role, ownGroupIds, remembered: null })).toBe(group)
})

test.each([
  ['superadmin', ''],
  ['admin', ''],
  ['manager', 'north'],
  ['editor', 'north'],
  ['monitor', 'north'],
] as const)('CHAN-01 Q48 among channels a %s starts on %j', (role, group) => {
  const hasAll = seesAllChannels(role)
  expect(startingGroup({ role, ownGroupIds, remembered: null, hasAll })).toBe(group)
  expect(startingGroup({ role, ownGroupIds, remembered: '', hasAll })).toBe(group)
})

test('STORE-03 STORE-09 a stored choice is used, unless it belongs to another account', () => {
  const manager = { role: 'manager', ownGroupIds } as const
  expect(startingGroup({ ...manager, remembered: 'south' })).toBe('south')
  expect(startingGroup({ ...manager, remembered: 'foreign' })).toBe('north')
  expect(startingGroup({ ...manager, remembered: '' })).toBe('north')
  expect(startingGroup({ role: 'admin', ownGroupIds: [], remembered: 'south' })).toBe('south')
})

test('Q36 a manager without a group has no first group', () => {
  expect(startingGroup({ role: 'manager', ownGroupIds: [], remembered: null })).toBe('')
})
