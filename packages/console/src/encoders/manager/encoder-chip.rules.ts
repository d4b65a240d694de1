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
import { utcTimeText } from '../../shared/format.ts'
import { NOT_YET_CONFIGURED } from '../encoder.messages.ts'
import { problemText, withProblem } from '@trunkline/contract/fleet/host-family.rules'

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
  if (isEnabled === false) return chip('off', 'ring-slash', 'Disabled')
  if (!isConfigured) return chip('off', 'ring-dashed', 'Not Configured')
  const { host, answered, freshness } = reading
  if (answered !== null) return answered ? ONLINE : OFFLINE
  if (isStale(freshness)) {
    return chip('blind', 'diamond-question', 'Unknown', 'stale', freshness.brokenSinceMs)
  }
  if (host === null) {
    return freshness.isLoaded
      ? chip('blind', 'diamond-question', 'Offline', 'not heard yet')
      : chip('move', 'arc', 'Reading')
  }
  const view = { ...(host.online ? ONLINE : offline(host)), sinceMs: host.sinceMs }
  return host.online ? withProblem(view, host) : view
}

/** A host that answers wrongly is broken; of one that is silent we cannot see what it does. */
function offline({ fault }: HostStatus): StateView {
  if (fault === 'wrong-key') return chip('bad', 'octagon', 'Offline', 'wrong key')
  if (fault === 'not-an-agent') return chip('bad', 'octagon', 'Offline', 'no host agent')
  if (fault === 'certificate') return chip('bad', 'octagon', 'Offline', 'not trusted')
  if (fault === 'not-connected') {
    return chip('blind', 'diamond-x', 'Offline', 'host not connected')
  }
  return OFFLINE
}

const ONLINE = chip('ok', 'disc', 'Online')
const OFFLINE = chip('blind', 'diamond-x', 'Offline', 'host unreachable')

function chip(
  family: Family,
  shape: Shape,
  word: string,
  cause = '',
  sinceMs: number | null = null,
): StateView {
  return { family, shape, word, cause, sinceMs }
}

/** What stands beside the chip: only where the host answers is there anything to say. */
export function runStateOf(shownChip: StateView, run: StateView): StateView | null {
  if (shownChip.word !== 'Online') return null
  // The host answers, so 'Offline' would contradict the chip: its cause is the news.
  if (run.word !== 'Offline') return run
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
    case 'Offline':
      return [
        'Offline: its host does not answer, so it is not known whether the encoder is running.',
        host?.cause ?? '',
        host?.heardAtMs ? `Last heard at ${utcTimeText(host.heardAtMs)} UTC.` : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' ')
    case 'Disabled':
      return 'Disabled: it does not run. Enable it to start it again.'
    case 'Not Configured':
      return NOT_YET_CONFIGURED
    case 'Reading':
      return 'Its host has not answered since this page was opened.'
    default:
      return 'Live updates have stopped: the last known state is too old.'
  }
}
