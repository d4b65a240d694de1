/**
 * How what is known of an object becomes events: facts, each with its value and its beginning, and
 * the events that follow from the value before and the value now. Pure.
 */
import { startingSinceMs } from '@trunkline/contract/channels/channel.rules'
import type { EventKind } from '@trunkline/contract/events/event.schema'
import { type HostAnswer, isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import type {
  HostStatus,
  ProgramStatus,
  StreamStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import type { ProgramState } from '@trunkline/contract/program-state'

/** What is followed of an object, each with a last known value of its own. */
export type Facet = 'run' | 'peer' | 'restarts' | 'source' | 'air' | 'omitted'

/**
 * Of 'run' the value is up, down, off or unreachable, 'up' with the number of the process, so that
 * another process is another value.
 */
export interface Fact {
  facet: Facet
  value: string
  /** When it began; null when nobody saw that. */
  atMs: number | null
  cause: string
  /** Of 'run': since when the host is reachable; null where that is no matter. */
  reachableMs: number | null
  /** Beside the value, such as the address of a peer. */
  detail: string
}

export interface Known {
  value: string
  atMs: number
}

export interface ObjectEvent {
  kind: EventKind
  atMs: number
  sinceMs: number | null
  state: string
  cause: string
}

/** The value as it is from now on; `event` null for a change that is no news. */
export interface Transition {
  facet: Facet
  value: string
  atMs: number
  event: ObjectEvent | null
}

/** The first word of a value: 'up' of 'up 4711'. */
function wordOf(value: string): string {
  return value.split(' ', 1)[0] ?? value
}

const NOT_RUNNING: ReadonlySet<ProgramState> = new Set([
  'stopped',
  'exited',
  'backoff',
  'fatal',
  'absent',
])

/** While a program starts or stops it is as it was before. */
export function factsOfProgram(
  status: ProgramStatus,
  host: { sinceMs: number } | null,
): readonly Fact[] {
  const run = runOf(status)
  if (run === null) return []
  const begun = { atMs: status.sinceMs, reachableMs: host?.sinceMs ?? null, detail: '' }
  const facts: Fact[] = [{ facet: 'run', value: run, cause: status.cause, ...begun }]
  if (run === 'unreachable') return facts
  return [...facts, restartsOf(status), peerOf(status)]
}

/** Null: it is between two states, or not known. */
function runOf({ state, wanted, pid }: ProgramStatus): string | null {
  if (state === 'unreachable') return 'unreachable'
  if (state === 'running') return pid === null ? 'up' : `up ${pid}`
  if (!NOT_RUNNING.has(state)) return null
  return wanted === 'running' ? 'down' : 'off'
}

function restartsOf({ restarts, sinceMs, cause }: ProgramStatus): Fact {
  return { ...restartFact(restarts, cause), atMs: sinceMs }
}

/** As a host reports it at once, with the cause. */
export function restartFact(restarts: number, cause: string): Fact {
  const value = String(restarts)
  return { facet: 'restarts', value, atMs: null, cause, reachableMs: null, detail: '' }
}

function peerOf({ peer, observed, cause }: ProgramStatus): Fact {
  return {
    facet: 'peer',
    value: peer,
    atMs: observed?.peerSinceMs ?? null,
    cause: peer === 'disconnected' ? cause : '',
    reachableMs: null,
    detail: peer === 'connected' ? (observed?.peerFacts?.address ?? '') : '',
  }
}

/** Null while its host had no time yet to answer. */
export function factOfHost(host: HostStatus, nowMs: number): Fact | null {
  if (isUndecided(host, nowMs)) return null
  const value = host.online ? 'up' : 'unreachable'
  const { sinceMs: atMs, cause } = host
  return { facet: 'run', value, atMs, cause, reachableMs: host.online ? atMs : null, detail: '' }
}

const NO_MEDIA = 'No media.'

/** By a later beat it will be known: it waits for its first picture, or its server for a first answer. */
export function isAwaited(
  { stream }: StreamStatus,
  server: HostAnswer | null,
  nowMs: number,
): boolean {
  if (server !== null && isUndecided(server, nowMs)) return true
  return stream !== null && startingSinceMs(stream, nowMs) !== null
}

/**
 * `server`: since when its media server answers, or does not; null while it was never asked. None of one that
 * starts, or whose server had no time yet to answer.
 */
export function factsOfStream(
  { stream, cause, readAtMs }: StreamStatus,
  server: HostAnswer | null,
  nowMs: number,
): readonly Fact[] {
  if (server === null || isUndecided(server, nowMs)) return []
  const reachableMs = server.sinceMs
  const run = (value: string, atMs: number | null, why: string): Fact => ({
    facet: 'run',
    value,
    atMs,
    cause: why,
    reachableMs,
    detail: '',
  })
  if (!server.online) return [run('unreachable', server.sinceMs, cause)]
  if (readAtMs === null) return []
  if (stream === null) return [run('down', readAtMs, cause)]
  if (stream.disabled === true) return [run('off', readAtMs, '')]
  if (stream.stats.alive !== true) {
    if (startingSinceMs(stream, nowMs) !== null) return []
    const why = stream.inputs.find(({ stats }) => stats?.error)?.stats?.error
    return [run('down', stream.stats.since ?? readAtMs, why ?? NO_MEDIA)]
  }
  const source = stream.inputs.findIndex(({ stats }) => stats?.active === true)
  const begun = stream.inputs[source]?.stats?.active_since ?? readAtMs
  const up = run('up', readAtMs, '')
  if (source === -1) return [up]
  const number = String(source + 1)
  return [
    up,
    { facet: 'source', value: number, atMs: begun, cause: '', reachableMs: null, detail: '' },
  ]
}

/** What follows from a fact; in order of time, and later than what is known already. */
export function transitionsOf(before: Known | null, fact: Fact, nowMs: number): Transition[] {
  if (before?.value === fact.value) return []
  const earliestMs = before === null ? 0 : before.atMs + 1
  const atMs = Math.min(Math.max(fact.atMs ?? nowMs, earliestMs), Math.max(nowMs, earliestMs))
  const { facet, value } = fact
  const isBack = facet === 'run' && before?.value === 'unreachable' && fact.reachableMs !== null
  if (isBack) return backTransitions(fact, earliestMs, nowMs)
  const kind = kindOf(before, fact)
  if (kind === null) return [{ facet, value, atMs, event: null }]
  const state = stateOf(fact)
  const event = { kind, atMs, sinceMs: null, state, cause: kind === 'up' ? '' : fact.cause }
  return [{ facet, value, atMs, event }]
}

/** Reachable again: with the state in which it stayed, or with the one that it took meanwhile. */
function backTransitions(fact: Fact, earliestMs: number, nowMs: number): Transition[] {
  const { facet, value } = fact
  const latestMs = Math.max(nowMs, earliestMs)
  const backMs = Math.min(Math.max(fact.reachableMs ?? nowMs, earliestMs), latestMs)
  const sinceMs = fact.atMs
  const cause = value === 'down' ? fact.cause : ''
  if (sinceMs === null || sinceMs <= backMs) {
    const state = wordOf(value)
    const event: ObjectEvent = { kind: 'reachable', atMs: backMs, sinceMs, state, cause }
    return [{ facet, value, atMs: backMs, event }]
  }
  const back: ObjectEvent = { kind: 'reachable', atMs: backMs, sinceMs: null, state: '', cause: '' }
  const first: Transition = { facet, value: 'reachable', atMs: backMs, event: back }
  const known = { value: 'reachable', atMs: backMs }
  return [first, ...transitionsOf(known, fact, nowMs)]
}

function kindOf(before: Known | null, { facet, value }: Fact): EventKind | null {
  switch (facet) {
    case 'run': {
      const word = wordOf(value)
      // Of what was never seen before there is nothing to say while nobody wants it.
      if (word === 'off') return before === null ? null : 'off'
      return word === 'up' || word === 'down' ? word : 'unreachable'
    }
    case 'peer':
      return value === 'connected' || value === 'disconnected' ? value : null
    case 'restarts':
      return before !== null && Number(value) > Number(before.value) ? 'restarted' : null
    case 'source':
      return before === null ? null : 'source'
    // Written by on-air/on-air-events.service.ts.
    case 'air':
    case 'omitted':
      return null
  }
}

function stateOf({ facet, value, detail }: Fact): string {
  switch (facet) {
    case 'run':
      return wordOf(value)
    case 'peer':
      return detail
    case 'restarts':
    case 'source':
    case 'air':
    case 'omitted':
      return value
  }
}
