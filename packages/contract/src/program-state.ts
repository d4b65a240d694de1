/**
 * The one vocabulary of a supervised program, and both ways between it and the two wire dialects
 * (decisions.md 14): encoder calls answer `status` = the host answered; contribution calls answer
 * `status` = the program runs, with supervisorctl's exit codes as error texts.
 */
import { SECOND_MS } from './durations.ts'
import { z } from 'zod'
import { Sentence } from './sentence.schema.ts'

/**
 * supervisord's own states in our words; `absent`: the host answers but knows no such program;
 * `unreachable`: the host does not answer, so nothing is known.
 */
export const ProgramState = z.enum([
  'stopped',
  'starting',
  'running',
  'backoff',
  'stopping',
  'exited',
  'fatal',
  'unknown',
  'absent',
  'unreachable',
])
export type ProgramState = z.infer<typeof ProgramState>

const FROM_SUPERVISOR: Record<string, ProgramState> = {
  STOPPED: 'stopped',
  STARTING: 'starting',
  RUNNING: 'running',
  BACKOFF: 'backoff',
  STOPPING: 'stopping',
  EXITED: 'exited',
  FATAL: 'fatal',
  UNKNOWN: 'unknown',
}

const ALIVE: ReadonlySet<ProgramState> = new Set(['starting', 'running', 'backoff', 'stopping'])

/** A process is there, or will be again without our doing: one in its retry pause can only be stopped. */
export function isAlive(state: ProgramState): boolean {
  return ALIVE.has(state)
}

/** `statename` of getProcessInfo, or the word of a PROCESS_STATE event. */
export function stateFromSupervisor(statename: string): ProgramState {
  return FROM_SUPERVISOR[statename] ?? 'unknown'
}

/** What the wire texts are made of. Times are milliseconds since 1970. */
export interface StateEvidence {
  state: ProgramState
  wanted: 'running' | 'stopped'
  pid: number | null
  startedAtMs: number | null
  /** The last line of the program's log that says why it is not well, redacted; '' when there is none. */
  cause: string
}

const EXIT_NOT_RUNNING = 'exit status 3'
const EXIT_NO_SUCH_PROGRAM = 'exit status 4'
export const ERROR_DISABLED = 'Disabled'
/** The client's own mark for a poll that failed (CON-IN-18). */
const ERROR_UNKNOWN = 'unknown'

/** A restart was asked for while it ran, and comes after the stop of somebody else. */
export const ERROR_STOPPED_MEANWHILE =
  'Somebody has stopped it meanwhile. Start it if it is to run.'

/** The cause of 'unreachable' where nothing more is known. */
export const SILENT_HOST = 'The host does not answer.'
/** The cause of 'running' while its process is held up by a stop signal: nothing of what it said last holds. */
export const PAUSED = 'Its process is paused (SIGSTOP). Restart it.'
/** The cause of a sender without a peer whose channel was switched off on purpose: nobody has to do anything. */
export const CHANNEL_OFF = 'The channel that it sends to is off.'
/** The same of an input that was stopped or disabled on purpose. */
export const INPUT_OFF = 'The input that it sends to is off.'
/** While the console has just started, and has not reached it for the first time. */
export const HOST_NOT_HEARD = 'The host was not heard of yet.'

/** Encoder dialect: running text has RUNNING, every other one STOPPED and our state in brackets. */
export const EncoderStatusReply = z.object({
  status: z.boolean(),
  results: z.string(),
  error: Sentence.optional(),
  /** Ours; an answer that has the specified fields alone is read from its text. */
  state: ProgramState.optional(),
})
export type EncoderStatusReply = z.infer<typeof EncoderStatusReply>

/** Contribution dialect: `status` is true for RUNNING and STARTING only. */
export const ContributionStatusReply = z.object({
  status: z.boolean(),
  results: z.string(),
  error: Sentence.optional(),
  /** Ours, as above. */
  state: ProgramState.or(z.literal('disabled')).optional(),
})
export type ContributionStatusReply = z.infer<typeof ContributionStatusReply>

export function toEncoderStatus(
  name: string,
  evidence: StateEvidence,
  nowMs: number,
): EncoderStatusReply {
  const { state } = evidence
  if (state === 'unreachable' || evidence.cause === HOST_NOT_HEARD) {
    return {
      status: false,
      results: '',
      error: evidence.cause || SILENT_HOST,
      state,
    }
  }
  return { status: true, results: resultsText(name, evidence, nowMs), state }
}

export function toContributionStatus(
  name: string,
  evidence: StateEvidence,
  nowMs: number,
): ContributionStatusReply {
  const { state } = evidence
  const results = resultsText(name, evidence, nowMs)
  if (state === 'running' || state === 'starting') return { status: true, results, state }
  return { status: false, error: contributionError(evidence), results, state }
}

function contributionError(evidence: StateEvidence): string {
  if (evidence.state === 'unreachable' || evidence.state === 'absent') return EXIT_NO_SUCH_PROGRAM
  if (isStoppedByIntent(evidence)) return EXIT_NOT_RUNNING
  return evidence.cause || `${evidence.state.toUpperCase()} with nothing in its log`
}

/** Stopped because somebody wanted it so; supervisorctl exits 3 for these. */
export function isStoppedByIntent(evidence: Pick<StateEvidence, 'state' | 'wanted'>): boolean {
  if (evidence.state === 'stopped' || evidence.state === 'stopping') return true
  return evidence.state === 'exited' && evidence.wanted === 'stopped'
}

/** What nobody wants to run cannot be in trouble: a switched-off thing on a silent host is off. */
export function isOffOnPurpose({ wanted, state }: Pick<StateEvidence, 'state' | 'wanted'>) {
  return wanted === 'stopped' && state !== 'running'
}

function resultsText(name: string, evidence: StateEvidence, nowMs: number): string {
  const { state, pid, startedAtMs } = evidence
  if (state === 'running') {
    const uptime = startedAtMs === null ? '' : `, uptime ${uptimeText(nowMs - startedAtMs)}`
    return `${name} RUNNING${pid === null ? '' : ` pid ${pid}`}${uptime}`
  }
  if (state === 'stopped') return `${name} STOPPED`
  const cause = evidence.cause === '' ? '' : ` ${evidence.cause}`
  return `${name} STOPPED (${state.toUpperCase()}${cause})`
}

const DAY_SECONDS = 86_400

/** supervisord prints Python's timedelta: `0:12:34`, `1 day, 1:01:02`, `3 days, 0:00:07`. */
export function uptimeText(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / SECOND_MS))
  const days = Math.floor(seconds / DAY_SECONDS)
  const rest = seconds % DAY_SECONDS
  const clock = `${Math.floor(rest / 3600)}:${twoDigits(Math.floor(rest / 60) % 60)}:${twoDigits(rest % 60)}`
  if (days === 0) return clock
  return `${days} ${days === 1 ? 'day' : 'days'}, ${clock}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The text after the word 'uptime' (CON-IN-25); '' when there is none. */
export function uptimeFromResults(results: string): string {
  return /\buptime\s+(.+?)\s*$/m.exec(results)?.[1] ?? ''
}

/** STATE-02: running if the text contains RUNNING. */
export function isRunningText(results: string): boolean {
  return results.includes('RUNNING')
}

export type ContributionChip = 'Running' | 'Stopped' | 'Offline' | 'Error' | 'Disabled' | 'loading'

/** STATE-03; `null` stands for an answer that has not come yet. */
export function contributionChip(
  reply: { status: boolean; error?: string | undefined } | null,
): ContributionChip {
  if (reply === null) return 'loading'
  if (reply.status) return 'Running'
  if (reply.error === undefined || reply.error === '' || reply.error === EXIT_NOT_RUNNING) {
    return 'Stopped'
  }
  if (reply.error === EXIT_NO_SUCH_PROGRAM) return 'Offline'
  if (reply.error === ERROR_DISABLED) return 'Disabled'
  return 'Error'
}

/** The state that an encoder's answer stands for, also where it lacks our `state` (STATE-02). */
export function stateOfEncoderReply(reply: EncoderStatusReply): ProgramState {
  if (reply.state !== undefined) return reply.state
  if (!reply.status) return 'unreachable'
  return isRunningText(reply.results) ? 'running' : stateInBrackets(reply.results)
}

/** FEED-05, Q93: a feeder runs unless the text says STOPPED; an empty answer says nothing. */
export function stateOfFeederReply(reply: EncoderStatusReply): ProgramState {
  if (reply.results === '') return 'unknown'
  if (reply.state !== undefined) return reply.state
  return reply.results.includes('STOPPED') ? stateInBrackets(reply.results) : 'running'
}

/** The cause in an encoder's or feeder's text, where the answer has no error; '' for none. */
export function causeOfEncoderReply({ error, results }: EncoderStatusReply): string {
  return error ?? STOPPED_BRACKETS.exec(results)?.[2] ?? ''
}

/** As `resultsText` writes it: `NAME STOPPED (FATAL no route)`. */
const STOPPED_BRACKETS = /\bSTOPPED \(([A-Z]+) ?(.*)\)\s*$/s

function stateInBrackets(results: string): ProgramState {
  const word = STOPPED_BRACKETS.exec(results)?.[1]?.toLowerCase()
  return ProgramState.safeParse(word).data ?? 'stopped'
}

const STATE_OF_CHIP: Record<Exclude<ContributionChip, 'loading'>, ProgramState> = {
  Running: 'running',
  Stopped: 'stopped',
  Disabled: 'stopped',
  Offline: 'unreachable',
  Error: 'fatal',
}

/** The state that an input's or output's answer stands for, also where it lacks our `state`. */
export function stateOfContributionReply(reply: ContributionStatusReply): ProgramState {
  const { state, error } = reply
  if (state !== undefined && state !== 'disabled') return state
  if (error === ERROR_UNKNOWN) return 'unknown'
  const chip = contributionChip(reply)
  return chip === 'loading' ? 'unknown' : STATE_OF_CHIP[chip]
}

export type PeerState = 'connected' | 'disconnected' | ''

/** Begins the log of each new process, so that what an earlier one said is not held against it. */
export const START_MARK = '--- Started'

/**
 * FEED-11, STATE-05: the last line that speaks of a peer decides. 'disconnected' contains
 * 'connected', so it is tested first; SRT writes 'Accepted' with a capital.
 */
export function peerStateFromLog(lines: readonly string[]): PeerState {
  const line = peerLineOf(lines)
  if (line === undefined) return ''
  return /disconnected/i.test(line) ? 'disconnected' : 'connected'
}

/** The last line of the newest process that speaks of its peer. */
export function peerLineOf(lines: readonly string[]): string | undefined {
  const start = lines.findLastIndex((text) => text.startsWith(START_MARK))
  return lines.slice(start + 1).findLast((text) => /connected|accepted/i.test(text))
}
