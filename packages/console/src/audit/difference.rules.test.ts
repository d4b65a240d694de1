import { expect, test } from 'vitest'
import { differencesOf } from './difference.rules.ts'

test('T20 only what differs, field by field, however deep', () => {
  const before = {
    title: 'Old',
    port: 8000,
    isEnabled: true,
    config: { output: [{ target: 'udp://a' }, { target: 'udp://b' }] },
    groupIds: ['north'],
  }
  const after = {
    title: 'New',
    port: 8000,
    isEnabled: false,
    config: { output: [{ target: 'udp://a' }, { target: 'udp://c' }] },
    groupIds: ['north', 'south'],
  }
  expect(differencesOf(before, after)).toEqual({
    changed: [
      { field: 'Title', before: 'Old', after: 'New' },
      { field: 'Enabled', before: 'yes', after: 'no' },
      { field: 'Settings › Output 2 › Target', before: 'udp://b', after: 'udp://c' },
      { field: 'Groups', before: 'north', after: 'north, south' },
    ],
    sameCount: 2,
  })
})

test('an added object has no before, a removed one no after', () => {
  expect(differencesOf(null, { title: 'New', description: '' }).changed).toEqual([
    { field: 'Title', before: null, after: 'New' },
    { field: 'Description', before: null, after: 'empty' },
  ])
  expect(differencesOf({ title: 'Old', users: [] }, null).changed).toEqual([
    { field: 'Title', before: 'Old', after: null },
    { field: 'Users', before: 'none', after: null },
  ])
  expect(differencesOf(null, null)).toEqual({ changed: [], sameCount: 0 })
})

test('a field is called as on its form, and by its name where there is none', () => {
  const before = { config: { 'video-stream': { keyint: 50 }, max_bw: 0, isOldSetting: true } }
  const fields = differencesOf(before, null).changed.map(({ field }) => field)
  expect(fields).toEqual([
    'Settings › Video › Keyint',
    'Settings › Max bandwidth',
    'Settings › Old setting',
  ])
})

test('a value that is not an object is shown unchanged', () => {
  expect(differencesOf('a', 'b').changed).toEqual([{ field: 'Value', before: 'a', after: 'b' }])
})
