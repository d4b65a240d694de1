import { expect, test } from 'vitest'
import { ledGroup } from '../test/place.samples.ts'
import { missingText } from './group.messages.ts'
import { checkGroup, emptyFields, managerName, valuesOf } from './group.rules.ts'

const well = { title: 'Sports North', description: 'All of it', manager: 'gallery-a' }

test.each([
  ['GRP-05', { title: '  ' }, { title: 'Title is required' }],
  ['GRP-06', { description: '' }, { description: 'Description is required' }],
  ['GRP-07', { manager: '' }, { manager: 'Select a manager' }],
  [
    'a title too long',
    { title: 'x'.repeat(121) },
    { title: 'Title must be at most 120 characters long. Shorten it.' },
  ],
  ['nothing', {}, {}],
])('%s is said at its field', (_id, change, faults) => {
  expect(checkGroup({ ...well, ...change })).toEqual(faults)
})

test('GRP-08 empty fields are named', () => {
  expect(emptyFields({ title: '', description: ' ', manager: 'a' })).toEqual([
    'title',
    'description',
  ])
  expect(missingText(['Title', 'Description', 'Group admin'])).toBe(
    'Title, Description and Group admin are still empty.',
  )
  expect(missingText(['Title'])).toBe('Title is still empty.')
})

test('GRP-09 a manager who has lost that role must be chosen again', () => {
  const leader = { _id: 'gallery-a', fullName: 'Gallery A', mode: { name: 'editor' } } as const
  expect(valuesOf(ledGroup('north', 'North', { manager: leader })).manager).toBe('')
  expect(valuesOf(ledGroup('north', 'North')).manager).toBe('gallery-a')
})

test('GRP-02 the first of its people is the manager', () => {
  expect(managerName(ledGroup('north', 'North'))).toBe('Gallery A')
  expect(managerName(ledGroup('north', 'North', { userInfo: [], manager: null }))).toBe('')
})
