import { expect, test } from 'vitest'
import type { HostRecord } from './host-record.ts'
import { hostRecord } from '../fleet/host-record.fixture.ts'
import { HostRecords } from './host-records.ts'

function record(id: string, port: number, more: Partial<HostRecord> = {}): HostRecord {
  return hostRecord(id, port, { kind: 'encoder', ...more })
}

function idsOf(records: readonly HostRecord[]): string[] {
  return records.map(({ id }) => id)
}

test('a machine and each of its ports have their records in order of place, however these come and go', () => {
  const records = new HostRecords()
  const server = record('s', 2, { kind: 'server' })
  records.put([record('c', 1), record('a', 2), record('b', 1, { createdAtMs: 5 }), server])
  expect(idsOf(records.onMachine('machine'))).toEqual(['s', 'a', 'c', 'b'])
  expect(idsOf(records.at({ host: 'machine', port: 1 }))).toEqual(['c', 'b'])
  expect(idsOf(records.at({ host: 'machine', port: 2 }))).toEqual(['s', 'a'])

  records.put([{ ...server, answerer: 'media server' }])
  expect(idsOf(records.at({ host: 'machine', port: 2 }))).toEqual(['a', 's'])
  expect(idsOf(records.onMachine('machine'))).toEqual(['a', 'c', 'b', 's'])

  records.put([record('a', 1)])
  expect(idsOf(records.at({ host: 'machine', port: 1 }))).toEqual(['a', 'c', 'b'])
  records.replace({ by: 'encoder', id: 'c' }, [])
  expect(idsOf(records.onMachine('machine'))).toEqual(['a', 'b', 's'])
  expect(records.onMachine('elsewhere')).toEqual([])
})
