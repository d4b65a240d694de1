import { expect, test } from 'vitest'
import { named } from './link-names.ts'

const stadium = { id: 'i1', name: 'stadium-a1b2c3' }
const studio = { id: 'i2', name: 'studio-d4e5f6' }

test('Q137 names and ids, in any mixture, each object once and in the order of asking', () => {
  const asked = ['i2', 'stadium-a1b2c3', 'studio-d4e5f6', 'i1']
  expect(named(asked, [stadium, studio], 'input')).toEqual({ links: [studio, stadium], failed: [] })
})

test('an unknown name is reported once, beside the found ones', () => {
  const { links, failed } = named(['nothing', 'i1', 'nothing'], [stadium], 'input')
  expect(links).toEqual([stadium])
  expect(failed.map(({ name }) => name)).toEqual(['nothing'])
  expect(failed[0]?.error).toContain('no such input')
})

test('T2 only unknown names: not found', () => {
  expect(() => named(['nothing'], [], 'output')).toThrow('no such output')
})
