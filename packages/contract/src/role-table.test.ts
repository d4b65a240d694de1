import { expect, test } from 'vitest'
import { controlFor, mayDo, roleTable, rolesThat, type Action } from './role-table.ts'
import { ROLES } from './roles.ts'

const actions = Object.keys(roleTable) as Action[]

/**
 * ROLE-11 as the requirements print it: Y everywhere, G own groups, As assigned, T denied, v view,
 * - never.
 */
const MATRIX: Readonly<Record<string, string>> = {
  A: 'Y Y Y Y Y',
  B: 'Y Y Y Y Y',
  C: 'Y Y Y Y Y',
  D: 'Y Y - - -',
  E: 'Y Y Y - -',
  F: 'Y Y G As G',
  G: 'Y Y G As G',
  H: 'Y Y G As T',
  I: 'Y Y G - -',
  J: 'Y Y G - -',
  K: 'Y Y - - -',
  L: 'Y Y G - -',
  M: 'Y Y G - -',
  N: 'Y Y G - -',
  O: 'Y Y G As v',
  P: 'Y Y G As -',
  Q: 'Y Y G As T',
  R: 'Y Y G As G',
  S: 'Y n G G G',
  T: 'Y Y G - -',
  U: 'Y n G - -',
  V: 'Y n G - -',
  W: 's s s s s',
  X: 'Y Y G - -',
  Y: '- - - - -',
  Z: 'Y Y - - -',
  AA: 'Y Y G - -',
  AB: '- - - - -',
  AC: 'Y Y - - -',
  AD: 'Y Y G G G',
  AE: 'Y Y - - -',
  AF: 'Y Y G G G',
  AG: 'Y Y - - -',
  AH: 'Y Y G G G',
  AI: 'Y Y G T T',
  AJ: 'Y Y G T T',
  AK: 'Y Y G T T',
  AL: 'Y Y G T T',
  AM: 'Y Y G - -',
  AN: 'Y Y G - -',
  AO: 'Y Y G - -',
  AP: 'Y Y G - -',
  AQ: 'Y Y G - -',
  AR: 'Y Y G - -',
  AS: 'Y Y G - -',
  AT: 'Y Y - - -',
}
const SIGN = {
  all: 'Y',
  notAbove: 'n',
  group: 'G',
  // Row U and V of the matrix, without those who reach a group of others too.
  whole: 'G',
  assigned: 'As',
  self: 's',
  view: 'v',
  denied: 'T',
  never: '-',
} as const

test('ROLE-11 the table holds the matrix cell by cell', () => {
  const lettered = Object.values(roleTable).filter(({ letter }) => letter !== '')
  const cells = lettered.map(
    ({ letter, reach }) => [letter, ROLES.map((role) => SIGN[reach[role]]).join(' ')] as const,
  )
  expect(Object.fromEntries(cells)).toEqual(MATRIX)
  expect(cells).toHaveLength(Object.keys(MATRIX).length)
})

test('ROLE-07 nobody without a role may do anything', () => {
  expect(actions.filter((action) => mayDo(null, action))).toEqual([])
  expect(actions.filter((action) => controlFor(null, action) !== 'absent')).toEqual([])
})

test('a denied role sees the control and may not call; a view-only role sees no control', () => {
  expect(rolesThat('controlEncoder')).toEqual(['superadmin', 'admin', 'manager', 'editor'])
  expect(controlFor('monitor', 'controlEncoder')).toBe('denied')
  expect(controlFor('monitor', 'configureEncoder')).toBe('absent')
  expect(controlFor('editor', 'controlEncoder')).toBe('usable')
  expect(controlFor('monitor', 'editFeeders')).toBe('absent')
})

test('every action of a role is allowed to higher roles', () => {
  for (const action of actions) {
    const allowed = ROLES.map((role) => mayDo(role, action))
    // Superadmin, admin, manager in this order; editors and monitors stand beside each other.
    expect([action, allowed]).toEqual([action, [...allowed].sort((a, b) => Number(b) - Number(a))])
  }
})
