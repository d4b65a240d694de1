import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import { StreamLinks } from '../fleet/streams/stream-links.ts'
import { PathRows } from '../paths/path-rows.fixture.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { readHops } from './alarm-hops.service.ts'
import { stall } from '../testing/process/stall.ts'

async function hopsOfOutputs(db: Connection, ids: readonly string[], rule: AlarmRule) {
  const outputs = ids.map((id) => ({ kind: 'output' as const, id, rule }))
  const source = { db, board: { streams: { links: new StreamLinks() } } }
  const found = await readHops(source, () => [], outputs)
  return Object.fromEntries(
    [...found].map(([key, hops]) => [key, hops.map(({ kind, id }) => `${kind} ${id}`)]),
  )
}

describeOnBothDatabases('what an alarm may be explained by', (open) => {
  test('W5 others have their turn while the hosts of many alarms are looked at', async () => {
    const db = await open()
    const source = { db, board: { streams: { links: new StreamLinks() } } }
    const lost = ['a', 'b', 'c', 'd'].map((id) => ({
      kind: 'server' as const,
      id,
      rule: 'host-unreachable' as const,
    }))
    const seen: string[] = []
    // As on a machine with very many hosts.
    const hostsOf = ({ id }: { id: string }) => {
      if (seen.length === 0) setImmediate(() => seen.push('another call'))
      stall(2)
      seen.push(id)
      return []
    }
    await readHops(source, hostsOf, lost)
    expect(seen.indexOf('another call')).toBeLessThan(seen.indexOf('d'))
    expect(seen.toSorted()).toEqual(['a', 'another call', 'b', 'c', 'd'])
  })

  test('the first of the outputs of one silent Local input causes the others, and no other outputs', async () => {
    const db = await open()
    const rows = await PathRows.add(db)
    await rows.server('gw', ['198.51.100.1'])
    await rows.inputs(['bus'], 'gw', 6000, { type: 'Local' })
    await rows.inputs(['link'], 'gw', 6100)
    await rows.outputs(['a', 'b', 'c'], ['bus'], {})
    await rows.outputs(['d', 'e'], ['link'], {})
    expect(await hopsOfOutputs(db, ['a', 'b', 'c', 'e'], 'no-media')).toEqual({
      'output a': ['input bus'],
      'output b': ['input bus', 'output a'],
      'output c': ['input bus', 'output a', 'output b'],
      'output e': ['input link'],
    })
    // A peer that is gone is that output's own.
    expect(await hopsOfOutputs(db, ['b'], 'no-peer')).toEqual({ 'output b': ['input bus'] })
  })
})
