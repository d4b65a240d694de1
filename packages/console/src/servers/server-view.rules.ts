/** What a row says about a server's host: Online or Offline, why, and since when. */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import { isStale, type Freshness, type StateView } from '@trunkline/contract/fleet/state-view.rules'
import type { ServerType } from '@trunkline/contract/servers/server.schema'
import { ApiError } from '../lib/api-error.ts'
import {
  answersWrongly,
  problemText,
  withProblem,
} from '@trunkline/contract/fleet/host-family.rules'
import { faultText, lastHeard, NEVER_HEARD, NOT_READ } from './server.messages.ts'
import { clockMomentText } from '../shared/format.ts'

/** The answer to a status call, made where nothing was pushed. `error` null: it worked. */
export interface StatusAnswer {
  error: unknown
}

export interface ServerState {
  view: StateView
  /** Cause and fix in full; '' when the row says it all. */
  sentence: string
}

interface Known {
  serverType: ServerType
  host: HostStatus | null
  answer: StatusAnswer | null
  freshness: Freshness
}

/** SRV-02, STATE-07. */
export function stateOfServer({ serverType, host, answer, freshness }: Known): ServerState {
  if (answer !== null && (host === null || isOfHost(answer))) return stateOfAnswer(answer)
  if (isStale(freshness)) {
    const view = { ...STALE, sinceMs: freshness.brokenSinceMs }
    return { view, sentence: '' }
  }
  if (host === null) return { view: READING, sentence: '' }
  if (host.online) {
    const view = withProblem({ ...ONLINE, sinceMs: host.sinceMs }, host)
    return { view, sentence: problemText(host) }
  }
  return {
    view: { ...offline(host.fault, serverType), sinceMs: host.sinceMs },
    sentence: [host.cause, heardText(host)].filter(Boolean).join(' '),
  }
}

/** The API spoke of the host; a call that did not get there says nothing new about it. */
function isOfHost({ error }: StatusAnswer): boolean {
  return error === null || (error instanceof ApiError && error.kind === 'refused')
}

function stateOfAnswer({ error }: StatusAnswer): ServerState {
  if (error === null) return { view: ONLINE, sentence: '' }
  const code = error instanceof ApiError ? error.code : null
  const cause =
    code === 'host_timeout'
      ? faultText('timeout', 'acants')
      : code === 'host_unreachable'
        ? faultText('refused', 'acants')
        : NOT_READ
  return {
    view: { ...OFFLINE, cause },
    sentence: error instanceof ApiError ? error.sentence : '',
  }
}

function offline(fault: HostStatus['fault'], serverType: ServerType): StateView {
  const cause = faultText(fault, serverType)
  return answersWrongly(fault)
    ? { ...OFFLINE, family: 'bad', shape: 'octagon', cause }
    : { ...OFFLINE, cause }
}

const ONLINE: StateView = { family: 'ok', shape: 'disc', word: 'Online', cause: '', sinceMs: null }
const OFFLINE: StateView = {
  family: 'blind',
  shape: 'diamond-x',
  word: 'Offline',
  cause: '',
  sinceMs: null,
}
const READING: StateView = {
  family: 'move',
  shape: 'arc',
  word: 'Reading',
  cause: '',
  sinceMs: null,
}
const STALE: StateView = {
  family: 'blind',
  shape: 'diamond-question',
  word: 'Unknown',
  cause: 'stale',
  sinceMs: null,
}

function heardText({ heardAtMs }: HostStatus): string {
  return heardAtMs === null ? NEVER_HEARD : lastHeard(momentText(heardAtMs))
}

/** '2026-05-03 14:01:29 UTC'. */
function momentText(atMs: number): string {
  return clockMomentText(atMs)
}

const FEW = 2

/** The first titles, and those that a cell has no room for. */
export function splitTitles(titles: readonly string[]): {
  shown: readonly string[]
  rest: readonly string[]
} {
  return { shown: titles.slice(0, FEW), rest: titles.slice(FEW) }
}
