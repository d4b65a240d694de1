/**
 * What this browser knows of the fleet right now: the last status of each program, host and stream,
 * and the bitrates of the last five minutes. Filled by lib/live.ts, read by the hooks of
 * live-hooks.ts. Every value handed out is replaced, never changed, so that React sees the change.
 */
import type {
  HostStatus,
  LiveEvent,
  LiveSnapshot,
  ProgramKind,
  ProgramStatus,
  StreamStatus,
  UnseenThings,
} from '@trunkline/contract/fleet/fleet.schema'

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
  /** False until the first picture has come. */
  isLoaded: boolean
  /** The API's clock minus this browser's. */
  clockOffsetMs: number
  programs: ReadonlyMap<string, ProgramStatus>
  hosts: ReadonlyMap<string, HostStatus>
  streams: ReadonlyMap<string, StreamStatus>
  histories: ReadonlyMap<string, readonly Sample[]>
}

const EMPTY: LiveState = {
  connection: { state: 'connecting' },
  isLoaded: false,
  clockOffsetMs: 0,
  programs: new Map(),
  hosts: new Map(),
  streams: new Map(),
  histories: new Map(),
}

let state = EMPTY
/** When the API was last heard, by both clocks of the browser; null before the first word. */
let heard: { monotonicMs: number; atMs: number } | null = null
const watchers = new Set<() => void>()

export function programKey(kind: ProgramKind, id: string): string {
  return `${kind}:${id}`
}

export function streamKey(serverId: string, streamName: string): string {
  return `${serverId}/${streamName}`
}

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

export function watchLive(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** A burst of changes is drawn once; far below the second in which an operator must see one. */
const TOLD_WITHIN_MS = 50
let isTelling = false

function become(next: Partial<LiveState>): void {
  state = { ...state, ...next }
  if (isTelling) return
  isTelling = true
  setTimeout(() => {
    isTelling = false
    for (const watcher of watchers) watcher()
  }, TOLD_WITHIN_MS)
}

/** After a sign-out: what one account saw is not the next one's. */
export function forgetLive(): void {
  heard = null
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
    case 'snapshot':
      applySnapshot(event.data)
      return
    case 'program':
      applyProgram(event.data)
      return
    case 'host':
      become({ hosts: writable(state.hosts).set(event.data.id, event.data) })
      return
    case 'stream': {
      const key = streamKey(event.data.serverId, event.data.streamName)
      become({ streams: writable(state.streams).set(key, event.data) })
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

function applySnapshot(snapshot: LiveSnapshot): void {
  const programs = new Map<string, ProgramStatus>()
  const histories = new Map<string, readonly Sample[]>()
  for (const program of snapshot.programs) {
    const key = programKey(program.kind, program.id)
    programs.set(key, program)
    histories.set(key, historyWith(key, program))
  }
  setClock(snapshot.atMs)
  become({
    isLoaded: true,
    connection: { state: 'live' },
    programs,
    histories,
    hosts: new Map(snapshot.hosts.map((host) => [host.id, host])),
    streams: new Map(
      snapshot.streams.map((stream) => [streamKey(stream.serverId, stream.streamName), stream]),
    ),
  })
}

function applyUnseen({ programs, hosts, streams }: UnseenThings): void {
  const kept = {
    programs: writable(state.programs),
    histories: writable(state.histories),
    hosts: writable(state.hosts),
    streams: writable(state.streams),
  }
  for (const { kind, id } of programs) {
    const key = programKey(kind, id)
    kept.programs.delete(key)
    kept.histories.delete(key)
  }
  for (const { id } of hosts) kept.hosts.delete(id)
  for (const { serverId, streamName } of streams) {
    kept.streams.delete(streamKey(serverId, streamName))
  }
  become(kept)
}

function applyProgram(program: ProgramStatus): void {
  const key = programKey(program.kind, program.id)
  // Before the map changes: whether this reading is new is told by the one before it.
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
