/** What is wrong with a channel as its media server answers, in the words of an alarm. Pure. */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import {
  isSourceWell,
  lostBackupOf,
  lostPrimaryOf,
  receiverFaultOf,
  startingSinceMs,
} from '@trunkline/contract/channels/channel.rules'
import { BACKUP_REASON, FINDING_REASONS } from '@trunkline/contract/channels/stream-reason.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { type HostAnswer, isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import type { StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import { PROOF_WITHIN_MS } from '@trunkline/contract/fleet/state-view.rules'
import { PAUSED } from '@trunkline/contract/program-state'
import {
  type Condition,
  finding,
  type Finding,
  type IsOff,
  joined,
  UNSETTLED,
  untilFirstHello,
  WELL,
} from './finding.rules.ts'

/** `server`: null while its media server was never asked. */
export function conditionOfStream(
  { stream, readAtMs }: StreamStatus,
  server: HostAnswer | null,
  nowMs: number,
  isOff: IsOff,
): Condition {
  if (server === null) return UNSETTLED
  // A console that starts together with it may be the earlier of the two.
  if (isUndecided(server, nowMs)) return untilFirstHello(server.sinceMs)
  if (!server.online) {
    if (isOff('media-server-silent')) return WELL
    const sentence =
      'Its media server does not answer, so its state is not known. Restore the connection to the server.'
    return { is: 'bad', finding: finding('media-server-silent', sentence), sinceMs: server.sinceMs }
  }
  if (readAtMs === null) return UNSETTLED
  if (stream === null) {
    if (isOff('source-lost')) return WELL
    const sentence =
      'The media server has no such stream. Sync the channels of its server, or remove it.'
    return { is: 'bad', finding: finding('source-lost', sentence), sinceMs: nowMs }
  }
  if (stream.disabled === true) return WELL
  // One that never had a picture has lost none: as a program that starts, it has time to bring its first.
  const beganMs = startingSinceMs(stream, nowMs)
  if (beganMs !== null) {
    return { is: 'unsettled', againAtMs: beganMs + PROOF_WITHIN_MS, over: overByStart(stream) }
  }
  if (stream.stats.alive === true) {
    const bad = worstOfAlive(stream, isOff)
    return bad === null ? WELL : { ...bad, sinceMs: Math.min(nowMs, bad.sinceMs) }
  }
  const cause = stream.inputs.find(({ stats }) => stats?.error)?.stats?.error ?? ''
  const lost = sourceLost(stream, cause)
  if (isOff(lost.rule)) return WELL
  return { is: 'bad', finding: lost, sinceMs: Math.min(nowMs, stream.stats.since ?? nowMs) }
}

/** Of a source that came back, only the first segment is awaited. */
function overByStart(stream: StreamDetail): readonly AlarmRule[] {
  return isSourceWell(stream) ? ['media-server-silent', 'source-lost'] : ['media-server-silent']
}

type Bad = Extract<Condition, { is: 'bad' }>

/** Of a channel that goes out: what is worst about it, of which the list of alarms shows one. */
function worstOfAlive(stream: StreamDetail, isOff: IsOff): Bad | null {
  const lost = lostSourceOf(stream)
  const lostFinding = lost === null ? null : sourceLost(stream, lost.error)
  if (lost !== null && lostFinding !== null && !isOff(lostFinding.rule)) {
    return { is: 'bad', finding: lostFinding, sinceMs: lost.sinceMs + SWITCH_MS }
  }
  const content = contentFindingsOf(stream).find(({ finding: { rule } }) => !isOff(rule))
  return content ?? onBackupOf(stream, isOff) ?? noBackupOf(stream, isOff)
}

const FINDING_RULES = { black: 'bad-picture', frozen: 'bad-picture', silent: 'no-sound' } as const

function contentFindingsOf({ stats: { findings = [] } }: StreamDetail): Bad[] {
  return findings.map(({ kind, since: sinceMs }) => ({
    is: 'bad',
    finding: finding(FINDING_RULES[kind], FINDING_REASONS[kind]),
    sinceMs,
  }))
}

function onBackupOf(stream: StreamDetail, isOff: IsOff): Bad | null {
  const lost = lostPrimaryOf(stream)
  if (lost === null || isOff('on-backup')) return null
  const sentence = joined(lost.isReceiverDown ? BACKUP_RECEIVER_DOWN : BACKUP_REASON, lost.error)
  return { is: 'bad', finding: finding('on-backup', sentence), sinceMs: lost.sinceMs }
}

const BACKUP_RECEIVER_DOWN =
  'The primary source is lost, and a backup source is shown. The server does not receive the primary source.'

/** All is well on air; the next fault would not be. */
function noBackupOf(stream: StreamDetail, isOff: IsOff): Bad | null {
  const lost = lostBackupOf(stream)
  if (lost === null || isOff('no-backup')) return null
  const { error, sinceMs, isReceiverDown } = lost
  const sentence = isReceiverDown
    ? joined(NO_BACKUP, 'The server does not receive the backup source.', error)
    : joined(NO_BACKUP, error, 'Check what sends the backup source.')
  return { is: 'bad', finding: finding('no-backup', sentence), sinceMs }
}

const NO_BACKUP = 'No backup source can take over.'

/** A backup source takes over within this time. */
const SWITCH_MS = 2000

/** Where its own server does not receive it, no sender is to blame: those have lost their peer by it. */
function sourceLost(stream: StreamDetail, cause: string): Finding {
  const fault = receiverFaultOf(stream)
  if (fault !== '') {
    // A restart of the channel lets a paused process go on, and that is said with the pause.
    const retry = fault === PAUSED ? '' : 'If it stays so, restart the channel.'
    return finding('program-down', joined('The server does not receive its source.', fault, retry))
  }
  const remedy = 'Check what sends to it; if that is OK, restart the channel.'
  return finding('source-lost', joined('No source has a picture.', cause, remedy))
}

/**
 * The source that the picture comes from gives none, while the playlist still has segments of before:
 * 12 s of them with our own channel server, which alone says since when.
 */
function lostSourceOf({ inputs }: StreamDetail): { error: string; sinceMs: number } | null {
  const stats = inputs.find((input) => input.stats?.active === true)?.stats
  const { error = '', since } = stats ?? {}
  return error === '' || since === undefined ? null : { error, sinceMs: since }
}
