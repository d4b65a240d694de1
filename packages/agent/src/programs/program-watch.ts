/**
 * Keeps the board true: supervisord's events and the programs' own logs become states, peers,
 * readings, restarts and their causes.
 */
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { stateFromSupervisor } from '@trunkline/contract/program-state'
import type { Logger } from 'pino'
import { isDiskFull } from '../host/disk.ts'
import { causeOfDeath, endFrom } from '../logs/cause.ts'
import { datedLine } from '../logs/dated-line.ts'
import { LogTimes } from '../logs/log-times.ts'
import { isRistStatistics, pickRistLines } from '../logs/peer-state.ts'
import { linesOfRun } from '../logs/start-mark.ts'
import { LogFollower, type LogPosition } from '../logs/follow.ts'
import { redact } from '../logs/redact.ts'
import { endOf, pickWrittenLines, placedTail, tailLines } from '../logs/tail.ts'
import { logFile, type Layout } from '../supervisor/layout.ts'
import { identityOf } from '../supervisor/process-identity.ts'
import type { ProcessInfo } from '../supervisor/supervisor.client.ts'
import type { HostEvent, StateEvent } from '../supervisor/supervisor.events.ts'
import type { SupervisorListener } from '../supervisor/supervisor.ts'
import { FELL_BEHIND, LateEnds } from './late-end.ts'
import { LineReader } from './line-reader.ts'
import type { ProgramBoard } from './program-board.ts'
import { stopAtOnce } from './reload-stop.ts'
import * as programStore from './program.store.ts'
import type { StoredProgram } from './program.store.ts'
import { isSilent, newPulse, observe, type SeenContent } from './observation.ts'
import { hasProcess, peerOf, type Program } from './program.ts'

/** Lines: enough for a tool's last messages, and those of the next process since. */
const LAST_WORDS = 300
const SUPERVISOR_LOG_BYTES = 16_384
const STOPPED_BY_HAND =
  'It was stopped on the host itself, as by supervisorctl. It is started again within a minute; to keep it stopped, stop it here.'
const ENDED_UNSEEN =
  'It ended. The supervisor of this host (supervisord) does not answer, so it is not started again yet.'
const SUPERVISOR_DIED = 'The host lost its supervisor (supervisord); the program is started again'

const RELOADED =
  'The supervisor of this host (supervisord) got a signal on the host itself to reload or to end; the program is started again.'

export class ProgramWatch implements SupervisorListener {
  readonly #layout: Layout
  readonly #board: ProgramBoard
  readonly #log: Logger
  readonly #clock: () => number
  readonly #follower: LogFollower
  readonly #times: LogTimes
  readonly #lateEnds: LateEnds
  readonly #readers = new Map<string, LineReader>()
  /** Names in supervisord's list that no program of ours has. */
  readonly strangers = new Set<string>()
  /** Programs of ours that supervisord's last list lacked. */
  readonly unlisted = new Set<string>()
  /** From supervisord's word that it stops all programs until it runs again. */
  #isReloading = false
  readonly #unsaved = new Set<string>()
  /** Called when records cannot be written because the disk is full, and when they can again. */
  onWrites: (isFailing: boolean) => void = () => undefined

  /** Why we ended this process ourselves; '' when we did not. */
  causeOfOurs: (program: Program, pid: number | null) => string = () => ''

  constructor(layout: Layout, board: ProgramBoard, log: Logger, clock: () => number) {
    this.#layout = layout
    this.#board = board
    this.#log = log
    this.#clock = clock
    this.#follower = new LogFollower(layout.logsDir)
    this.#times = new LogTimes(layout.logsDir)
    this.#lateEnds = new LateEnds(clock)
  }

  [Symbol.dispose](): void {
    this.#follower[Symbol.dispose]()
    this.#lateEnds[Symbol.dispose]()
  }

  /** Begins to read a program's logs: where the sums of `stored` end, else from now on. */
  follow(program: Program, stored: StoredProgram | null): void {
    const reader = new LineReader(program, this.#clock)
    this.#readers.set(program.id, reader)
    if (stored) {
      reader.readPast(tailLines(this.#pathOf(program, 'err'), 100_000))
      program.pulse = { ...program.pulse, peer: stored.peer }
    }
    const resume = stored?.counted ?? null
    for (const stream of ['out', 'err'] as const) {
      const counts = reader.statistics === stream
      if (counts && resume) program.reading = resume.reading
      const from = counts ? (resume?.position ?? null) : null
      const name = this.#nameOf(program, stream)
      if (stream === 'err') this.#times.resume(name)
      this.#follower.follow(name, from, (lines, position) => {
        if (stream === 'err') this.#noteTime(name, lines, position)
        else this.#lateEnds.read(program, lines)
        reader.read(stream, lines)
        this.look(program)
      })
    }
  }

  /** What was to be seen and heard of it just now; null: nothing could be looked at. */
  noteContent(program: Program, content: SeenContent | null): void {
    if (!hasProcess(program.state)) return
    const none = { atMs: this.#clock(), picture: null, sound: null }
    program.pulse = { ...program.pulse, content: content ?? none }
    this.look(program)
  }

  /** Publishes what is observed of it, where that has changed. */
  look(program: Program): void {
    // An agent that was held up, as on a host without CPU to spare, has lines of that time left to read.
    if (isSilent(program, this.#clock())) this.#follower.catchUp(this.#statisticsOf(program))
    const before = program.observed
    observe(program, this.#clock())
    if (!isDeepStrictEqual(before, program.observed)) this.saveSoon(program)
    this.#board.publish(program)
  }

  /** Its last lines that are not empty, each with its time. */
  tail(program: Program, maxLines: number): string[] {
    const name = this.#nameOf(program, 'err')
    this.#follower.catchUp(name)
    const pick = program.unit.output === 'rist' ? pickRistLines : pickWrittenLines
    const lines = placedTail(this.#pathOf(program, 'err'), maxLines, pick)
    const times = this.#times.timesOf(name, lines)
    return lines.map(({ text }, index) => datedLine(text, times[index] ?? null))
  }

  forget(program: Program): void {
    this.#unsaved.delete(program.id)
    this.#times.forget(this.#nameOf(program, 'err'))
    this.#readers.delete(program.id)
    this.#lateEnds.forget(program)
    this.#follower.forget(this.#nameOf(program, 'out'))
    this.#follower.forget(this.#nameOf(program, 'err'))
  }

  /** Writes down what a restarted agent must know. */
  save(program: Program): void {
    this.#write(program, programStore.save)
  }

  /** Readings are sums: they are kept over a restart of ours. */
  saveAll(): void {
    for (const program of this.#board.all()) this.saveSoon(program)
  }

  /** A power cut may lose it. */
  saveSoon(program: Program): void {
    this.#write(program, programStore.saveSoon)
  }

  /** Programs with something not written, because the disk is full. */
  unsaved(): Program[] {
    return [...this.#unsaved].flatMap((id) => this.#board.find(id) ?? [])
  }

  /** Of `program` something could not be written; it is tried again. */
  noteUnsaved(program: Program, error: unknown): void {
    if (this.#unsaved.size === 0) {
      this.#log.error({ reason: String(error) }, 'records of programs cannot be written')
    }
    this.#unsaved.add(program.id)
    this.onWrites(isDiskFull(error))
  }

  /** A disk that takes nothing ends neither a stream nor the agent. */
  #write(program: Program, how: typeof programStore.save): void {
    try {
      how(this.#layout, this.#asStored(program))
    } catch (error) {
      return this.noteUnsaved(program, error)
    }
    if (this.#unsaved.delete(program.id) && this.#unsaved.size === 0) this.onWrites(false)
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
    if (event.to === 'running') {
      program.deathCause = ''
      this.save(program)
    }
    this.look(program)
  }

  onList(infos: readonly ProcessInfo[]): void {
    this.strangers.clear()
    const listed = new Set(infos.map((info) => info.name))
    for (const program of this.#board.all()) {
      if (listed.has(program.id)) this.unlisted.delete(program.id)
      else this.unlisted.add(program.id)
    }
    for (const info of infos) {
      const program = this.#board.find(info.name)
      if (!program) this.strangers.add(info.name)
      else this.#correct(program, info)
    }
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
    this.save(program)
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
      program.pulse = newPulse(nowMs)
      program.startedAtMs = nowMs
      program.runningRevision = program.revision
    }
  }

  #countDeath(program: Program, cause: string): void {
    if (program.wanted !== 'running') return
    program.restarts += 1
    program.deathCause = cause === '' ? program.deathCause : cause
    this.save(program)
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
    if (this.#lateEnds.hasEnded(program, pid)) return FELL_BEHIND
    const cause = this.causeOfOurs(program, pid)
    if (cause !== '') return cause
    const supervisorLines = endOf(this.#layout.supervisorLog, SUPERVISOR_LOG_BYTES).text.split('\n')
    const lines = linesOfRun(tailLines(this.#pathOf(program, 'err'), LAST_WORDS), pid)
    return redact(causeOfDeath(lines, endFrom(supervisorLines, program.id)), program.unit.secrets)
  }

  /** RIST's statistics are no part of a tail, and come all the time. */
  #noteTime(name: string, lines: readonly string[], position: LogPosition): void {
    if (!lines.every(isRistStatistics)) this.#times.note(name, position, this.#clock())
  }

  #statisticsOf(program: Program): string {
    return this.#nameOf(program, this.#readers.get(program.id)?.statistics ?? 'out')
  }

  #asStored(program: Program): StoredProgram {
    const { id, owner, spec, unit, ports, bus, revision, wanted } = program
    const { restarts, deathCause, changedByHand, written } = program
    const { pid, startedAtMs, runningRevision, observed, reading } = program
    const position = this.#follower.positionOf(this.#statisticsOf(program))
    const isUp = pid !== null && startedAtMs !== null
    return {
      id,
      owner,
      spec,
      unit: { ...unit, argv: [...unit.argv], secrets: [...unit.secrets] },
      ports: [...ports],
      bus,
      revision,
      wanted,
      restarts,
      deathCause,
      changedByHand,
      written,
      sinceMs: program.sinceMs,
      running: isUp ? { pid, startedAtMs, revision: runningRevision } : null,
      observed,
      peer: peerOf(program),
      counted: reading && position ? { reading, position } : null,
    }
  }

  #pathOf(program: Program, stream: 'out' | 'err'): string {
    return logFile(this.#layout, program.id, stream)
  }

  #nameOf(program: Program, stream: 'out' | 'err'): string {
    return basename(this.#pathOf(program, stream))
  }
}

function isUp({ state }: Program): boolean {
  return hasProcess(state) || state === 'backoff'
}

function isDeath(event: StateEvent): boolean {
  return event.to === 'exited' || event.to === 'backoff'
}
