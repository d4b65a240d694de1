/**
 * How components read the live store: each hook says what is shown while it is mounted, and renders
 * again only when its own value changes.
 */
import type {
  CountedKind,
  FleetCounts,
  HostKind,
  HostStatus,
  ProgramKind,
  ProgramStatus,
  StreamStatus,
  TransportStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import type { OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import type { OnAirKind, OnAirMark } from '@trunkline/contract/on-air/on-air.schema'
import {
  ALARMS_KEY,
  countsKey,
  hostKey,
  ON_AIR_KEY,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useBrowserNow } from '../clock.ts'
import {
  heardAgeMs,
  readLive,
  watchLive,
  type LiveConnection,
  type LiveState,
  type Sample,
} from './live-store.ts'
import { watchKeys } from './live-watch.ts'

const NO_SAMPLES: readonly Sample[] = []

/** `pick` must answer the same value for the same state. */
function useLive<T>(pick: (state: LiveState) => T): T {
  return useSyncExternalStore(watchLive, () => pick(readLive()))
}

/** In no name of anything. */
const BETWEEN = '\u0000'

function useShown(keys: readonly string[]): void {
  const all = keys.join(BETWEEN)
  useEffect(() => (all === '' ? undefined : watchKeys(all.split(BETWEEN))), [all])
}

/** Null: not read yet (see `useFreshness`), or nothing is known of it. An id of '' is none. */
export function useProgram(kind: ProgramKind, id: string): ProgramStatus | null {
  const key = programKey(kind, id)
  useShown(id === '' ? [] : [key])
  return useLive((state) => state.programs.get(key) ?? null)
}

/** Those of these keys that are known. The same map until one of them changes. */
export function usePrograms(keys: readonly string[]): ReadonlyMap<string, ProgramStatus> {
  return useKnown(keys, programsOf)
}

/** As `usePrograms`, of the streams of media servers. */
export function useStreams(keys: readonly string[]): ReadonlyMap<string, StreamStatus> {
  return useKnown(keys, streamsOf)
}

/** As `usePrograms`, of hosts. */
export function useHosts(keys: readonly string[]): ReadonlyMap<string, HostStatus> {
  return useKnown(keys, hostsOf)
}

type KnownOf<T> = (state: LiveState) => ReadonlyMap<string, T>
const programsOf: KnownOf<ProgramStatus> = ({ programs }) => programs
const streamsOf: KnownOf<StreamStatus> = ({ streams }) => streams
const hostsOf: KnownOf<HostStatus> = ({ hosts }) => hosts

function useKnown<T>(keys: readonly string[], knownOf: KnownOf<T>): ReadonlyMap<string, T> {
  useShown(keys)
  const all = keys.join(BETWEEN)
  const pick = useMemo(
    () => pickerOf(all === '' ? [] : all.split(BETWEEN), knownOf),
    [all, knownOf],
  )
  return useLive(pick)
}

function pickerOf<T>(keys: readonly string[], knownOf: KnownOf<T>) {
  let seen: ReadonlyMap<string, T> | null = null
  let picked: ReadonlyMap<string, T> = new Map()
  return (state: LiveState) => {
    const known = knownOf(state)
    if (known === seen) return picked
    seen = known
    const isSame = keys.every((key) => known.get(key) === picked.get(key))
    if (!isSame) {
      picked = new Map(
        keys.flatMap((key) => {
          const value = known.get(key)
          return value === undefined ? [] : [[key, value] as const]
        }),
      )
    }
    return picked
  }
}

/** Its host measures the transport stream without gaps while this is mounted; null: not read yet. */
export function useTransport(kind: ProgramKind, id: string): TransportStatus | null {
  const key = transportKey(kind, id)
  useShown([key])
  return useLive((state) => state.transports.get(key) ?? null)
}

export function useHost(kind: HostKind, id: string): HostStatus | null {
  const key = hostKey(kind, id)
  useShown(id === '' ? [] : [key])
  return useLive((state) => state.hosts.get(key) ?? null)
}

export function useStream(serverId: string, streamName: string): StreamStatus | null {
  const key = streamKey(serverId, streamName)
  useShown([key])
  return useLive((state) => state.streams.get(key) ?? null)
}

/** How many are in which state, of those that this person may see; null until the API has said so. */
export function useCounts(kind: CountedKind, group: string): FleetCounts | null {
  const key = countsKey(kind, group)
  useShown([key])
  return useLive((state) => state.counts.get(key) ?? null)
}

/** Open alarms of this person, as counts; null until the API has said so. */
export function useOpenAlarms(): OpenAlarms | null {
  useShown(ALARM_KEYS)
  return useLive((state) => state.alarms.get(ALARMS_KEY) ?? null)
}

const ALARM_KEYS = [ALARMS_KEY]

/** The mark of an object that is on air or scheduled; null for none, and until the API has said so. */
export function useOnAir(kind: OnAirKind, id: string): OnAirMark | null {
  useShown(ON_AIR_KEYS)
  return useLive(({ onAir }) => {
    const marks = onAir.get(ON_AIR_KEY)?.marks ?? []
    return marks.find((mark) => mark.id === id && mark.kind === kind) ?? null
  })
}

const ON_AIR_KEYS = [ON_AIR_KEY]

/** Bitrates of the last five minutes, as far as this page has shown it, oldest first. */
export function useHistory(kind: ProgramKind, id: string): readonly Sample[] {
  const key = programKey(kind, id)
  useShown([key])
  return useLive((state) => state.histories.get(key) ?? NO_SAMPLES)
}

export function useConnection(): LiveConnection {
  return useLive((state) => state.connection)
}

/** The API's clock, ticking once a second. */
export function useApiNow(): number {
  return useBrowserNow() + useLive((state) => state.clockOffsetMs)
}

/** Nothing older than 5 s is called well. The page looks once a second, so that one is taken off. */
const CURRENT_FOR_MS = 4000

/** False as soon as the connection is lost, and once nothing has been heard for 4 to 5 s; ticks once a second. */
export function useIsCurrent(): boolean {
  useBrowserNow()
  const isBroken = useConnection().state === 'retrying'
  return !isBroken && (heardAgeMs() ?? 0) <= CURRENT_FOR_MS
}

/** How far what is shown of the things of these keys may be trusted; ticks once a second. */
export function useFreshness(keys: readonly string[]): Freshness {
  const nowMs = useApiNow()
  const isLoaded = useLive(
    (state) => state.isLoaded && keys.every((key) => state.confirmed.has(key)),
  )
  const connection = useConnection()
  return {
    nowMs,
    isLoaded,
    brokenSinceMs: connection.state === 'retrying' ? connection.sinceMs : null,
  }
}
