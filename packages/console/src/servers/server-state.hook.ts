/** The state of a server: pushed, or asked for while nothing is pushed. */
import { useQuery } from '@tanstack/react-query'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import { hostKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { useState } from 'react'
import { useFreshness, useHost } from '../lib/live/live-hooks.ts'
import { stateOfServer, type ServerState, type StatusAnswer } from './server-view.rules.ts'
import { serverStatusQuery } from './server.queries.ts'

export interface ShownServer extends ServerState {
  /** When a status call was answered, this browser's clock; null for what was pushed. */
  askedAtMs: number | null
}

/** One server as its row shows it: pushed, or asked for while nothing is pushed. */
export function useServerState({ id, serverType }: Pick<Server, 'id' | 'serverType'>): ShownServer {
  const host = useHost('server', id)
  const freshness = useFreshness([hostKey('server', id)])
  const answer = useAnswer(id, useIsAnswerMissing(freshness, host === null))
  return {
    ...stateOfServer({ serverType, host, answer, freshness }),
    askedAtMs: answer?.atMs ?? null,
  }
}

/** A connection that comes back at once, or a server that is just added or deleted, needs no question. */
const ASKED_AFTER_MS = 3000

/** True while nothing is pushed, and for a server that the push does not know. */
function useIsAnswerMissing(
  { brokenSinceMs, isLoaded, nowMs }: Freshness,
  isUnknown: boolean,
): boolean {
  const isMissing = isLoaded && isUnknown
  const [missingSinceMs, setMissingSinceMs] = useState<number | null>(null)
  if (isMissing !== (missingSinceMs !== null)) setMissingSinceMs(isMissing ? nowMs : null)
  const sinceMs = brokenSinceMs ?? missingSinceMs
  return sinceMs !== null && nowMs - sinceMs > ASKED_AFTER_MS
}

function useAnswer(id: string, isWanted: boolean): (StatusAnswer & { atMs: number }) | null {
  const query = useQuery(serverStatusQuery(id, isWanted))
  if (!isWanted) return null
  if (query.isError) return { error: query.error, atMs: query.errorUpdatedAt }
  return query.data === undefined ? null : { error: null, atMs: query.dataUpdatedAt }
}
