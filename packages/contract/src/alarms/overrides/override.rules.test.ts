import { expect, test } from 'vitest'
import { RULES } from '../alarm.rules.ts'
import { canOverride, defaultSettings, moreAlarming, withOverride } from './override.rules.ts'
import { OverrideDraft } from './override.schema.ts'

const KEEPS = {
  isOff: null,
  severity: null,
  threshold: null,
  raiseAfterSeconds: null,
  clearAfterSeconds: null,
}
const PEER = defaultSettings('no-peer')

test('fields that an override leaves empty stay as they were', () => {
  expect(withOverride(PEER, KEEPS)).toEqual({ ...RULES['no-peer'], isOff: false, threshold: null })
  expect(withOverride(PEER, { ...KEEPS, raiseAfterSeconds: 0, severity: 'warning' })).toEqual({
    ...PEER,
    raiseAfterMs: 0,
    severity: 'warning',
  })
})

test('a nearer override can raise what a wider has switched off', () => {
  const off = withOverride(PEER, { ...KEEPS, isOff: true })
  expect(withOverride(off, { ...KEEPS, severity: 'critical' }).isOff).toBe(true)
  expect(withOverride(off, { ...KEEPS, isOff: false }).isOff).toBe(false)
})

test('of two groups the more alarming wins field by field', () => {
  const north = { ...PEER, isOff: true, severity: 'warning', raiseAfterMs: 60_000 } as const
  const south = { ...PEER, severity: 'critical', clearAfterMs: 30_000 } as const
  const expected = { ...PEER, severity: 'critical', clearAfterMs: 30_000 }
  expect(moreAlarming('no-peer', north, south)).toEqual(expected)
  expect(moreAlarming('no-peer', south, north)).toEqual(expected)
  expect(moreAlarming('no-peer', north, north).isOff).toBe(true)
})

test('of two groups the threshold that raises more applies', () => {
  const of = (rule: 'slow' | 'losing-packets', threshold: number) =>
    withOverride(defaultSettings(rule), { ...KEEPS, threshold })
  const loss = moreAlarming('losing-packets', of('losing-packets', 0.5), of('losing-packets', 0.05))
  expect(loss.threshold).toBe(0.05)
  expect(moreAlarming('slow', of('slow', 90), of('slow', 80)).threshold).toBe(90)
})

test.each([
  ['losing-packets', '0.5', []],
  ['losing-packets', 0.3, ['threshold']],
  ['disk-full', 'much', ['threshold']],
  ['no-peer', 5, ['threshold']],
] as const)('%s takes a threshold of %s: faults at %j', (rule, threshold, faulty) => {
  const draft = { covers: { kind: 'group', id: 'g' }, rule, threshold }
  const { error } = OverrideDraft.safeParse(draft)
  expect(error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(faulty)
})

test('an override is of a rule that what it covers can raise', () => {
  expect(canOverride('group', 'on-backup')).toBe(true)
  expect(canOverride('encoder', 'no-peer')).toBe(true)
  expect(canOverride('input', 'slow')).toBe(false)
  expect(canOverride('output', 'disk-full')).toBe(false)
})

test.each([
  [{}, 'isOff'],
  [{ raiseAfterSeconds: 3601 }, 'raiseAfterSeconds'],
  [{ clearAfterSeconds: 5 }, 'clearAfterSeconds'],
  [{ severity: 'minor' }, 'severity'],
])('empty and out-of-range settings are refused at their field: %j', (given, field) => {
  const covers = { kind: 'group', id: 'g' }
  const { error } = OverrideDraft.safeParse({ covers, rule: 'no-peer', ...given })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
})

test.each([
  ['no-peer', 6, []],
  ['no-peer', 5, ['clearAfterSeconds']],
  ['losing-packets', 3, []],
  ['losing-packets', 2, ['clearAfterSeconds']],
] as const)(
  '%s is cleared after %i s, no sooner than without an override: faults at %j',
  (rule, clearAfterSeconds, faulty) => {
    const draft = { covers: { kind: 'group', id: 'g' }, rule, clearAfterSeconds }
    const { error } = OverrideDraft.safeParse(draft)
    expect(error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(faulty)
  },
)

test('an empty delay keeps what applies, and digits are taken', () => {
  const covers = { kind: 'group', id: 'g' }
  const given = { raiseAfterSeconds: '30', clearAfterSeconds: '' }
  expect(OverrideDraft.parse({ covers, rule: 'no-peer', ...given })).toMatchObject({
    raiseAfterSeconds: 30,
    clearAfterSeconds: null,
  })
})
