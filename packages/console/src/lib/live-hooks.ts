/** How components read the live store: each hook re-renders only when its own value changes. */
import type {
  HostStatus,
  ProgramKind,
  ProgramStatus,
  StreamStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import { useSyncExternalStore } from 'react'
import { useBrowserNow } from './clock.ts'
import {
  heardAgeMs,
  programKey,
  readLive,
  streamKey,
  watchLive,
  type LiveConnection,
  type LiveState,
  type Sample,
} from './live-store.ts'

const NO_SAMPLES: readonly Sample[] = []

/** `pick` must answer the same value for the same state. */
function useLive<T>(pick: (state: LiveState) => T): T {
  return useSyncExternalStore(watchLive, () => pick(readLive()))
}

export function useProgram(kind: ProgramKind, id: string): ProgramStatus | null {
  return useLive((state) => state.programs.get(programKey(kind, id)) ?? null)
}

export function usePrograms(): ReadonlyMap<string, ProgramStatus> {
  return useLive((state) => state.programs)
}

export function useHost(id: string): HostStatus | null {
  return useLive((state) => state.hosts.get(id) ?? null)
}

export function useHosts(): ReadonlyMap<string, HostStatus> {
  return useLive((state) => state.hosts)
}

export function useStream(serverId: string, streamName: string): StreamStatus | null {
  return useLive((state) => state.streams.get(streamKey(serverId, streamName)) ?? null)
}

export function useStreams(): ReadonlyMap<string, StreamStatus> {
  return useLive((state) => state.streams)
}

/** Bitrates of the last five minutes, oldest first. */
export function useHistory(kind: ProgramKind, id: string): readonly Sample[] {
  return useLive((state) => state.histories.get(programKey(kind, id)) ?? NO_SAMPLES)
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

/** False once nothing has been heard for 4 to 5 s; ticks once a second. */
export function useIsCurrent(): boolean {
  useBrowserNow()
  return (heardAgeMs() ?? 0) <= CURRENT_FOR_MS
}

/** How far what is on the screen may be trusted; ticks once a second. */
export function useFreshness(): Freshness {
  const nowMs = useApiNow()
  const isLoaded = useLive((state) => state.isLoaded)
  const connection = useConnection()
  return {
    nowMs,
    isLoaded,
    brokenSinceMs: connection.state === 'retrying' ? connection.sinceMs : null,
  }
}
