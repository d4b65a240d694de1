/**
 * What this page knows right now of the things that it shows: the last status of each, and bitrates
 * of the last five minutes. Filled by lib/live/live.ts, read by the hooks of live-hooks.ts. Every value
 * handed out is replaced, never changed, so that React sees the change.
 */
import type {
  FleetCounts,
  HostStatus,
  LiveEvent,
  ProgramStatus,
  StreamStatus,
  TransportStatus,
  UnseenThings,
} from '@trunkline/contract/fleet/fleet.schema'
import type { OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import type { OnAirMarks } from '@trunkline/contract/on-air/on-air.schema'
import {
  ALARMS_KEY,
  countsKey,
  hostKey,
  ON_AIR_KEY,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import { makeWatchers } from '../watchers.ts'

export type LiveConnection =
  | { state: 'connecting' }
  | { state: 'live' }
  /** `sinceMs`: last word of the API, its clock; the same moment and the next attempt, browser's clock. */
  | { state: 'retrying'; sinceMs: number; sinceBrowserMs: number; retryAtMs: number }

/** One reading of a chart; `kbps` null stands for a gap. */
export interface Sample {
  atMs: number
  kbps: number | null
}

/** design.md section 5: a sparkline is 60 readings, 5 minutes. */
export const SAMPLE_EVERY_MS = 5000
export const SAMPLES_KEPT = 60
/** Less than this is the network's own jitter, not a clock that is wrong. */
const CLOCK_TOLERANCE_MS = 500

export interface LiveState {
  connection: LiveConnection
  /** False until something that is shown has been read. */
  isLoaded: boolean
  /** Keys of which the API has said all that this person may see, on the present connection. */
  confirmed: ReadonlySet<string>
  /** The API's clock minus this browser's. */
  clockOffsetMs: number
  programs: ReadonlyMap<string, ProgramStatus>
  hosts: ReadonlyMap<string, HostStatus>
  streams: ReadonlyMap<string, StreamStatus>
  counts: ReadonlyMap<string, FleetCounts>
  transports: ReadonlyMap<string, TransportStatus>
  /** As counts; by their one key. */
  alarms: ReadonlyMap<string, OpenAlarms>
  /** All marks; by their one key. */
  onAir: ReadonlyMap<string, OnAirMarks>
  histories: ReadonlyMap<string, readonly Sample[]>
}

const EMPTY: LiveState = {
  connection: { state: 'connecting' },
  isLoaded: false,
  confirmed: new Set(),
  clockOffsetMs: 0,
  programs: new Map(),
  hosts: new Map(),
  streams: new Map(),
  counts: new Map(),
  transports: new Map(),
  alarms: new Map(),
  onAir: new Map(),
  histories: new Map(),
}

let state = EMPTY
/** When the API was last heard, by both clocks of the browser; null before the first word. */
let heard: { monotonicMs: number; atMs: number } | null = null
const { watch, notify } = makeWatchers()

/** What is asked for: only of these anything is kept. */
let asked: ReadonlySet<string> = new Set()
/** The set that was confirmed last, which a new connection confirms anew, and those sent since. */
const sets = new Map<number, ReadonlySet<string>>()
/** What a new connection has sent so far; null once it has confirmed its first set. */
let begun: Set<string> | null = null

/**
 * Copies that nobody has read yet: more changes go into them. A copy for each change would cost the
 * size of the fleet each time, and of a fleet of 10,000 a change every few milliseconds comes.
 */
const unread = new Set<unknown>()

function writable<V>(map: ReadonlyMap<string, V>): Map<string, V> {
  if (unread.has(map)) return map as Map<string, V>
  const copy = new Map(map)
  unread.add(copy)
  return copy
}

/** What is read once never changes again. */
export function readLive(): LiveState {
  unread.clear()
  return state
}

export const watchLive = watch

/** A burst of changes is drawn once; far below the second in which an operator must see one. */
const NOTIFIED_WITHIN_MS = 50
let isNotifying = false

function become(next: Partial<LiveState>): void {
  state = { ...state, ...next }
  if (isNotifying) return
  isNotifying = true
  setTimeout(() => {
    isNotifying = false
    notify()
  }, NOTIFIED_WITHIN_MS)
}

/** After a sign-out: what one account saw is not the next one's. */
export function forgetLive(): void {
  heard = null
  asked = new Set()
  sets.clear()
  begun = null
  become(EMPTY)
}

export function setConnection(connection: LiveConnection): void {
  become({ connection })
}

/** The API's clock, as well as this browser knows it. */
export function apiNowMs(): number {
  return Date.now() + state.clockOffsetMs
}

/**
 * How old the newest word of the API is; null before the first one. The greater age counts: the
 * monotonic clock may stand still while a computer sleeps, the other one may be set back.
 */
export function heardAgeMs(): number | null {
  if (heard === null) return null
  return Math.max(performance.now() - heard.monotonicMs, Date.now() - heard.atMs)
}

export function applyEvent(event: LiveEvent): void {
  heard = { monotonicMs: performance.now(), atMs: Date.now() }
  switch (event.event) {
    case 'hello':
      begun = new Set()
      setClock(event.data.atMs)
      return
    case 'watching':
      confirm(event.data.sequence)
      return
    case 'program':
      applyProgram(event.data)
      return
    case 'host': {
      const key = hostKey(event.data.kind, event.data.id)
      if (isAsked(key)) become({ hosts: writable(state.hosts).set(key, event.data) })
      return
    }
    case 'stream': {
      const key = streamKey(event.data.serverId, event.data.streamName)
      if (isAsked(key)) become({ streams: writable(state.streams).set(key, event.data) })
      return
    }
    case 'counts': {
      const key = countsKey(event.data.kind, event.data.group)
      if (isAsked(key)) become({ counts: writable(state.counts).set(key, event.data) })
      return
    }
    case 'alarms':
      if (isAsked(ALARMS_KEY)) become({ alarms: new Map([[ALARMS_KEY, event.data]]) })
      return
    case 'air':
      if (isAsked(ON_AIR_KEY)) become({ onAir: new Map([[ON_AIR_KEY, event.data]]) })
      return
    case 'transport': {
      const key = transportKey(event.data.kind, event.data.id)
      if (isAsked(key)) become({ transports: writable(state.transports).set(key, event.data) })
      return
    }
    case 'unseen':
      applyUnseen(event.data)
      return
    case 'beat':
      setClock(event.data.atMs)
      return
    // The state that a death leaves comes as a program event of its own; 'object' and 'gone' are
    // for those who hold lists and the session.
    case 'restart':
    case 'object':
    case 'gone':
  }
}

/** This is asked for from now on: what is known of anything else is no longer kept current. */
export function askFor(sequence: number, keys: readonly string[]): void {
  asked = new Set(keys)
  sets.set(sequence, asked)
  keepOnly((key) => asked.has(key))
  become({ confirmed: new Set([...state.confirmed].filter((key) => asked.has(key))) })
  forgetOldHistories()
}

function isAsked(key: string): boolean {
  if (!asked.has(key)) return false
  begun?.add(key)
  return true
}

/**
 * All of that set has been sent. Until a new connection has said so of its first one, what is shown is
 * as the earlier one left it, and called so.
 */
function confirm(sequence: number): void {
  const set = sets.get(sequence)
  if (set === undefined) return
  for (const known of sets.keys()) if (known < sequence) sets.delete(known)
  const sent = begun
  begun = null
  // What was not sent again is gone, or other people's.
  if (sent !== null) keepOnly((key) => sent.has(key))
  become({
    isLoaded: true,
    connection: { state: 'live' },
    confirmed: new Set([...set].filter((key) => asked.has(key))),
  })
}

function keepOnly(isKept: (key: string) => boolean): void {
  const kept = <V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> => {
    const gone = [...map.keys()].filter((key) => !isKept(key))
    if (gone.length === 0) return map
    const next = writable(map)
    for (const key of gone) next.delete(key)
    return next
  }
  const { programs, hosts, streams, counts, transports, alarms, onAir } = state
  become({
    programs: kept(programs),
    hosts: kept(hosts),
    streams: kept(streams),
    counts: kept(counts),
    transports: kept(transports),
    alarms: kept(alarms),
    onAir: kept(onAir),
  })
}

/** A row that comes back within five minutes still has what it had seen; it stays a thing of the past. */
function forgetOldHistories(): void {
  const oldestMs = apiNowMs() - SAMPLES_KEPT * SAMPLE_EVERY_MS
  const old = [...state.histories].filter(
    ([key, history]) => !asked.has(key) && (history.at(-1)?.atMs ?? 0) < oldestMs,
  )
  if (old.length === 0) return
  const histories = writable(state.histories)
  for (const [key] of old) histories.delete(key)
  become({ histories })
}

function applyUnseen({ programs, hosts, streams }: UnseenThings): void {
  const kept = {
    programs: writable(state.programs),
    histories: writable(state.histories),
    transports: writable(state.transports),
    hosts: writable(state.hosts),
    streams: writable(state.streams),
  }
  for (const { kind, id } of programs) {
    const key = programKey(kind, id)
    kept.programs.delete(key)
    kept.histories.delete(key)
    kept.transports.delete(transportKey(kind, id))
  }
  for (const { kind, id } of hosts) kept.hosts.delete(hostKey(kind, id))
  for (const { serverId, streamName } of streams) {
    kept.streams.delete(streamKey(serverId, streamName))
  }
  become(kept)
}

function applyProgram(program: ProgramStatus): void {
  const key = programKey(program.kind, program.id)
  if (!isAsked(key)) return
  // Before the map changes: whether this reading is new depends on the previous one.
  const history = historyWith(key, program)
  const programs = writable(state.programs).set(key, program)
  if (history === state.histories.get(key)) {
    become({ programs })
    return
  }
  become({ programs, histories: writable(state.histories).set(key, history) })
}

/** The history with this status's reading in it; the same array when it brought nothing new. */
function historyWith(key: string, program: ProgramStatus): readonly Sample[] {
  const history = state.histories.get(key) ?? []
  const { reading } = program
  if (reading === null || reading.atMs === state.programs.get(key)?.reading?.atMs) return history
  const atMs = slotOf(reading.atMs)
  const sample = { atMs, kbps: reading.bitrateKbps }
  const before = history.at(-1)?.atMs === atMs ? history.slice(0, -1) : history
  return [...before, sample].slice(-SAMPLES_KEPT)
}

function slotOf(atMs: number): number {
  return Math.floor(atMs / SAMPLE_EVERY_MS) * SAMPLE_EVERY_MS
}

function setClock(atMs: number): void {
  const offsetMs = atMs - Date.now()
  if (Math.abs(offsetMs - state.clockOffsetMs) > CLOCK_TOLERANCE_MS) {
    become({ clockOffsetMs: offsetMs })
  }
}
