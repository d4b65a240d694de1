/** A machine with several ports counts once when all of it is lost together. */
import { expect, test } from 'vitest'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { HostRecords } from '../hosts/host-records.ts'
import { hostRecord } from './host-record.fixture.ts'
import { hostsOf, STANDING_AT_MOST } from './host-hops.ts'

const MEDIA_SERVER = hostRecord('media', 1, { answerer: 'media server' })
const ENCODER = hostRecord('encoder', 2, { kind: 'encoder' })
const GATEWAY = hostRecord('gateway', 3)
const ELSEWHERE = hostRecord('elsewhere', 3, { address: { host: 'other', port: 3 } })
/** Encoders behind a router with one address, each on a port of its own. */
const ROUTED = Array.from({ length: 2 * STANDING_AT_MOST }, (_, at) =>
  hostRecord(`routed-${at + 10}`, at, {
    kind: 'encoder',
    address: { host: 'router', port: 100 - at },
  }),
)
const RECORDS = [MEDIA_SERVER, ENCODER, GATEWAY, ELSEWHERE, ...ROUTED.toReversed()]

/** Of all that is on the machine. */
const DISK = { path: '/data', freeBytes: 0, totalBytes: 9, state: 'low' } as const

/** `lostAtMs`: by id; what is left out answers. `stopped`: encoders that are not to run. */
function hopsOf(
  id: string,
  lostAtMs: Record<string, number>,
  { rule = 'host-unreachable', stopped = [] }: { rule?: AlarmRule; stopped?: string[] } = {},
) {
  const records = new HostRecords()
  records.put(RECORDS)
  const answer = (of: string | undefined) => ({
    online: lostAtMs[of ?? ''] === undefined,
    sinceMs: lostAtMs[of ?? ''] ?? 0,
    fault: null,
    heardAtMs: null,
    askedAtMs: 0,
    requiresToken: false,
  })
  const found = RECORDS.find((each) => each.id === id) ?? GATEWAY
  return hostsOf(
    {
      hosts: {
        record: (kind, of) => records.find(kind, of),
        recordsAt: (address) => records.at(address),
        recordsOnMachine: (host) => records.onMachine(host),
        status: (address) => answer(records.at(address)[0]?.id),
        health: ({ host }) => ({ disk: host === 'machine' ? DISK : { ...DISK, totalBytes: 8 } }),
      },
      programs: {
        wanted: (programId) => ({
          programId: '',
          kind: 'encoder',
          id,
          ownerKind: 'encoder',
          ownerId: id,
          serverId: '',
          address: found.address,
          groupId: '',
          editorIds: [],
          createdAtMs: 0,
          isEnabled: true,
          wanted: stopped.some((each) => programId.endsWith(each)) ? 'stopped' : 'running',
          revision: '',
        }),
      },
      board: { streams: { ofChannel: () => null, server: answer } },
    },
    { kind: found.kind, id },
    rule,
  ).map((hop) => hop.id)
}

test('the gateway stands for its machine, then its encoder, then its media server', () => {
  const together = { gateway: 1000, encoder: 2000, media: 9000, elsewhere: 1000 }
  expect(hopsOf('gateway', together)).toEqual([])
  expect(hopsOf('encoder', together)).toEqual(['gateway'])
  expect(hopsOf('media', together)).toEqual(['gateway', 'encoder'])
})

test('what was not lost yet may still come to stand for the machine', () => {
  expect(hopsOf('encoder', { encoder: 2000 })).toEqual(['gateway'])
})

test('what was lost long before is another cause', () => {
  expect(hopsOf('encoder', { gateway: 1000, encoder: 100_000 })).toEqual([])
})

test('one disk of several ports counts once, a disk of another machine for itself', () => {
  expect(hopsOf('gateway', {}, { rule: 'disk-full' })).toEqual([])
  expect(hopsOf('encoder', {}, { rule: 'disk-full' })).toEqual(['gateway'])
  expect(hopsOf('elsewhere', {}, { rule: 'disk-full' })).toEqual([])
})

test('the first of many stand for their machine: before all those that are lost with it', () => {
  const last = ROUTED.at(-1)?.id ?? ''
  const first = ROUTED.slice(0, STANDING_AT_MOST).map(({ id }) => id)
  expect(hopsOf(last, { [last]: 2000 })).toEqual(first)
  const together = ROUTED.slice(STANDING_AT_MOST - 1, -1).map(({ id }) => id)
  const lostAtMs = Object.fromEntries([...together, last].map((id) => [id, 1000]))
  expect(hopsOf(last, lostAtMs)).toEqual(together)
  const [next = ''] = together
  expect(hopsOf(next, lostAtMs)).toEqual(first.slice(0, -1))
  expect(hopsOf(last, lostAtMs, { stopped: [next] })).toEqual([
    ...together.slice(1),
    ...first.slice(0, 1),
  ])
})
