import { expect, test } from 'vitest'
import type { FieldName } from './link-field.rules.ts'
import { capWarning, hintOf } from './link-hint.rules.ts'
import { newInputValues } from './link-values.rules.ts'

function fields(parts: Partial<Record<FieldName, string>>) {
  return { ...newInputValues('s', 'g').fields, ...parts }
}

test.each<[string, FieldName, string, string]>([
  ['SRT', 'config.maxBandWidth', '5000', '= 5.0 Mbit/s'],
  ['SRT', 'config.maxBandWidth', '0', 'No cap.'],
  ['RIST', 'config.bandWidth', '625000', '= 625 Mbit/s'],
  ['RIST', 'config.bandWidth', '4500', '= 4.5 Mbit/s'],
  ['SRT', 'config.latency', '3000', 'Safe up to RTT 750 ms'],
  ['SRT', 'config.latency', '9', '20 to 30000 ms.'],
])('Q172 %s %s of %s means %s', (inputType, name, typed, meaning) => {
  expect(hintOf(name, fields({ inputType, [name]: typed }))).toBe(meaning)
})

test('M10 RIST Simple wants an even port', () => {
  const simple = fields({ inputType: 'RIST', 'config.profile': '1' })
  expect(hintOf('config.port', simple)).toMatch(/even/)
  expect(hintOf('config.port', fields({}))).toBe('')
})

test('M6 a cap below what the stream has now is warned of; RIST has none', () => {
  expect(capWarning(fields({}), 8100)).toBe(
    'Max bandwidth caps this link at 5.0 Mbit/s; the stream has 8.1 Mbit/s. What is above is dropped.',
  )
  expect(capWarning(fields({}), 4000)).toBe('')
  expect(capWarning(fields({}), null)).toBe('')
  expect(capWarning(fields({ 'config.maxBandWidth': '0' }), 8100)).toBe('')
  expect(capWarning(fields({ inputType: 'RIST' }), 8100)).toBe('')
})
