/** What is wrong with an object as it is seen now, in the words of an alarm. Pure. */
import { FINDING_REASONS } from '@trunkline/contract/channels/stream-reason.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { isOffOnPurpose, PAUSED } from '@trunkline/contract/program-state'
import { FIRST_HELLO_MS, isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import type { HostProblem, HostStatus, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { startsAgain } from '@trunkline/contract/paths/hop-reason.rules'
import {
  hasWrongKeys,
  lacksPeer,
  overdueAtMs,
  shortReason,
  stateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { CAUSES } from '@trunkline/contract/fleet/state-words'
import { isFeedTrouble } from '../fleet/program-status.rules.ts'

export interface Finding {
  rule: AlarmRule
  /** What happened, why if known, what to do. */
  sentence: string
}

/**
 * unsettled: between two states, or not known: nothing is raised and nothing cleared; `againAtMs`:
 * from when on time alone decides it; `over`: of an open alarm by these, what it says is over all the same.
 */
export type Condition =
  | { is: 'well' }
  | { is: 'unsettled'; againAtMs: number | null; over?: readonly AlarmRule[] }
  | { is: 'bad'; finding: Finding; sinceMs: number }

/** Whether that rule is off for the object, so that what it finds is passed over. */
export type IsOff = (rule: AlarmRule) => boolean

export const WELL: Condition = { is: 'well' }
export const UNSETTLED: Condition = { is: 'unsettled', againAtMs: null }

export function conditionOfProgram(status: ProgramStatus, nowMs: number, isOff: IsOff): Condition {
  if (isOffOnPurpose(status)) return WELL
  const freshness = { nowMs, isLoaded: true, brokenSinceMs: null }
  const known = { isEnabled: true, isConfigured: true, inputType: null }
  const view = stateView({ ...known, kind: status.kind, status, freshness })
  if (view.family === 'ok' || view.family === 'off') return WELL
  if (view.family === 'move') {
    return { is: 'unsettled', againAtMs: overdueAtMs(view), over: overByState(status) }
  }
  const found = findingsOf(status)
  if (found.length === 0) return UNSETTLED
  const at = found.findIndex(({ finding: { rule } }) => !isOff(rule))
  const worst = found[at]
  if (worst === undefined) return WELL
  // The view says since when of what is worst, where nothing else does.
  const sinceMs = worst.sinceMs ?? (at === 0 ? view.sinceMs : null)
  return { is: 'bad', finding: worst.finding, sinceMs: Math.min(nowMs, sinceMs ?? nowMs) }
}

/** What its state alone disproves, as of one that runs, and waits for its peer. */
function overByState({ state }: ProgramStatus): readonly AlarmRule[] {
  return state === 'running' ? ['host-unreachable', 'program-down'] : ['host-unreachable']
}

interface FoundSince {
  finding: Finding
  /** Null: as its view says. */
  sinceMs: number | null
}

/** Worst first. */
function findingsOf(status: ProgramStatus): FoundSince[] {
  const { state, cause } = status
  if (state === 'running' && cause === PAUSED) {
    return [{ finding: finding('program-down', PAUSED), sinceMs: null }]
  }
  if (state === 'running') return findingsOfRunning(status)
  if (state === 'unknown' || state === 'stopping') return []
  if (state === 'unreachable') {
    const sentence =
      'Its host is unreachable, so its state is not known. Restore the connection to the host.'
    return [{ finding: finding('host-unreachable', sentence), sinceMs: null }]
  }
  const remedy = startsAgain(cause)
    ? 'If it does not come up, read its log.'
    : 'Start it, or read its log.'
  const sentence = joined('Not running although it should be.', cause, remedy)
  return [{ finding: finding('program-down', sentence), sinceMs: null }]
}

/** What a program is warned of; figures of it that change while it lasts are left to its readings. */
function warningOf({ observed, reading }: ProgramStatus): Finding | null {
  const threshold = observed?.warningThresholdPercent ?? null
  switch (observed?.warning ?? '') {
    case '':
      return null
    case 'slow': {
      const speed = threshold === null ? '' : `, at less than ${threshold} % of it`
      const isDropping = reading?.kind === 'encode' && reading.droppedFrames > 0
      const dropping = isDropping ? ' Frames are dropped.' : ''
      const remedy = 'Lower its load or the settings of the encoder.'
      return finding(
        'slow',
        `Slower than real time${speed}: the host has too little processor time.${dropping} ${remedy}`,
      )
    }
    case 'losing': {
      const packets = threshold === null ? 'Packets' : `More than ${threshold} % of the packets`
      return finding(
        'losing-packets',
        `${packets} are dropped on the way. Raise the latency, or check the network.`,
      )
    }
    case 'path-silent':
      return finding(
        'path-silent',
        'One of several paths carries nothing, so there is no protection. Check that path.',
      )
    case 'black':
      return finding('bad-picture', FINDING_REASONS.black)
    case 'frozen':
      return finding('bad-picture', FINDING_REASONS.frozen)
    case 'silent':
      return finding('no-sound', FINDING_REASONS.silent)
  }
}

function findingsOfRunning(status: ProgramStatus): FoundSince[] {
  const { kind, peer, observed, cause } = status
  const media = observed?.media
  const found: FoundSince[] = []
  if (kind !== 'encoder' && lacksPeer(status, media ?? 'waiting')) {
    const lost =
      peer === 'disconnected'
        ? finding('no-peer', joined('The peer is gone.', cause, peerRemedy(status)))
        : finding(
            'never-connected',
            joined('No peer has connected yet.', cause, peerRemedy(status)),
          )
    found.push({ finding: lost, sinceMs: null })
  }
  if (hasWrongKeys(status)) {
    found.push({ finding: finding('no-media', joined(cause, peerRemedy(status))), sinceMs: null })
  } else if (media !== 'moving') {
    const remedy = isFeedTrouble(cause) ? '' : 'Check the source and what feeds it.'
    const silent = finding('no-media', joined('Running, but no media moves.', cause, remedy))
    found.push({ finding: silent, sinceMs: silentSinceMs(status) })
  }
  const warning = warningOf(status)
  if (warning !== null) {
    found.push({ finding: warning, sinceMs: observed?.warningSinceMs ?? null })
  }
  return found
}

/** A peer that has just come back had no time to send or to take anything: what was silent before is its absence. */
function silentSinceMs({ observed, peer }: ProgramStatus): number | null {
  if (observed === null) return null
  const { mediaSinceMs, peerSinceMs } = observed
  return peer === 'connected' ? Math.max(mediaSinceMs, peerSinceMs) : mediaSinceMs
}

/** Of what the host knows of a peer that is missing. */
const PEER_REMEDIES: Readonly<Record<string, string>> = {
  [CAUSES.wrongPassphrase]: 'Enter the same passphrase at both ends.',
  [CAUSES.wrongSecret]: 'Enter the same passphrase at both ends.',
  [CAUSES.wrongSecretBefore]:
    'Enter the same passphrase at both ends, and check that the far end sends.',
  [CAUSES.oneEndClear]: 'Set the same encryption at both ends.',
  [CAUSES.rejected]: 'Check the stream ID, and what the far end allows.',
  [CAUSES.settingsDiffer]: 'Compare the advanced parameters of both ends.',
  [CAUSES.unknownName]: 'Check the host name, or use its IP address.',
  [CAUSES.refused]: 'Start the receiver, or check host and port.',
}
const CHECK_SENDER = 'Check the sender and the network between.'
// A listener has one caller, and leaves others without a reason.
const CHECK_RECEIVER =
  'Check the receiver and the network between, and whether another sender is connected to it.'

/** SRT tells both ends of another passphrase: it is not guessed at. */
function peerRemedy({ kind, cause }: ProgramStatus): string {
  const known = PEER_REMEDIES[shortReason(cause)]
  return known ?? (kind === 'input' ? CHECK_SENDER : CHECK_RECEIVER)
}

export function finding(rule: AlarmRule, sentence: string): Finding {
  return { rule, sentence }
}

/** One text of sentences; empty parts are left out, and a missing full stop is set. */
export function joined(...sentences: readonly string[]): string {
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ')
}

/**
 * Of a silence that was waited for, so much counts as time in which the host was away already: what is
 * left lets an agent that was only held up dial in again.
 */
const SILENCE_COUNTED_MS = 1600

/** From when on a host that is not online counts as away. */
export function awaySinceMs({
  sinceMs,
  fault,
  heardAtMs,
}: Pick<HostStatus, 'sinceMs' | 'fault' | 'heardAtMs'>): number {
  if (fault !== 'timeout' || heardAtMs === null) return sinceMs
  return Math.min(sinceMs, Math.max(heardAtMs, sinceMs - SILENCE_COUNTED_MS))
}

interface SeenHost {
  status: Pick<HostStatus, 'online' | 'sinceMs' | 'fault' | 'heardAtMs'>
  /** Of a host that answers, worst first. */
  problems: readonly HostProblem[]
  answerer: 'agent' | 'media server'
  /** A media server may not be asked yet; an agent is since it was added. */
  wasAsked: boolean
  nowMs: number
}

/** Why it is away is for admins, and so in no sentence. */
export function conditionOfHost(
  { status, problems, answerer, wasAsked, nowMs }: SeenHost,
  isOff: IsOff,
): Condition {
  if (status.online) return conditionOfProblems(problems, nowMs, isOff)
  if (!wasAsked || isUndecided(status, nowMs)) return untilFirstHello(status.sinceMs)
  const found =
    answerer === 'agent'
      ? finding(
          'host-unreachable',
          'The host does not answer. Its streams may still run. Check its power, its network and its agent.',
        )
      : finding(
          'media-server-silent',
          'The media server does not answer. Check the server and its network.',
        )
  return isOff(found.rule) ? WELL : { is: 'bad', finding: found, sinceMs: awaySinceMs(status) }
}

/** Of a host that answers. */
function conditionOfProblems(
  problems: readonly HostProblem[],
  nowMs: number,
  isOff: IsOff,
): Condition {
  const found = problems
    .flatMap(({ kind, sentence }) => {
      const rule = PROBLEM_RULES[kind]
      return rule === undefined ? [] : [finding(rule, sentence)]
    })
    .find(({ rule }) => !isOff(rule))
  return found === undefined ? WELL : { is: 'bad', finding: found, sinceMs: nowMs }
}

/** A notice raises nothing. */
const PROBLEM_RULES: Partial<Readonly<Record<HostProblem['kind'], AlarmRule>>> = {
  'supervisor-silent': 'supervisor-down',
  'supervisor-lost': 'supervisor-down',
  'disk-low': 'disk-full',
  'disk-full': 'disk-full',
  'disk-unreadable': 'disk-full',
}

/**
 * An encoder stands for its host too, which may be no server: what is wrong with that matters where
 * nothing is wrong with the encoder itself, also while that is not running.
 */
export function withHostProblems(
  own: Condition,
  problems: readonly HostProblem[],
  nowMs: number,
  isOff: IsOff,
): Condition {
  return own.is === 'well' ? conditionOfProblems(problems, nowMs, isOff) : own
}

/** Of what waits for the first word of a host, since then. */
export function untilFirstHello(sinceMs: number): Condition {
  return { is: 'unsettled', againAtMs: sinceMs + FIRST_HELLO_MS }
}
