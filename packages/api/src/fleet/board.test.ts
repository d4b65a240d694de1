import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LinkStatus } from '../hosts/linked-host.ts'
import type { KnownReport } from '../hosts/host-reports.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import type { WantedProgram } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import { fakeReport } from '../testing/fake-host.ts'
import { Board, type BoardEvent } from './board.ts'
import { forRole } from './visible.rules.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const wanted = {
  programId: 'input-a',
  kind: 'input',
  id: 'a',
  ownerKind: 'input',
  ownerId: 'a',
  isEnabled: true,
  wanted: 'running',
  revision: 'r1',
} as WantedProgram

const output: WantedProgram = { ...wanted, programId: 'output-b', kind: 'output', id: 'b' }

const RUNS = { programId: 'output-b', state: 'running', pid: 7 } as const

/** What a board asks of hosts and programs, and no more. */
function openBoard(known: readonly WantedProgram[] = [wanted]) {
  const link: LinkStatus = { online: true, sinceMs: 1, fault: null }
  const listeners: ((event: HostsEvent) => void)[] = []
  let report: KnownReport = { ...fakeReport('input-a', 1), appliedRevision: 'r1', readAtMs: 1 }
  const hosts = {
    listen: (listener: (event: HostsEvent) => void) => listeners.push(listener),
    report: ({ programId }: WantedProgram) => ({
      ...report,
      ...(programId === 'input-a' ? {} : RUNS),
    }),
    status: () => link,
  }
  const programs = {
    wanted: (programId: string) => known.find((each) => each.programId === programId),
    wantedOf: () => known,
    refusalOf: () => '',
  }
  const board = new Board({
    hosts: hosts as unknown as Hosts,
    programs: programs as unknown as Programs,
    log: pino({ level: 'silent' }),
    clock: Date.now,
  })
  const events: BoardEvent[] = []
  board.listen((event) => events.push(event))
  const tell = (type: 'programs' | 'readings', more: Partial<KnownReport>) => {
    report = { ...report, ...more, readAtMs: Date.now() }
    for (const listener of listeners) listener({ type, programIds: ['input-a'] })
  }
  return { board, events, tell }
}

function reading(bitrateKbps: number): Reading {
  const link = { kind: 'link', protocol: 'srt', direction: 'receive', rttMs: 1 } as const
  const counts = { packets: 0, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  return { ...link, ...counts, atMs: 1, bitrateKbps }
}

test('readings go out once a second, the newest', () => {
  const { events, tell } = openBoard()
  for (let bitrateKbps = 1; bitrateKbps <= 50; bitrateKbps++) {
    tell('readings', { reading: reading(bitrateKbps) })
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(1000)
  // 5 s of them: at most one for each second begun, and the last one.
  expect(events.length).toBeLessThanOrEqual(6)
  expect(events.at(-1)).toMatchObject({ data: { reading: { bitrateKbps: 50 } } })
})

test('a change of state goes out at once, with the newest reading', () => {
  const { events, tell } = openBoard()
  tell('programs', { state: 'running' })
  tell('readings', { reading: reading(7) })
  tell('programs', { state: 'backoff' })
  expect(events).toMatchObject([
    { event: 'program', data: { state: 'running' } },
    { event: 'program', data: { state: 'backoff', reading: { bitrateKbps: 7 } } },
  ])
})

test('an output says at once that its input does not run, and when it runs again', () => {
  const { events, tell } = openBoard([wanted, output])
  const causes = () =>
    events.flatMap((each) =>
      each.event === 'program' && each.wanted.kind === 'output' ? [each.data.cause] : [],
    )
  tell('programs', { state: 'stopped', pid: null })
  expect(causes()).toEqual(['Nothing feeds it: its input does not run. Start the input.'])
  tell('programs', { state: 'running', pid: 8 })
  expect(causes().slice(1)).toEqual([''])
})

test('an unchanged report sends no event', () => {
  const { events, tell } = openBoard()
  tell('programs', { state: 'running' })
  tell('programs', { state: 'running' })
  vi.advanceTimersByTime(5000)
  expect(events).toHaveLength(1)
})

test('a state of unknown begin starts when it was first seen', () => {
  const { board } = openBoard()
  const first = board.program('input-a')
  vi.advanceTimersByTime(5000)
  expect(board.program('input-a')?.sinceMs).toBe(first?.sinceMs)
})

test('a notice of readable command lines reaches roles that may read faults, a full disk every role', () => {
  const problemFor = (role: 'admin' | 'editor', kind: 'command-lines-readable' | 'disk-full') => {
    const problem = { kind, sentence: 'Do something.' }
    const host = { id: 'a', kind: 'server', online: true, sinceMs: 1, heardAtMs: 1 } as const
    const actor = { role } as Actor
    return forRole(actor, { ...host, fault: null, cause: '', problem }).problem?.kind
  }
  expect(problemFor('admin', 'command-lines-readable')).toBe('command-lines-readable')
  expect(problemFor('editor', 'command-lines-readable')).toBeUndefined()
  expect(problemFor('editor', 'disk-full')).toBe('disk-full')
})
