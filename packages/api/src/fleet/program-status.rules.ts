/** What a program's status is, from what is wanted, what its host last said, and whether it still says it. */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { worstFinding } from '@trunkline/contract/alarms/threshold.rules'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import { PROOF_WITHIN_MS } from '@trunkline/contract/fleet/state-view.rules'
import { HOST_NOT_HEARD, isAlive, PAUSED, SILENT_HOST } from '@trunkline/contract/program-state'
import type { LinkStatus } from '../hosts/linked-host.ts'
import type { KnownReport } from '../hosts/host-reports.ts'
import type { KnownProgram } from '../programs/wanted-program.ts'

export interface ProgramEvidence {
  wanted: KnownProgram
  report: KnownReport | undefined
  /** null when no record names the host. */
  link: LinkStatus | null
  /** Why the host does not take the saved settings; '' when it does. */
  refusal: string
  /** Of that alarm rule for this program, in percent; null of a rule without a threshold. */
  thresholdOf: (rule: AlarmRule) => number | null
}

const NOT_ON_HOST = 'The host has no such program yet.'

export function programStatus(evidence: ProgramEvidence): ProgramStatus {
  const { wanted, report, link, refusal, thresholdOf } = evidence
  const common = {
    kind: wanted.kind,
    id: wanted.id,
    wanted: wanted.wanted,
    startedAtMs: report?.startedAtMs ?? null,
    pid: report?.pid ?? null,
    restarts: report?.restarts ?? 0,
    peer: report?.peer ?? ('' as const),
    observed: judged(report?.observed ?? null, thresholdOf),
    reading: report?.reading ?? null,
    ...waits(wanted, report, link?.online === true),
    changedByHand: report?.changedByHand ?? '',
    readAtMs: report?.readAtMs ?? null,
  }
  if (!wanted.isEnabled && report === undefined) {
    return { ...common, state: 'stopped', sinceMs: null, cause: '' }
  }
  if (link?.online !== true) {
    const sinceMs = link?.sinceMs ?? null
    // No attempt to reach it has begun or ended yet, as when the API has just started: nothing is known,
    // good or bad.
    if (link === null || link.fault === null)
      return { ...common, state: 'unknown', sinceMs, cause: HOST_NOT_HEARD }
    return { ...common, state: 'unreachable', sinceMs, cause: SILENT_HOST }
  }
  if (report === undefined) {
    return { ...common, state: 'absent', sinceMs: null, cause: refusal || NOT_ON_HOST }
  }
  const { state, sinceMs, cause } = report
  return { ...common, wanted: report.wanted, state, sinceMs, cause: cause || refusal }
}

/**
 * With the warning that the thresholds of this program make of what its host finds: every screen, count
 * and alarm reads it here. Of an older agent its own judgement counts.
 */
function judged(
  observed: Observed | null,
  thresholdOf: ProgramEvidence['thresholdOf'],
): Observed | null {
  if (observed?.findings === undefined) return observed
  const { findings, ...seen } = observed
  const worst = worstFinding(findings, thresholdOf)
  if (worst === undefined) {
    // What its host warns of is not too much here: nothing began or ended by it.
    return seen.warning === '' ? seen : { ...seen, warning: '', warningSinceMs: seen.mediaSinceMs }
  }
  const { kind: warning, sinceMs: warningSinceMs, step: warningThresholdPercent } = worst
  return { ...seen, warning, warningSinceMs, warningThresholdPercent }
}

const ENCODER_STOPPED = 'Nothing feeds it: its encoder does not run. Start the encoder.'
const INPUT_STOPPED = 'Nothing feeds it: its input does not run. Start the input.'
const ENCODER_OLDER =
  'Nothing feeds it: its encoder runs with older settings. Restart the encoder to apply them.'
/** A link without a reading for so long carries nothing: the tools count every few hundred packets. */
const NO_READING_MS = 10_000

/**
 * decisions.md 11: a feeder that its encoder does not feed says so, and an output that its input does not.
 * '' when it is fed, or not running.
 */
export function feedTrouble(
  fed: ProgramStatus,
  source: ProgramStatus | null,
  nowMs: number,
): string {
  if (fed.state !== 'running' || source === null) return ''
  // Of a source that nobody hears of nothing is known.
  if (source.state === 'unreachable' || source.state === 'unknown') return ''
  const isEncoder = source.kind === 'encoder'
  if (!isAlive(source.state)) return isEncoder ? ENCODER_STOPPED : INPUT_STOPPED
  const readAtMs = fed.reading?.atMs ?? fed.startedAtMs ?? nowMs
  const isUnread = nowMs - readAtMs > NO_READING_MS
  return isEncoder && source.waitsForRestart && isUnread ? ENCODER_OLDER : ''
}

/** Whether a cause says what to do about a program that nothing feeds. */
export function isFeedTrouble(cause: string): boolean {
  return [ENCODER_STOPPED, ENCODER_OLDER, INPUT_STOPPED].includes(cause)
}

/** What a program sends to: whether it is switched off on purpose, and since when it is so. */
export interface ReceiverSwitch {
  /** The cause of a sender whose receivers are off; '' while one of them is on. */
  offCause: string
  sinceMs: number
  /** Since when the sender had no peer when that began, by the clock of its host. */
  lostAtMs: number
}

/**
 * A sender without a peer whose receiver is off has no trouble. Once that is on again the sender has as much
 * time to connect as after a start of its own: that it lost its peer before says nothing of now.
 */
export function withReceiver(
  status: ProgramStatus,
  receiver: ReceiverSwitch | null,
  nowMs: number,
): ProgramStatus {
  const { observed, peer, state, cause } = status
  if (receiver === null || observed === null || state !== 'running') return status
  if (cause === PAUSED) return status
  const { offCause, sinceMs, lostAtMs } = receiver
  if (offCause !== '') return peer === 'connected' ? status : { ...status, cause: offCause }
  if (nowMs - sinceMs > PROOF_WITHIN_MS) return status
  const isOldSilence = observed.media !== 'moving' && observed.mediaSinceMs < sinceMs
  const seen = isOldSilence
    ? ({ ...observed, media: 'waiting', mediaSinceMs: sinceMs } as const)
    : observed
  if (peer === 'connected') return { ...status, observed: seen }
  if (observed.peerSinceMs > lostAtMs) return status
  return { ...status, peer: '', cause: '', observed: { ...seen, peerSinceMs: sinceMs } }
}

/** Compared by revision: of the saved settings, the host's unit file, and the running process. */
function waits(wanted: KnownProgram, report: KnownReport | undefined, isOnline: boolean) {
  const runs = report !== undefined && isAlive(report.state)
  return {
    // What was switched off while its host is away ran there when it was last heard of.
    waitsForHost: wanted.isEnabled
      ? report?.appliedRevision !== wanted.revision
      : runs && !isOnline,
    // In its retry pause it has no process: the next one gets the saved settings.
    waitsForRestart:
      wanted.isEnabled &&
      runs &&
      report.state !== 'backoff' &&
      report.runningRevision !== wanted.revision,
  }
}

/** Alike but for their numbers: such a change may wait for the next second. */
export function differsByReadingOnly(a: ProgramStatus, b: ProgramStatus): boolean {
  return JSON.stringify(withoutReading(a)) === JSON.stringify(withoutReading(b))
}

function withoutReading(status: ProgramStatus): object {
  return { ...status, reading: null, readAtMs: null }
}
