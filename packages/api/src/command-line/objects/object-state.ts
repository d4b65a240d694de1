/** The state of a listed object, in the words that every screen has. */
import { readingOfStream, viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import { familyOfHost, problemText } from '@trunkline/contract/fleet/host-family.rules'
import {
  sentenceOf,
  type StateView,
  viewOfEncoder,
  viewOfLink,
} from '@trunkline/contract/fleet/state-view.rules'
import { hostKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { Listed } from './listed-objects.ts'
import type { LiveStates } from './live-states.client.ts'

/** What a script and a table are given. */
export type ShownState = Pick<StateView, 'family' | 'word' | 'cause'> & {
  /** ISO 8601, UTC; null where nobody saw it begin. */
  since: string | null
}

/** `nowMs`: when the states were read. */
export function stateOf(object: Listed, states: LiveStates, nowMs: number): ShownState {
  const { family, word, cause, sinceMs } = viewOf(object, states, nowMs)
  return { family, word, cause, since: sinceMs === null ? null : new Date(sinceMs).toISOString() }
}

function viewOf(
  object: Listed,
  { programs, hosts, streams }: LiveStates,
  nowMs: number,
): Omit<StateView, 'shape'> {
  const freshness = { brokenSinceMs: null, isLoaded: true, nowMs }
  const [key = ''] = object.watchKeys
  const status = programs.get(key) ?? null
  switch (object.kind) {
    case 'encoder': {
      const { isEnabled, config } = object.wire
      return viewOfEncoder({ isEnabled, isConfigured: config !== null, status, freshness })
    }
    case 'feeder': {
      const { isEnabled } = object.encoder
      return viewOfLink({ kind: 'feeder', isEnabled, inputType: null, status, freshness })
    }
    case 'input': {
      const { isEnabled, inputType } = object.wire
      return viewOfLink({ kind: 'input', isEnabled, inputType, status, freshness })
    }
    case 'output': {
      const { isEnabled } = object.wire
      return viewOfLink({ kind: 'output', isEnabled, inputType: null, status, freshness })
    }
    case 'channel': {
      const host = hosts.get(hostKey('server', object.wire.serverId)) ?? null
      const stream = streams.get(key)
      const reading = stream === undefined ? 'unread' : readingOfStream(stream, host)
      return viewOfStream(reading, freshness, host)
    }
    case 'server':
      return viewOfHost(hosts.get(key), nowMs)
  }
}

function viewOfHost(host: HostStatus | undefined, nowMs: number): Omit<StateView, 'shape'> {
  if (host === undefined) return { family: 'move', word: 'Reading', cause: '', sinceMs: null }
  const { online, sinceMs, cause } = host
  return {
    family: familyOfHost(host, { brokenSinceMs: null, isLoaded: true, nowMs }),
    word: online ? 'Online' : 'Offline',
    cause: online ? problemText(host) : cause,
    sinceMs,
  }
}

/** A cell of a table. A cause can be several sentences; `show` and --json have all of it. */
const CELL_CHARACTERS = 60

export function shortState(state: Pick<ShownState, 'word' | 'cause'>): string {
  const text = hasSentences(state) ? `${state.word}. ${state.cause}` : sentenceOf(state)
  return text.length <= CELL_CHARACTERS ? text : `${text.slice(0, CELL_CHARACTERS - 1)}…`
}

/** 'Online since <time>. Its cause in sentences.', or 'Stopped, should run since <time>'. */
export function longState(state: ShownState): string {
  const since = state.since === null ? '' : ` since ${state.since}`
  return hasSentences(state)
    ? `${state.word}${since}. ${state.cause}`
    : `${sentenceOf(state)}${since}`
}

/** A phrase stands behind the word, as with most programs; a host gives one sentence or more. */
function hasSentences({ cause }: Pick<ShownState, 'cause'>): boolean {
  return /^\p{Lu}.*\.$/su.test(cause)
}
