import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { FAKE_KEY, FakeHost, fakeReport, type FakeHostOptions } from '../testing/fake-host.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { HostReports } from '../hosts/host-reports.ts'
import { Hosts } from '../hosts/hosts.ts'
import { Programs } from './programs.ts'
import {
  programIdOf,
  revisionOf,
  type ProgramFilter,
  type WantedProgram,
} from './wanted-program.ts'
import { OPEN_GUARD } from '../testing/open-guard.ts'
import { receiverSpec as spec } from '../testing/receiver-spec.fixture.ts'
import { TIMING } from '../hosts/host-link.fixture.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** What a database would hold; changed by the tests as an operator would. */
class Wanted {
  readonly programs = new Map<string, WantedProgram>()
  readonly records: HostRecord[] = []

  put(host: FakeHost, id: string, more: Partial<WantedProgram> = {}): WantedProgram {
    const own = more.spec ?? spec(6000)
    const program: WantedProgram = {
      programId: programIdOf('input', id),
      kind: 'input',
      id,
      ownerKind: 'input',
      ownerId: id,
      serverId: 'server1',
      address: { host: '127.0.0.1', port: host.port },
      groupId: 'north',
      editorIds: [],
      createdAtMs: 0,
      isEnabled: true,
      wanted: 'stopped',
      ...more,
      spec: own,
      revision: revisionOf(own),
    }
    this.programs.set(id, program)
    return program
  }

  read(filter: ProgramFilter): WantedProgram[] {
    const all = [...this.programs.values()]
    if (filter.by === 'programs') {
      return all.filter(({ programId }) => filter.programIds.includes(programId))
    }
    return filter.by === 'all' || filter.by === 'encoder'
      ? all
      : all.filter((each) => each.id === filter.id || each.serverId === filter.id)
  }
}

async function openHost(options: Partial<FakeHostOptions> = {}): Promise<FakeHost> {
  const host = await FakeHost.open({ seatKind: 'acants', ...options })
  stack.use(host)
  return host
}

function recordOf(host: FakeHost, id: string): HostRecord {
  return {
    id,
    kind: 'server',
    answerer: 'agent',
    address: { host: '127.0.0.1', port: host.port },
    baseUrl: `http://127.0.0.1:${host.port}`,
    apiKey: FAKE_KEY,
    groupIds: ['north'],
    editorIds: [],
    createdAtMs: 0,
  }
}

async function openHosts(wanted: Wanted, hosts: FakeHost[]) {
  const log = pino({ level: 'silent' })
  const fleet = new Hosts({ guard: OPEN_GUARD, log, clock: Date.now, timing: TIMING })
  const programs = new Programs({ hosts: fleet, log, clock: Date.now })
  stack.use(fleet)
  stack.use(programs)
  const events: HostsEvent[] = []
  fleet.listen((event) => events.push(event))
  wanted.records.push(...hosts.map((host, index) => recordOf(host, `server${index + 1}`)))
  await programs.open({
    readRecords: async () => Promise.resolve([...wanted.records]),
    readAllRecords: async function* () {
      yield Promise.resolve([...wanted.records])
    },
    readLeftHosts: async () => Promise.resolve([]),
    retainedAt: async () => Promise.resolve(null),
    dropOutdated: async () => Promise.resolve([]),
    forgetLeftHost: async () => Promise.resolve(),
    readPrograms: async (filter) => Promise.resolve(wanted.read(filter)),
    readAllPrograms: async function* () {
      yield Promise.resolve(wanted.read({ by: 'all' }))
    },
  })
  for (const host of hosts) await fleet.linked({ host: '127.0.0.1', port: host.port })
  return { fleet, programs, events }
}

async function settled(programs: Programs): Promise<void> {
  await programs.refresh({ by: 'all' })
}

test('decisions 9: at link-up the database wins', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  const kept = wanted.put(host, 'kept', { wanted: 'running' })
  wanted.put(host, 'new', { wanted: 'running', spec: spec(6002) })
  wanted.put(host, 'halted', { spec: spec(6004) })
  const base = fakeReport('input-kept', Date.now())
  const running = { state: 'running', wanted: 'running', pid: 77 } as const
  host.programs.set('input-kept', { ...base, ...running, appliedRevision: kept.revision })
  host.programs.set('input-halted', { ...base, ...running, programId: 'input-halted' })
  host.programs.set('input-stray', { ...base, ...running, programId: 'input-stray' })
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  expect([...host.programs.keys()].toSorted()).toEqual(['input-halted', 'input-kept', 'input-new'])
  expect(host.programs.get('input-kept')?.pid).toBe(77)
  expect(host.programs.get('input-new')?.state).toBe('running')
  expect(host.programs.get('input-halted')).toMatchObject({ state: 'stopped', wanted: 'stopped' })
})

test.each([
  ['has space again', { state: 'ok' }, {}],
  ['is nearly full', { state: 'low' }, {}],
  [
    'has space again, while command lines stay readable',
    { state: 'ok' },
    { commandLinesReadable: true },
  ],
] as const)('sends what a full disk refused once the disk %s', async (_, after, more) => {
  const host = await openHost()
  const disk = { path: '/srv', freeBytes: 0, totalBytes: 1e9, state: 'full' } as const
  const wanted = new Wanted()
  host.refusals.set('applyProgram', 'The disk of this host is full.')
  wanted.put(host, 'late', { wanted: 'running' })
  const { programs } = await openHosts(wanted, [host])
  host.tell({ type: 'health', health: { disk, ...more } })
  await settled(programs)
  expect(host.programs.has('input-late')).toBe(false)
  const asked = host.paramsOf('applyProgram').length
  host.refusals.clear()
  host.tell({ type: 'health', health: { disk: { ...disk, ...after }, ...more } })
  await host.asked('applyProgram', asked + 1)
  await settled(programs)
  expect(host.programs.get('input-late')?.state).toBe('running')
})

test('sends what a silent supervisor refused while command lines stay readable', async () => {
  const host = await openHost()
  const disk = { path: '/srv', freeBytes: 5e8, totalBytes: 1e9, state: 'ok' } as const
  const health = { disk, commandLinesReadable: true }
  const wanted = new Wanted()
  host.refusals.set('applyProgram', 'The supervisor of this host does not answer.')
  wanted.put(host, 'late', { wanted: 'running' })
  const { programs } = await openHosts(wanted, [host])
  host.tell({ type: 'health', health: { ...health, supervisorSilent: true } })
  await settled(programs)
  const asked = host.paramsOf('applyProgram').length
  host.refusals.clear()
  host.tell({ type: 'health', health })
  await host.asked('applyProgram', asked + 1)
  await settled(programs)
  expect(host.programs.get('input-late')?.state).toBe('running')
})

test('Rule 0: a host in the wanted state gets no command, however often the link is restored', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.put(host, 'a', { wanted: 'running' })
  const { fleet, programs } = await openHosts(wanted, [host])
  await settled(programs)
  const callsBefore = host.calls.length
  for (let times = 2; times <= 4; times++) {
    host.cut()
    await host.linked()
    await fleet.linked({ host: '127.0.0.1', port: host.port })
    await settled(programs)
  }
  expect(host.calls.slice(callsBefore)).toEqual([])
})

test('Q90 an edit is written to the host and restarts nothing', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.put(host, 'a', { wanted: 'running' })
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  const { pid } = host.programs.get('input-a') ?? {}
  const edited = wanted.put(host, 'a', { wanted: 'running', spec: spec(6008) })
  await settled(programs)
  expect(host.programs.get('input-a')).toMatchObject({ pid, appliedRevision: edited.revision })
  expect(host.programs.get('input-a')?.runningRevision).not.toBe(edited.revision)
})

test('an edit made while the host is away waits, and is applied when it is back', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.put(host, 'a')
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  const { port, programs: former } = host
  await host[Symbol.asyncDispose]()
  const edited = wanted.put(host, 'a', { spec: spec(6010) })
  await settled(programs)
  const back = await openHost({ port })
  for (const [id, report] of former) back.programs.set(id, report)
  await back.asked('applyProgram')
  expect(back.paramsOf('applyProgram')[0]?.revision).toBe(edited.revision)
})

test('F18 a host that says hello while the database is away gets what is wanted once that is back', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.put(host, 'a')
  const asked = Promise.withResolvers<void>()
  const read = wanted.read.bind(wanted)
  wanted.read = (filter) => {
    if (filter.by !== 'programs') return read(filter)
    asked.resolve()
    throw new Error('connect ECONNREFUSED')
  }
  await openHosts(wanted, [host])
  await asked.promise
  wanted.read = read
  await host.asked('applyProgram')
  expect(host.paramsOf('applyProgram')).toHaveLength(1)
})

test('a disabled program is removed from its host', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.put(host, 'a', { wanted: 'running' })
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  wanted.put(host, 'a', { isEnabled: false })
  await settled(programs)
  expect(host.programs.size).toBe(0)
})

test('a program of another kind than the seat runs is left alone', async () => {
  const host = await openHost()
  host.programs.set('channel-x', fakeReport('channel-x', Date.now()))
  const { programs } = await openHosts(new Wanted(), [host])
  await settled(programs)
  expect(host.programs.has('channel-x')).toBe(true)
})

test('a program that moved to another host leaves the old one', async () => {
  const [old, next] = [await openHost(), await openHost()]
  const wanted = new Wanted()
  wanted.put(old, 'a', { wanted: 'running' })
  const { programs } = await openHosts(wanted, [old, next])
  await settled(programs)
  expect(old.programs.has('input-a')).toBe(true)
  wanted.put(next, 'a', { wanted: 'running' })
  await settled(programs)
  expect(old.programs.has('input-a')).toBe(false)
  expect(next.programs.get('input-a')?.state).toBe('running')
})

test('W3 a save looks at what was saved, not at all that its host runs', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  for (let at = 0; at < 20; at++) wanted.put(host, `other-${at}`)
  const { fleet, programs } = await openHosts(wanted, [host])
  await settled(programs)
  const link = fleet.link({ host: '127.0.0.1', port: host.port })
  const looks = vi.spyOn(link?.reports ?? new HostReports(), 'get')
  const saved = wanted.put(host, 'other-7', { spec: spec(6016) })
  await programs.refresh({ by: 'input', id: 'other-7' })
  expect(host.programs.get(saved.programId)?.appliedRevision).toBe(saved.revision)
  const others = looks.mock.calls.filter(([programId]) => programId !== saved.programId)
  expect([looks.mock.calls.length > 0, others]).toEqual([true, []])
})

test('a save tries again what the host refused before: it may have made room', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  const refused = wanted.put(host, 'a')
  host.refusals.set('applyProgram', 'Port 6000 is taken by another program.')
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  host.refusals.clear()
  wanted.put(host, 'b', { spec: spec(6018) })
  await programs.refresh({ by: 'input', id: 'b' })
  expect(programs.refusalOf(refused)).toBe('')
  expect([...host.programs.keys()].toSorted()).toEqual(['input-a', 'input-b'])
})

test('the reason of a refusal is kept as long as the settings are the same', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  const refused = wanted.put(host, 'a')
  host.refusals.set('applyProgram', 'Port 6000 is taken by another program.')
  const { programs } = await openHosts(wanted, [host])
  await settled(programs)
  expect(programs.refusalOf(refused)).toBe('Port 6000 is taken by another program.')
  host.refusals.clear()
  const edited = wanted.put(host, 'a', { spec: spec(6012) })
  await settled(programs)
  expect(programs.refusalOf(edited)).toBe('')
})

test('nothing is done to a host on an old reading of the database', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  const stopped = wanted.put(host, 'a')
  const { fleet, programs } = await openHosts(wanted, [host])
  await settled(programs)
  // Another process of ours starts it: here the memory still says stopped.
  wanted.put(host, 'a', { wanted: 'running' })
  expect(programs.wanted(stopped.programId)?.wanted).toBe('stopped')
  host.change(stopped.programId, { state: 'running', wanted: 'running', pid: 5 })
  await fleet.call(stopped.address, 'probePort', { port: 6000 })
  await programs.settle(stopped.address)
  expect(host.programs.get('input-a')?.state).toBe('running')
})

test('the order of keys does not change the revision, a value does', () => {
  const reversed = Object.fromEntries(Object.entries(spec(6000)).toReversed()) as ProgramSpec
  expect(revisionOf(reversed)).toBe(revisionOf(spec(6000)))
  expect(revisionOf(reversed)).not.toBe(revisionOf(spec(6001)))
})

test('a revision stays what it was: another one would ask every program of a site for a restart', () => {
  expect(revisionOf(spec(6000))).toBe('9008ee6c7d4386dfd79dce3fdd9a47ea')
})

test('records of one host and port share one link, and a link nobody names is hung up', async () => {
  const host = await openHost()
  const wanted = new Wanted()
  wanted.records.push(recordOf(host, 'twin'))
  const { fleet } = await openHosts(wanted, [host])
  await host.linked()
  expect(host.links).toBe(1)
  expect(fleet.recordsAt({ host: '127.0.0.1', port: host.port })).toHaveLength(2)
  wanted.records.splice(0)
  await fleet.sync({ by: 'all' })
  expect(fleet.status({ host: '127.0.0.1', port: host.port })).toBeNull()
})

test('servers.status: a probe measures, or says why it cannot', async () => {
  const host = await openHost()
  const { fleet } = await openHosts(new Wanted(), [host])
  const target = {
    serverType: 'acants',
    host: '127.0.0.1',
    port: host.port,
    apiKey: FAKE_KEY,
  } as const
  expect(await fleet.probe(target)).toMatchObject({
    ok: true,
    text: 'The host agent 0.1.0 answers.',
  })
  await host[Symbol.asyncDispose]()
  expect(await fleet.probe(target)).toMatchObject({ ok: false, kind: 'refused' })
})
