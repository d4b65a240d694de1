import { isShown, noFamilies, SHOWS } from '@trunkline/contract/fleet/show.rules'
import { FAMILIES, needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FamilyIndex, type Counted, type Part, type Reader } from './family-index.ts'

const GROUPS = ['north', 'south', 'east'] as const
const EDITORS = ['ann', 'bob'] as const

const change = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `e${at}`)),
  order: fc.nat(4),
  family: fc.constantFrom(...FAMILIES),
  groupIds: fc.subarray([...GROUPS]),
  editorIds: fc.subarray([...EDITORS]),
  isGone: fc.boolean(),
})

const READERS: readonly Reader[] = [
  { by: 'all' },
  { by: 'groups', groupIds: [] },
  { by: 'groups', groupIds: ['south'] },
  { by: 'groups', groupIds: ['north', 'east'] },
  { by: 'editor', userId: 'ann' },
  { by: 'editor', userId: 'nobody' },
]

function seenBy({ reader, group }: Part, { groupIds, editorIds }: Counted): boolean {
  if (group !== '' && !groupIds.includes(group)) return false
  if (reader.by === 'all') return true
  if (reader.by === 'editor') return editorIds.includes(reader.userId)
  const own = group === '' ? reader.groupIds : reader.groupIds.filter((id) => id === group)
  return groupIds.some((id) => own.includes(id))
}

function inStateOrder(items: readonly Counted[]): Counted[] {
  const rank = ({ family }: Counted) => (needsAttention(family) ? FAMILIES.indexOf(family) : 9)
  return items.toSorted((a, b) => rank(a) - rank(b) || a.order - b.order || (a.id < b.id ? -1 : 1))
}

test('ROLE-09 after any changes the counts and pages of every person are those of a full recount', () => {
  const property = fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
    const index = new FamilyIndex(true)
    const known = new Map<string, Counted>()
    for (const { isGone, ...counted } of changes) {
      index.put(counted.id, isGone ? null : counted)
      if (isGone) known.delete(counted.id)
      else known.set(counted.id, counted)
    }
    for (const reader of READERS) {
      for (const group of ['', ...GROUPS]) {
        const part = { reader, group }
        const seen = inStateOrder([...known.values()].filter((item) => seenBy(part, item)))
        const sums = noFamilies()
        index.addTo(sums, part)
        const expected = noFamilies()
        for (const { family } of seen) expected[family] += 1
        expect(sums).toEqual(expected)
        for (const show of SHOWS) {
          if (show === 'all') continue
          const ids = seen.filter(({ family }) => isShown(show, family)).map(({ id }) => id)
          expect(index.page(part, show, 0, 100)).toEqual(ids)
          expect(index.page(part, show, 2, 3)).toEqual(ids.slice(2, 5))
        }
      }
    }
    const ids = [...known.keys(), 'unknown'].toReversed()
    expect(index.pick(ids, 'all')).toEqual(inStateOrder([...known.values()]))
  })
  fc.assert(property, { numRuns: 200 })
})

test('what is put again unchanged is no change', () => {
  const index = new FamilyIndex(false)
  const counted = { id: 'a', order: 1, family: 'ok', groupIds: ['north'], editorIds: [] } as const
  expect(index.put('a', counted)).toBe(true)
  expect(index.put('a', { ...counted, groupIds: ['north'] })).toBe(false)
  expect(index.put('a', { ...counted, family: 'bad' })).toBe(true)
  expect(index.put('a', null)).toBe(true)
  expect(index.put('a', null)).toBe(false)
})
