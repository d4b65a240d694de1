/**
 * The two states of a row of the manager (Q56): the chip tells whether the host answers, the run
 * state beside it what the encoder does there.
 */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  isStale,
  sentenceOf,
  type Family,
  type Freshness,
  type Shape,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { clockTimeText } from '../../shared/format.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { problemText, withProblem } from '@trunkline/contract/fleet/host-family.rules'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'
import { CAUSES, STATE_WORDS } from '@trunkline/contract/fleet/state-words'

export interface ChipInput {
  /** Missing counts as enabled (ENC-06). */
  isEnabled: boolean | undefined
  isConfigured: boolean
  /** As pushed; null while nothing was. */
  host: HostStatus | null
  /** Whether the last status check succeeded; null where the push is to be believed. */
  answered: boolean | null
  freshness: Freshness
}

/** STATE-01. */
export function chipOf({ isEnabled, isConfigured, ...reading }: ChipInput): StateView {
  if (isEnabled === false) return chip('off', 'ring-slash', STATE_WORDS.disabled)
  if (!isConfigured) return chip('off', 'ring-dashed', STATE_WORDS.notConfigured)
  const { host, answered, freshness } = reading
  if (answered !== null) return answered ? ONLINE : OFFLINE
  if (isStale(freshness)) {
    return chip('blind', 'diamond-question', STATE_WORDS.unknown, 'stale', freshness.brokenSinceMs)
  }
  if (host === null) {
    return freshness.isLoaded
      ? chip('blind', 'diamond-question', STATE_WORDS.offline, CAUSES.notHeard)
      : chip('move', 'arc', STATE_WORDS.reading)
  }
  const view = { ...(host.online ? ONLINE : offline(host)), sinceMs: host.sinceMs }
  return host.online ? withProblem(view, host) : view
}

/** A host that answers wrongly is broken; of one that is silent we cannot see what it does. */
function offline({ fault }: HostStatus): StateView {
  if (fault === 'wrong-key') return chip('bad', 'octagon', STATE_WORDS.offline, 'wrong key')
  if (fault === 'not-an-agent') return chip('bad', 'octagon', STATE_WORDS.offline, 'no host agent')
  if (fault === 'certificate') return chip('bad', 'octagon', STATE_WORDS.offline, 'not trusted')
  if (fault === 'not-connected') {
    return chip('blind', 'diamond-x', STATE_WORDS.offline, 'host not connected')
  }
  return OFFLINE
}

const ONLINE = chip('ok', 'disc', STATE_WORDS.online)
const OFFLINE = chip('blind', 'diamond-x', STATE_WORDS.offline, CAUSES.unreachable)

function chip(
  family: Family,
  shape: Shape,
  word: string,
  cause = '',
  sinceMs: number | null = null,
): StateView {
  return { family, shape, word, cause, sinceMs }
}

/** Of a host that nobody has reached or failed to reach yet, the words of every other screen. */
export function asRunSays(shownChip: StateView, { shape, cause }: StateView): StateView {
  const isNotHeard = shownChip.cause === CAUSES.unreachable && cause === CAUSES.notHeard
  return isNotHeard ? { ...shownChip, shape, cause } : shownChip
}

/** What stands beside the chip: only where the host answers is there anything to say. */
export function runStateOf(shownChip: StateView, run: StateView): StateView | null {
  if (shownChip.word !== STATE_WORDS.online) return null
  // The host answers, so 'Offline' would contradict the chip: its cause is the news.
  if (run.word !== STATE_WORDS.offline) return run
  return { ...run, word: run.cause.charAt(0).toUpperCase() + run.cause.slice(1), cause: '' }
}

/**
 * The tooltip of both: which of the two tells what, and what is known of a host that is away.
 * `evidence`: the last line of a log that matters; '' for none.
 */
export function explanationOf(
  shownChip: StateView,
  run: StateView | null,
  host: HostStatus | null,
  evidence: string,
): string {
  if (run !== null) {
    const states = `${shownChip.word}: its host answers. ${sentenceOf(run)}: what the encoder does there.`
    const problem = host === null ? '' : problemText(host)
    const whole = problem === '' ? states : `${states} ${problem}`
    return evidence === '' ? whole : `${whole} Last line: ${evidence}`
  }
  switch (shownChip.word) {
    case STATE_WORDS.offline:
      return [
        'Offline: its host does not answer, so it is not known whether the encoder is running.',
        host?.cause ?? '',
        host?.heardAtMs ? `Last heard at ${clockTimeText(host.heardAtMs)} ${ZONE_WORD}.` : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' ')
    case STATE_WORDS.disabled:
      return 'Disabled: it does not run. Enable it to start it again.'
    case STATE_WORDS.notConfigured:
      return NOT_YET_CONFIGURED
    case STATE_WORDS.reading:
      return 'Its host has not answered since this page was opened.'
    default:
      return 'Live updates have stopped: the last known state is too old.'
  }
}
