/** A program in the agent's memory, and its report. */
import type { ProgramReport, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { TransportReport } from '@trunkline/contract/fleet/transport.schema'
import type { PeerState, ProgramState } from '@trunkline/contract/program-state'
import type { Unit } from '../commands/unit.ts'
import type { UdpAddress } from '../host/free-port.ts'
import { retriesOf, type PeerView } from '../logs/peer-state.ts'
import { pathTrouble } from '../stats/rist-paths.ts'
import type { WrittenFiles } from '../supervisor/written-files.ts'
import type { Pulse } from './observation.ts'

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
  /** A command starts it, or restarts it: between two processes it is not stopped. */
  isBeingStarted: boolean
  peer: PeerView
  /** Null while no process runs. */
  observed: Observed | null
  pulse: Pulse
  reading: Reading | null
}

export function reportOf(program: Program): ProgramReport {
  const { id, revision, spec: _spec, ...rest } = program
  return {
    programId: id,
    state: stateOf(program),
    wanted: rest.wanted,
    sinceMs: rest.sinceMs,
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
  if (program.isBeingStarted && program.state === 'stopped') return 'starting'
  const isOver = program.state === 'fatal' || program.state === 'exited'
  return program.wanted === 'stopped' && isOver ? 'stopped' : program.state
}

function causeOf(program: Program): string {
  if (program.state === 'running') return program.peer.trouble || pathTroubleOf(program.reading)
  return program.wanted === 'stopped' ? '' : program.deathCause
}

function pathTroubleOf(reading: Reading | null): string {
  return reading?.kind === 'link' ? pathTrouble(reading) : ''
}

export function peerOf(program: Program): PeerState {
  return hasProcess(program.state) ? program.peer.peer : ''
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
