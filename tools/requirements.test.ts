import { expect, test } from 'vitest'
import { listedRequirements, listedTests, printed } from './requirements.ts'
import { coverageOf, idsIn, requirementsIn } from './requirements/coverage.ts'

/** Areas that are not ours: what is planted here must not count as a proof. */
const PAGE = `# Requirements

## KEY: calls

- KEY-01 sign in
- KEY-02 check the session

## KEY-IN: inputs

- KEY-IN-01 three tabs
`
const planted = requirementsIn(PAGE)
const path = 'a.test.ts'

const found = coverageOf(listedRequirements(), listedTests())

test('every requirement is in the name of a test', () => {
  expect(found.rows.length).toBeGreaterThan(0)
  expect(found.unproved.map(({ id, phrase }) => `${id} ${phrase}`)).toEqual([])
})

test('no test names a requirement that does not exist', () => {
  expect(found.unknown.map(({ id, test: { name } }) => `${id}: ${name}`)).toEqual([])
})

test('docs/requirements.md has each ID once, in order, each under the heading of its area', () => {
  const all = listedRequirements()
  const ids = all.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, area } of all) expect(area, id).toMatch(`${id.replace(/-\d+$/, '')}: `)
  const areas = Map.groupBy(ids, (id) => id.replace(/-\d+$/, ''))
  for (const [area, own] of areas) {
    const numbers = own.map((_, at) => `${area}-${String(at + 1).padStart(2, '0')}`)
    expect(own).toEqual(numbers)
  }
})

test('a requirement without a test is reported, and an ID that does not exist', () => {
  const coverage = coverageOf(planted, [
    { path, name: 'KEY-01 the answer has a token' },
    { path, name: 'tabs > KEY-IN-01 KEY-07 three of them' },
  ])
  expect(coverage.unproved.map(({ id }) => id)).toEqual(['KEY-02'])
  expect(coverage.unknown.map(({ id }) => id)).toEqual(['KEY-07'])
  expect(printed(coverage).split('\n')).toEqual([
    'KEY: calls',
    'KEY-01  sign in',
    '    a.test.ts > KEY-01 the answer has a token',
    'KEY-02  check the session',
    '',
    'KEY-IN: inputs',
    'KEY-IN-01  three tabs',
    '    a.test.ts > tabs > KEY-IN-01 KEY-07 three of them',
    '',
    'KEY-02 stands in no test name: check the session',
    'KEY-07 does not exist: a.test.ts > tabs > KEY-IN-01 KEY-07 three of them',
    '3 requirements, 1 without a test',
  ])
})

const NAMES: readonly [name: string, ids: string[]][] = [
  ['KEY-01 KEY-IN-01 Q169 T20 the sum', ['KEY-01', 'KEY-IN-01']],
  ['the sum (KEY-01, KEY-02)', ['KEY-01', 'KEY-02']],
  ['KEY-09 to KEY-11 the sum', ['KEY-09', 'KEY-10', 'KEY-11']],
  ['KEY-01 to KEY-IN-01', ['KEY-01', 'KEY-IN-01']],
  ['KEY-01 KEY-01', ['KEY-01']],
  ['NAV-01 NOT-KEY-IN-01 xKEY-01', []],
]

test.each(NAMES)('the IDs in the name of a test: %s', (name, ids) => {
  expect(idsIn(name, new Set(['KEY', 'KEY-IN']))).toEqual(ids)
})
