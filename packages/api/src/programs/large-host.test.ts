/** A host with many programs: what happens costs the programs that it is about. */
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Board } from '../fleet/board.ts'
import { FleetCounts } from '../fleet/counts/fleet-counts.ts'
import type { LinkEvent } from '../hosts/linked-host.ts'
import { Hosts } from '../hosts/hosts.ts'
import { giveWay } from '../in-slices.ts'
import { OPEN_GUARD } from '../testing/open-guard.ts'
import { receiverSpec } from '../testing/receiver-spec.fixture.ts'
import { Programs } from './programs.ts'
import { wantedProgram, type WantedProgram } from './wanted-program.ts'

const ADDRESS = { host: '127.0.0.1', port: 9 }

function program(kind: 'encoder' | 'feeder', ownerId: string, address = ADDRESS): WantedProgram {
  return wantedProgram({
    kind,
    id: kind === 'encoder' ? ownerId : `feeder of ${ownerId}`,
    ownerKind: 'encoder',
    ownerId,
    serverId: '',
    address,
    groupId: 'north',
    editorIds: [],
    createdAtMs: 0,
    isEnabled: true,
    isWanted: true,
    spec: receiverSpec(6000),
  })
}

/** Encoders with a feeder each, of each of these hosts, which are away, while somebody watches all of them. */
async function openHost(encoders: number, addresses = [ADDRESS]) {
  const log = pino({ level: 'silent' })
  const hosts = new Hosts({ guard: OPEN_GUARD, log, clock: Date.now })
  const follow = vi.spyOn(hosts, 'follow')
  const programs = new Programs({ hosts, log, clock: Date.now })
  const board = new Board({ hosts, programs, log, clock: Date.now })
  const counts = new FleetCounts({ hosts, programs, board, clock: Date.now })
  onTestFinished(async () => {
    programs[Symbol.dispose]()
    counts[Symbol.dispose]()
    await board[Symbol.asyncDispose]()
    await hosts[Symbol.asyncDispose]()
  })
  const ids = Array.from({ length: encoders }, (_, at) => `e${at}`)
  const all = addresses.flatMap((address) =>
    ids.flatMap((each) => {
      const id = `${each} ${address.port}`
      return [program('encoder', id, address), program('feeder', id, address)]
    }),
  )
  await programs.open({
    readRecords: async () => Promise.resolve([]),
    readAllRecords: async function* () {
      yield Promise.resolve([])
    },
    readLeftHosts: async () => Promise.resolve([]),
    retainedAt: async () => Promise.resolve(null),
    dropOutdated: async () => Promise.resolve([]),
    forgetLeftHost: async () => Promise.resolve(),
    readPrograms: async () => Promise.resolve([]),
    readAllPrograms: async function* () {
      yield Promise.resolve(all)
    },
  })
  board.listen(() => undefined)
  const [follower] = follow.mock.calls[0] ?? []
  return {
    hosts,
    heard: (event: LinkEvent, address = ADDRESS) => follower?.(address, event),
    count: all.length,
  }
}

/** Resolves once so many programs were sent. */
async function sentBy(hosts: Hosts, count: number): Promise<void> {
  const ids = new Set<string>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = hosts.listen((event) => {
    if (event.type === 'programs') for (const id of event.programIds) ids.add(id)
    if (ids.size >= count) resolve()
  })
  await promise
  stop()
}

/** What is looked up in maps when the link of a host with so many encoders comes or goes. */
async function lookupsOfStatus(encoders: number): Promise<number> {
  const { hosts, heard, count } = await openHost(encoders)
  const lookups = vi.spyOn(Map.prototype, 'get')
  const areSent = sentBy(hosts, count)
  heard({ type: 'status' })
  await areSent
  const { length } = lookups.mock.calls
  lookups.mockRestore()
  return length
}

test('W5 the status of a host costs each of its programs as much, however many it has', async () => {
  const few = (await lookupsOfStatus(100)) / 100
  const many = (await lookupsOfStatus(1000)) / 1000
  expect(many).toBeLessThan(few * 1.2)
})

test('W7 a link that comes tells of each program once, and of no more than some together', async () => {
  const { hosts, heard, count } = await openHost(200)
  const lists: (readonly string[])[] = []
  hosts.listen((event) => {
    if (event.type === 'programs') lists.push(event.programIds)
  })
  vi.spyOn(hosts, 'status').mockReturnValue({ online: true, sinceMs: 0, fault: null })
  const areSent = sentBy(hosts, count)
  heard({ type: 'status' })
  heard({ type: 'hello' })
  await areSent
  expect(lists.flat()).toHaveLength(count)
  expect(Math.max(...lists.map(({ length }) => length))).toBeLessThan(count / 10)
})

test('F1 when many hosts are lost together, each says its first programs at once, and other long work goes on', async () => {
  const addresses = Array.from({ length: 100 }, (_, at) => ({ ...ADDRESS, port: 9 + at }))
  const { hosts, heard, count } = await openHost(40, addresses)
  const sent: string[] = []
  hosts.listen((event) => {
    if (event.type === 'programs') sent.push(...event.programIds)
  })
  // Each part is a slice.
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1))
  onTestFinished(() => clock.mockRestore())
  for (const address of addresses) heard({ type: 'status' }, address)
  const ports = new Set(sent.map((id) => id.split(' ').at(-1)))
  expect(ports.size).toBe(addresses.length)
  let turns = 0
  const nextTurn = () => {
    turns += 1
    turn = setImmediate(nextTurn)
  }
  let turn = setImmediate(nextTurn)
  onTestFinished(() => clearImmediate(turn))
  await giveWay()
  expect(turns).toBeLessThanOrEqual(2)
  expect(sent.length).toBeLessThan(count)
  await vi.waitFor(() => expect(new Set(sent).size).toBe(count))
  expect(sent).toHaveLength(count)
})
