import type { ProgramStatus, StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { expect, test } from 'vitest'
import {
  factOfHost,
  factsOfProgram,
  factsOfStream,
  isAwaited,
  restartFact,
  transitionsOf,
  type Fact,
} from './event.rules.ts'

const NOW_MS = 1_000_000

const RUNNING: ProgramStatus = {
  kind: 'input',
  id: 'a',
  state: 'running',
  wanted: 'running',
  sinceMs: 500_000,
  startedAtMs: 500_000,
  pid: 11,
  cause: '',
  restarts: 0,
  peer: '',
  observed: null,
  reading: null,
  waitsForHost: false,
  waitsForRestart: false,
  changedByHand: '',
  readAtMs: NOW_MS,
}

function runOf(parts: Partial<ProgramStatus>): string | undefined {
  return factsOfProgram({ ...RUNNING, ...parts }, null).find(({ facet }) => facet === 'run')?.value
}

test.each([
  [{}, 'up 11'],
  [{ pid: 12 }, 'up 12'],
  [{ state: 'exited' }, 'down'],
  [{ state: 'backoff' }, 'down'],
  [{ state: 'absent' }, 'down'],
  [{ state: 'stopped', wanted: 'stopped' }, 'off'],
  [{ state: 'exited', wanted: 'stopped' }, 'off'],
  [{ state: 'unreachable' }, 'unreachable'],
  [{ state: 'starting' }, undefined],
  [{ state: 'stopping' }, undefined],
  [{ state: 'unknown' }, undefined],
] as const)('a program that is %j has the state %s', (parts, value) => {
  expect(runOf(parts)).toBe(value)
})

function fact(parts: Partial<Fact>): Fact {
  return {
    facet: 'run',
    value: 'up 11',
    atMs: 600_000,
    cause: '',
    reachableMs: null,
    detail: '',
    ...parts,
  }
}

function eventsOf(before: string | null, now: Partial<Fact>) {
  const known = before === null ? null : { value: before, atMs: 500_000 }
  return transitionsOf(known, fact(now), NOW_MS).map(({ event }) => event)
}

test('a change is an event at the time at which it was observed, with its cause', () => {
  const down = { value: 'down', cause: 'Port 5000 is in use.' }
  expect(eventsOf('up 11', down)).toEqual([
    { kind: 'down', atMs: 600_000, sinceMs: null, state: 'down', cause: 'Port 5000 is in use.' },
  ])
  expect(eventsOf('down', {})).toMatchObject([{ kind: 'up', state: 'up', cause: '' }])
  expect(eventsOf('up 11', { value: 'off' })).toMatchObject([{ kind: 'off' }])
  expect(eventsOf('up 11', { value: 'unreachable' })).toMatchObject([{ kind: 'unreachable' }])
})

test('a state that is the same is no event, another process is one', () => {
  expect(eventsOf('up 11', {})).toEqual([])
  expect(eventsOf('up 10', {})).toMatchObject([{ kind: 'up' }])
})

test('what was never seen is an event unless nobody wants it', () => {
  expect(eventsOf(null, {})).toMatchObject([{ kind: 'up', atMs: 600_000 }])
  expect(eventsOf(null, { value: 'off' })).toEqual([null])
})

test('a time before what is known, or in the future, is moved to where it can be', () => {
  expect(eventsOf('up 11', { value: 'down', atMs: 400_000 })).toMatchObject([{ atMs: 500_001 }])
  expect(eventsOf('up 11', { value: 'down', atMs: 2_000_000 })).toMatchObject([{ atMs: NOW_MS }])
  expect(eventsOf('up 11', { value: 'down', atMs: null })).toMatchObject([{ atMs: NOW_MS }])
})

test('reachable again: with the state that held, or with the one it took meanwhile', () => {
  const back = { reachableMs: 700_000 }
  expect(eventsOf('unreachable', { ...back, atMs: 300_000 })).toEqual([
    { kind: 'reachable', atMs: 700_000, sinceMs: 300_000, state: 'up', cause: '' },
  ])
  expect(eventsOf('unreachable', { ...back, atMs: 800_000 })).toMatchObject([
    { kind: 'reachable', atMs: 700_000, sinceMs: null, state: '' },
    { kind: 'up', atMs: 800_000 },
  ])
})

test('a peer comes and goes; without a process there is none to lose', () => {
  const peer = { facet: 'peer' } as const
  expect(eventsOf('', { ...peer, value: 'connected', detail: '192.0.2.1:40' })).toMatchObject([
    { kind: 'connected', state: '192.0.2.1:40' },
  ])
  expect(eventsOf('connected', { ...peer, value: 'disconnected' })).toMatchObject([
    { kind: 'disconnected' },
  ])
  expect(eventsOf('connected', { ...peer, value: '' })).toEqual([null])
})

test('a restart counts up; a command counts from none again', () => {
  const of = (before: string | null, count: number) =>
    eventsOf(before, { ...restartFact(count, 'Broken pipe.'), atMs: 900_000 })
  expect(of('1', 2)).toEqual([
    { kind: 'restarted', atMs: 900_000, sinceMs: null, state: '2', cause: 'Broken pipe.' },
  ])
  expect(of('2', 0)).toEqual([null])
  expect(of(null, 3)).toEqual([null])
  expect(of('2', 2)).toEqual([])
})

const STREAM: StreamStatus = {
  serverId: 's',
  streamName: 'n',
  cause: '',
  readAtMs: 800_000,
  stream: StreamDetail.parse({
    name: 'n',
    inputs: [
      { url: 'a', stats: { active: false } },
      { url: 'b', stats: { active: true, active_since: 1_700_000_000_000 } },
    ],
    stats: { alive: true },
  }),
}
const ANSWERS = { online: true, sinceMs: 100_000, heardAtMs: 100_000 as number | null }

test('a channel is up while its stream lives, and says which source it takes', () => {
  const facts = factsOfStream(STREAM, ANSWERS, NOW_MS)
  expect(facts.map(({ facet, value }) => [facet, value])).toEqual([
    ['run', 'up'],
    ['source', '2'],
  ])
  expect(eventsOf('1', { facet: 'source', value: '2' })).toMatchObject([
    { kind: 'source', state: '2' },
  ])
  expect(eventsOf(null, { facet: 'source', value: '2' })).toEqual([null])
})

test('a channel without media, switched off, or on a silent server', () => {
  const value = (parts: object, server: typeof ANSWERS | null = ANSWERS) =>
    factsOfStream({ ...STREAM, ...parts }, server, NOW_MS).map((each) => [each.value, each.cause])
  const stream = { ...STREAM.stream, stats: { alive: false } }
  expect(value({ stream })).toEqual([['down', 'No media.']])
  expect(value({ stream: { ...stream, disabled: true } })).toEqual([['off', '']])
  expect(value({ stream: null, cause: 'Silent.' }, { ...ANSWERS, online: false })).toEqual([
    ['unreachable', 'Silent.'],
  ])
  expect(value({}, null)).toEqual([])
})

test('a channel that waits for its first picture is down only once that has taken too long', () => {
  const stats = { alive: false, since: NOW_MS }
  const stream = { ...StreamDetail.parse({ name: 'n' }), stats }
  const at = (nowMs: number) => factsOfStream({ ...STREAM, stream }, ANSWERS, nowMs)
  expect(at(NOW_MS + 19_999)).toEqual([])
  expect(at(NOW_MS + 20_000)).toMatchObject([{ value: 'down', atMs: NOW_MS }])
})

test('a channel whose server had no time to answer is not unreachable yet, and is looked at again', () => {
  const server = { online: false, sinceMs: NOW_MS, heardAtMs: null }
  const at = (nowMs: number) => [
    factsOfStream({ ...STREAM, cause: 'Refused.' }, server, nowMs).map(({ value }) => value),
    isAwaited(STREAM, server, nowMs),
  ]
  expect(at(NOW_MS + 9999)).toEqual([[], true])
  expect(at(NOW_MS + 10_000)).toEqual([['unreachable'], false])
  // It had answered before.
  const lost = { ...server, heardAtMs: NOW_MS - 1 }
  expect(factsOfStream(STREAM, lost, NOW_MS)).toMatchObject([{ value: 'unreachable' }])
})

test('a host that had no time to say hello is not unreachable yet', () => {
  const host = { id: 'h', kind: 'server', fault: null, cause: 'Refused.' } as const
  const away = { ...host, online: false, sinceMs: NOW_MS - 9999, heardAtMs: null }
  expect(factOfHost(away, NOW_MS)).toBeNull()
  expect(factOfHost({ ...away, heardAtMs: 5 }, NOW_MS)?.value).toBe('unreachable')
  expect(factOfHost(away, NOW_MS + 1)).toMatchObject({ value: 'unreachable', cause: 'Refused.' })
  expect(factOfHost({ ...away, online: true }, NOW_MS)?.value).toBe('up')
})
