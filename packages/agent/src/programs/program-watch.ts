/**
 * Keeps the board true: supervisord's events and what the programs' logs say become states,
 * observations, restarts and their causes.
 */
import { isDeepStrictEqual } from 'node:util'
import { stateFromSupervisor } from '@trunkline/contract/program-state'
import type { Logger } from 'pino'
import { identityOf, isPaused } from '../supervisor/process-identity.ts'
import type { ProcessInfo } from '../supervisor/supervisor.client.ts'
import type { HostEvent, StateEvent } from '../supervisor/supervisor.events.ts'
import type { SupervisorListener } from '../supervisor/supervisor.ts'
import { isSilent, observe } from './observation.ts'
import type { ProgramBoard } from './program-board.ts'
import type { ProgramLogs } from './program-logs.ts'
import type { ProgramRecords } from './program-records.ts'
import type { StoredProgram } from './program.store.ts'
import { hasProcess, newLastLook, type Program, type SeenContent } from './program.ts'
import { stopAtOnce } from './reload-stop.ts'

const STOPPED_BY_HAND =
  'It was stopped on the host itself, as by supervisorctl. It is started again within a minute; to keep it stopped, stop it here.'
const ENDED_UNSEEN =
  'It ended. The supervisor of this host (supervisord) does not answer, so it is not started again yet.'
const SUPERVISOR_DIED = 'The host lost its supervisor (supervisord); the program is started again'
const RELOADED =
  'The supervisor of this host (supervisord) got a signal on the host itself to reload or to end; the program is started again.'
const OF_SUPERVISOR: ReadonlySet<string> = new Set([SUPERVISOR_DIED, RELOADED])

/** Two looks of the housekeeping. */
const FRESH_MS = 1000

const ENDED_FROM_OUTSIDE = /^Ended by SIG/

export interface ProgramWatchOptions {
  board: ProgramBoard
  logs: ProgramLogs
  records: ProgramRecords
  log: Logger
  clock: () => number
}

export class ProgramWatch implements SupervisorListener {
  readonly #board: ProgramBoard
  readonly #logs: ProgramLogs
  readonly #records: ProgramRecords
  readonly #log: Logger
  readonly #clock: () => number
  /** Names in supervisord's list that no program of ours has. */
  readonly strangers = new Set<string>()
  /** Programs of ours that supervisord's last list lacked. */
  readonly unlisted = new Set<string>()
  /** From supervisord's word that it stops all programs until it runs again. */
  #isReloading = false

  /** Why we ended this process ourselves; '' when we did not. */
  causeOfOurs: (program: Program, pid: number | null) => string = () => ''
  /** Called when a program has ended with its supervisor, and when it runs again. */
  onSupervisorLoss: () => void = () => undefined
  /** Who has a port that it needs; '' when all are free. */
  portTaken: (program: Program) => string = () => ''

  constructor({ board, logs, records, log, clock }: ProgramWatchOptions) {
    this.#board = board
    this.#logs = logs
    this.#records = records
    this.#log = log
    this.#clock = clock
  }

  /** Observes a program from now on. `stored`: what the agent before this process knew of it. */
  follow(program: Program, stored: StoredProgram | null): void {
    this.#logs.follow(program, stored, () => this.look(program))
  }

  forget(program: Program): void {
    this.#logs.forget(program)
    this.#records.forget(program)
  }

  /** What was to be seen and heard of it just now; null: nothing could be looked at. */
  noteContent(program: Program, content: SeenContent | null): void {
    if (!hasProcess(program.state)) return
    const none = { atMs: this.#clock(), picture: null, sound: null }
    program.lastLook = { ...program.lastLook, content: content ?? none }
    this.look(program)
  }

  /** Publishes what is observed of it, where that has changed. */
  look(program: Program): void {
    // An agent that was held up, as on a host without CPU to spare, has lines of that time left to read.
    if (isSilent(program, this.#clock())) this.#logs.catchUp(program)
    const before = program.observed
    program.isPaused = this.#isPaused(program)
    observe(program, this.#clock())
    if (!isDeepStrictEqual(before, program.observed)) this.#records.saveSoon(program)
    this.#board.publish(program)
  }

  /** One that has just reported media runs: the others are looked at. */
  #isPaused({ pid, reading }: Program): boolean {
    const isFresh =
      (reading?.bitrateKbps ?? 0) > 0 && this.#clock() - (reading?.atMs ?? 0) < FRESH_MS
    return pid !== null && !isFresh && isPaused(pid)
  }

  onMissed(events: readonly HostEvent[]): void {
    for (const event of events) {
      if ('supervisor' in event) {
        if (event.supervisor === 'running') this.onReloaded()
        else this.#noteReload()
        continue
      }
      const program = this.#board.find(event.programId)
      if (!program) continue
      if (isDeath(event)) this.#countUnlessReloading(program, () => '')
      else this.#noteManualStop(program, event.to)
      this.#enter(program, event.to, event.pid)
    }
  }

  onEvent(event: StateEvent): void {
    const program = this.#board.find(event.programId)
    if (!program) return
    if (isDeath(event))
      this.#countUnlessReloading(program, () => this.#causeOf(program, event.pid ?? program.pid))
    else this.#noteManualStop(program, event.to)
    this.#enter(program, event.to, event.pid)
    if (event.to === 'running') this.#noteRunning(program)
    this.look(program)
  }

  #noteRunning(program: Program): void {
    const wasLost = OF_SUPERVISOR.has(program.deathCause)
    program.deathCause = ''
    this.#records.save(program)
    if (wasLost) this.onSupervisorLoss()
  }

  onList(infos: readonly ProcessInfo[], outdated: ReadonlySet<string>): void {
    this.strangers.clear()
    const listed = new Set(infos.map((info) => info.name))
    for (const program of this.#board.all()) {
      if (listed.has(program.id)) this.unlisted.delete(program.id)
      else this.unlisted.add(program.id)
    }
    for (const info of infos) {
      const program = this.#board.find(info.name)
      if (!program) this.strangers.add(info.name)
      else if (!outdated.has(program.id)) this.#correct(program, info)
    }
    this.onSupervisorLoss()
  }

  /** Left to itself it stops one program after the other, and an encoder takes seconds. */
  onStopping(): void {
    stopAtOnce(this.#noteReload())
  }

  onReloaded(): void {
    if (!this.#isReloading) return
    this.#isReloading = false
    // Its event listener is stopped as well, so the last ends may never be reported.
    for (const program of this.#board.all()) {
      if (program.state !== 'stopping') continue
      this.#enter(program, 'exited', null)
      this.look(program)
    }
  }

  /** Each restart is counted and reported here, once, whatever events of the ends follow. */
  #noteReload(): Program[] {
    this.#isReloading = true
    const ended = this.#board.all().filter((program) => isUp(program) && !program.isStoppedByUs)
    for (const program of ended) {
      this.#countDeath(program, RELOADED)
      if (hasProcess(program.state)) this.#enter(program, 'stopping', program.pid)
      this.look(program)
    }
    this.onSupervisorLoss()
    return ended
  }

  onLost(): void {
    const isCounted = this.#isReloading
    this.#isReloading = false
    for (const program of this.#board.all()) {
      // An end that supervisord never reported is counted here: it was not counted when it was seen.
      if (!isUp(program) && program.deathCause !== ENDED_UNSEEN) continue
      if (!isCounted) this.#countDeath(program, SUPERVISOR_DIED)
      this.#enter(program, 'exited', null)
      this.look(program)
    }
    this.onSupervisorLoss()
  }

  /** Programs that ended with their supervisor, or were ended by its reload, and do not run again yet. */
  hasLostSupervisor(): boolean {
    return this.#board.all().some(isLostWithSupervisor)
  }

  /** While supervisord is silent: whose process is gone. It counts the death itself when it goes on. */
  noticeEnds(): void {
    for (const program of this.#board.all()) {
      if (program.pid === null || identityOf(program.pid) !== null) continue
      this.#enter(program, 'exited', null)
      program.deathCause = ENDED_UNSEEN
      this.look(program)
    }
  }

  /** What the list says where it differs: events were lost, or never came. */
  #correct(program: Program, info: ProcessInfo): void {
    const state = stateFromSupervisor(info.statename)
    const pid = info.pid > 0 ? info.pid : null
    const endedAtMs = pid === null && info.stop > 0 ? info.stop * 1000 : null
    program.sinceMs ??= endedAtMs
    if (program.state === state && program.pid === pid) return
    // In the first second supervisord knows the pid already, and its events do not tell it.
    if (program.state === state && program.pid === null) return
    if (state === 'running' && program.pid !== null && program.pid !== pid) {
      this.#countUnlessReloading(program, () => this.#causeOf(program, program.pid))
      this.#enter(program, 'exited', null)
    }
    this.#noteManualStop(program, state)
    this.#enter(program, state, pid)
    program.sinceMs = endedAtMs ?? program.sinceMs
    if (pid !== null && info.start > 0) program.startedAtMs = info.start * 1000
    this.#records.save(program)
    this.look(program)
  }

  #countUnlessReloading(program: Program, cause: () => string): void {
    if (!this.#isReloading) this.#countDeath(program, cause())
  }

  /** supervisord stops nothing by itself. */
  #noteManualStop(program: Program, state: Program['state']): void {
    if (state !== 'stopped' || !isUp(program) || program.isStoppedByUs) return
    if (this.#isReloading) return
    this.#countDeath(program, STOPPED_BY_HAND)
  }

  #enter(program: Program, state: Program['state'], pid: number | null): void {
    const nowMs = this.#clock()
    if (program.state !== state) program.sinceMs = nowMs
    if (!hasProcess(state)) program.reading = null
    program.state = state
    program.pid = hasProcess(state) ? (pid ?? (state === 'stopping' ? program.pid : null)) : null
    if (!hasProcess(state)) {
      program.startedAtMs = null
      program.runningRevision = ''
    } else if (state === 'starting' || program.runningRevision === '') {
      program.observed = null
      program.lastLook = newLastLook(nowMs)
      program.startedAtMs = nowMs
      program.runningRevision = program.revision
    }
  }

  #countDeath(program: Program, cause: string): void {
    if (program.wanted !== 'running') return
    program.restarts += 1
    program.deathCause = cause === '' ? program.deathCause : cause
    this.#records.save(program)
    this.#log.warn({ programId: program.id, cause }, 'a program ended by itself')
    this.#board.emit({
      type: 'restart',
      owner: program.owner,
      programId: program.id,
      atMs: this.#clock(),
      restarts: program.restarts,
      cause: program.deathCause,
    })
  }

  /** `pid`: of the process that ended. */
  #causeOf(program: Program, pid: number | null): string {
    const ours = this.causeOfOurs(program, pid)
    if (ours !== '') return ours
    const cause = this.#logs.causeOfDeath(program, pid)
    // What the tools say of a port that is taken names neither the port nor who has it.
    return ENDED_FROM_OUTSIDE.test(cause) ? cause : this.portTaken(program) || cause
  }
}

function isUp({ state }: Program): boolean {
  return hasProcess(state) || state === 'backoff'
}

function isLostWithSupervisor({ wanted, state, deathCause }: Program): boolean {
  const isAwaited = ['exited', 'stopped', 'stopping', 'starting'].includes(state)
  return wanted === 'running' && isAwaited && OF_SUPERVISOR.has(deathCause)
}

function isDeath(event: StateEvent): boolean {
  return event.to === 'exited' || event.to === 'backoff'
}
