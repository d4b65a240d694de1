import { expect, test } from 'vitest'
import { fromRow, toRow } from './column-names.ts'

test('fields and columns are named after each other, and keep their values', () => {
  const sample = { programId: 'p1', atS: 5, rttMaxMs: null, packets: 3 }
  const row = { program_id: 'p1', at_s: 5, rtt_max_ms: null, packets: 3 }
  expect(toRow(sample)).toEqual(row)
  expect(fromRow<typeof sample>(row)).toEqual(sample)
})
