import type { AlarmOverride } from '@trunkline/contract/alarms/overrides/override.schema'
import { expect, test } from 'vitest'
import {
  checkOverride,
  draftOf,
  newOverride,
  valuesOf,
  type OverrideValues,
} from './override-form.rules.ts'

const OVERRIDE: AlarmOverride = {
  _id: 'o1',
  id: 'o1',
  version: 3,
  covers: { kind: 'group', id: 'north', title: 'North' },
  rule: 'no-peer',
  isOff: null,
  severity: 'warning',
  threshold: null,
  raiseAfterSeconds: 30,
  clearAfterSeconds: null,
}

function filled(parts: Partial<OverrideValues>): OverrideValues {
  return { ...newOverride({ kind: 'group', id: 'north' }, 'no-peer'), severity: 'major', ...parts }
}

test('an override is saved as it was read, and settings that it does not override stay empty', () => {
  const values = valuesOf(OVERRIDE)
  expect(values).toEqual(filled({ severity: 'warning', raiseAfter: '30' }))
  expect(checkOverride(values)).toEqual({})
  expect(draftOf(values)).toMatchObject({
    isOff: null,
    severity: 'warning',
    threshold: '',
    raiseAfterSeconds: '30',
    clearAfterSeconds: '',
  })
})

test.each<[string, Partial<OverrideValues>, (keyof OverrideValues)[]]>([
  ['nothing chosen', { id: '' }, ['id']],
  ['nothing that it changes', { severity: '' }, ['raises']],
  ['a delay that is no number', { raiseAfter: 'soon' }, ['raiseAfter']],
  ['a shorter time to clear than between two readings', { clearAfter: '5' }, ['clearAfter']],
  ['a threshold that its rule has not', { threshold: '5' }, ['threshold']],
  ['switched off', { severity: '', raises: 'no' }, []],
])('a form with %s has its fault at its field', (_, parts, fields) => {
  expect(Object.keys(checkOverride(filled(parts)))).toEqual(fields)
})
