/** A program in the agent's memory, and its report. */
import type { ProgramReport, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { TransportContent, TransportReport } from '@trunkline/contract/fleet/transport.schema'
import { PAUSED, type PeerState, type ProgramState } from '@trunkline/contract/program-state'
import type { Unit } from '../commands/unit.ts'
import type { UdpAddress } from '../host/free-port.ts'
import { NO_PEER_YET, retriesOf, type PeerView } from '../logs/peer-state.ts'
import type { LossWindow } from '../stats/loss-window.ts'
import { pathTrouble } from '../stats/rist-paths.ts'
import type { WrittenFiles } from '../supervisor/written-files.ts'

export type Wanted = ProgramReport['wanted']

export interface Program {
  readonly id: string
  /** The seat that it was applied through, or 'media'. Others neither see nor touch it. */
  readonly owner: string
  /** Null for units that streams build themselves. */
  spec: ProgramSpec | null
  unit: Unit
  /** UDP ports that it takes for itself while it runs. */
  ports: readonly number[]
  /** Where a unit without a specification meets others of ours on the local bus; null: nowhere. */
  bus: UdpAddress | null
  revision: string
  wanted: Wanted
  state: ProgramState
  /** When that began; null of a program that has not run yet, as far as known. */
  sinceMs: number | null
  startedAtMs: number | null
  pid: number | null
  /** Why it is not well, as far as supervisord's events and the dead process's log say. */
  deathCause: string
  restarts: number
  /** Of the script that the running process was started with; '' while none runs. */
  runningRevision: string
  /** What somebody changed on the host itself, a sentence; '' for nothing. */
  changedByHand: string
  /** Its script and section as we wrote them last. */
  written: WrittenFiles
  /** supervisord may have loaded a section that is not ours: it is given ours before the next start. */
  isSectionSuspect: boolean
  /**
   * While we stop it ourselves, and after that until it is done; any other stop is somebody's on the
   * host.
   */
  isStoppedByUs: boolean
  /** Since when a command starts it, or restarts it: without a process it is not stopped meanwhile. */
  startAskedAtMs: number | null
  /** A stop signal holds its process up: what it said last holds no more. */
  isPaused: boolean
  peer: PeerView
  /** Null while no process runs. */
  observed: Observed | null
  lastLook: LastLook
  reading: Reading | null
}

/** What the last look found; the next one is compared with it. In memory only. */
export interface LastLook {
  /** From when on a reading that does not come is missed; after a start of ours lines are read first. */
  watchedSinceMs: number
  lastReadingAtMs: number | null
  /** How long it usually takes from one reading to the next. */
  usualGapMs: number
  /** Of the last reading with media in it. */
  movedAtMs: number | null
  /** When the media of that reading ended, if none came after it. */
  mediaEndMs: number | null
  /** Sum of the last reading; null before the first of a link. */
  packets: number | null
  /** In a reading of the usual length. */
  usualPackets: number
  peer: string
  /** When a call was rejected last; null: not since the agent began to read. */
  rejectedAtMs: number | null
  loss: LossWindow
  /** What was to be seen and heard at the last look; null before the first. */
  content: SeenContent | null
}

export type SeenContent = Pick<TransportContent, 'atMs' | 'picture' | 'sound'>

export function newLastLook(nowMs: number): LastLook {
  return {
    watchedSinceMs: nowMs,
    lastReadingAtMs: null,
    usualGapMs: 0,
    movedAtMs: null,
    mediaEndMs: null,
    packets: null,
    usualPackets: 0,
    peer: '',
    rejectedAtMs: null,
    loss: [],
    content: null,
  }
}

/** What a program is made of. */
export interface NewProgram {
  programId: string
  owner: string
  spec: ProgramSpec | null
  revision: string
  unit: Unit
  wanted: Wanted
  /** UDP ports that it takes for itself: a start on a taken one is refused. */
  ports: readonly number[]
  /** Where it meets others of ours on the local bus: a start is refused while another agent is there. */
  bus: UdpAddress | null
}

/** As it stands before its first start. */
export function newProgram(asked: NewProgram, nowMs: number): Program {
  const { programId, owner, spec, unit, ports, bus, revision, wanted } = asked
  return {
    id: programId,
    owner,
    spec,
    unit,
    ports,
    bus,
    revision,
    wanted,
    state: 'stopped',
    sinceMs: null,
    startedAtMs: null,
    pid: null,
    deathCause: '',
    restarts: 0,
    runningRevision: '',
    changedByHand: '',
    written: { script: '', section: '' },
    isSectionSuspect: false,
    isStoppedByUs: false,
    startAskedAtMs: null,
    isPaused: false,
    peer: NO_PEER_YET,
    observed: null,
    lastLook: newLastLook(nowMs),
    reading: null,
  }
}

export function reportOf(program: Program): ProgramReport {
  const { id, revision, spec: _spec, ...rest } = program
  return {
    programId: id,
    state: stateOf(program),
    wanted: rest.wanted,
    // What stood before began long ago: a start as old as that would have failed.
    sinceMs: isAskedToStart(program) ? rest.startAskedAtMs : rest.sinceMs,
    startedAtMs: rest.startedAtMs,
    pid: rest.pid,
    cause: causeOf(program),
    restarts: rest.restarts,
    retries: program.state === 'running' ? retriesOf(rest.peer) : rest.restarts,
    hasFarEnd: rest.unit.direction !== 'none',
    peer: peerOf(program),
    observed: rest.observed,
    appliedRevision: revision,
    runningRevision: rest.runningRevision,
    changedByHand: rest.changedByHand,
    reading: hasProcess(program.state) ? rest.reading : null,
  }
}

/** An unwanted program counts as stopped, however it ended before. */
function stateOf(program: Program): ProgramState {
  if (isAskedToStart(program)) return 'starting'
  const isOver = program.state === 'fatal' || program.state === 'exited'
  return program.wanted === 'stopped' && isOver ? 'stopped' : program.state
}

function isAskedToStart({ startAskedAtMs, state }: Program): boolean {
  return startAskedAtMs !== null && ['stopped', 'exited', 'fatal'].includes(state)
}

function causeOf(program: Program): string {
  if (program.state === 'running' && program.isPaused) return PAUSED
  if (program.state === 'running') return program.peer.trouble || pathTroubleOf(program.reading)
  return program.wanted === 'stopped' ? '' : program.deathCause
}

function pathTroubleOf(reading: Reading | null): string {
  return reading?.kind === 'link' ? pathTrouble(reading) : ''
}

export function peerOf(program: Program): PeerState {
  return hasProcess(program.state) && !program.isPaused ? program.peer.peer : ''
}

export function hasProcess(state: ProgramState): boolean {
  return state === 'starting' || state === 'running' || state === 'stopping'
}

/** What listeners get; `owner`: the seat whose program it is. */
export type ProgramEvent =
  | { type: 'program'; owner: string; report: ProgramReport }
  | { type: 'removed'; owner: string; programId: string }
  | {
      type: 'restart'
      owner: string
      programId: string
      atMs: number
      restarts: number
      cause: string
    }
  | {
      type: 'readings'
      owner: string
      readings: { programId: string; reading: Reading }[]
    }
  | {
      type: 'transports'
      owner: string
      /** Null of one that is not measured any more. */
      transports: readonly { programId: string; report: TransportReport | null }[]
    }
