import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { expect, test } from 'vitest'
import { canOpen, isQuiet, lookOf, titleOf } from './alarm-view.rules.ts'

const ALARM = { objectId: 'o', serverId: 's', groupId: 'g', ownerId: 'e' } as Alarm

test('an alarm of an object that is hidden, or has no page for this role, has no link', () => {
  const opens = (parts: Partial<Alarm>, places = true, links = true) =>
    canOpen({ ...ALARM, ...parts }, places, links)
  expect(opens({ kind: 'encoder' })).toBe(true)
  expect(opens({ kind: 'encoder', objectId: '' })).toBe(false)
  expect(opens({ kind: 'server' }, false)).toBe(false)
  expect(opens({ kind: 'input' }, true, false)).toBe(false)
  expect(opens({ kind: 'console', objectId: 'backups' })).toBe(true)
  expect(opens({ kind: 'console', objectId: 'disk' })).toBe(false)
})

test('what the console watches of itself has its own words, in the language of the page', () => {
  expect(titleOf({ kind: 'console', objectId: 'disk', title: 'Disk' })).toBe('Disk of the console')
  expect(titleOf({ kind: 'input', objectId: 'disk', title: 'Disk' })).toBe('Disk')
})

test('an alarm that is acknowledged, muted, in maintenance, over or cleared is quiet, and counts again afterwards', () => {
  const open = { acknowledged: null, mutedUntil: null, maintenanceUntil: null }
  const until = new Date(1000).toISOString()
  for (const quiet of [{ mutedUntil: until }, { maintenanceUntil: until }]) {
    const alarm = { ...open, ...quiet }
    expect([isQuiet(alarm, 999), isQuiet(alarm, 1000)]).toEqual([true, false])
  }
  const loud = { severity: 'critical', clearedAt: null, overSinceMs: null } as const
  expect(lookOf(loud, false).family).toBe('bad')
  expect(lookOf(loud, true).family).toBe('off')
  expect(lookOf({ ...loud, clearedAt: 'x' }, false).family).toBe('off')
  expect(lookOf({ ...loud, overSinceMs: 5 }, false).family).toBe('off')
})
