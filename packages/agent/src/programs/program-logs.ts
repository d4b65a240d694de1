/** The log files of the programs: followed for their meaning, read for their tail and for a cause of death. */
import { basename } from 'node:path'
import { causeOfDeath, endFrom } from '../logs/cause.ts'
import { datedLine } from '../logs/dated-line.ts'
import { LogFollower, type LogPosition } from '../logs/follow.ts'
import { LogTimes } from '../logs/log-times.ts'
import { isRistStatistics, pickRistLines } from '../logs/peer-state.ts'
import { redact } from '../logs/redact.ts'
import { linesOfRun } from '../logs/start-mark.ts'
import { endOf, pickWrittenLines, placedTail, tailLines } from '../logs/tail.ts'
import { logFile, type Layout } from '../supervisor/layout.ts'
import { FELL_BEHIND, LateEnds } from './late-end.ts'
import { LineReader } from './line-reader.ts'
import type { StoredProgram } from './program.store.ts'
import type { Program } from './program.ts'

type Stream = 'out' | 'err'

/** Lines of before the agent's start, for what they say of the peer. */
const PAST_LINES = 100_000
/** Lines: enough for a tool's last messages, and those of the next process since. */
const LAST_WORDS = 300
const SUPERVISOR_LOG_BYTES = 16_384

export class ProgramLogs implements Disposable {
  readonly #layout: Layout
  readonly #clock: () => number
  readonly #follower: LogFollower
  readonly #times: LogTimes
  readonly #lateEnds: LateEnds
  readonly #readers = new Map<string, LineReader>()

  constructor(layout: Layout, clock: () => number) {
    this.#layout = layout
    this.#clock = clock
    this.#follower = new LogFollower(layout.logsDir)
    this.#times = new LogTimes(layout.logsDir)
    this.#lateEnds = new LateEnds(clock)
  }

  [Symbol.dispose](): void {
    this.#follower[Symbol.dispose]()
    this.#lateEnds[Symbol.dispose]()
  }

  /**
   * Begins to read a program's logs: where the sums of `stored` end, else from now on. `onRead`: peer
   * and readings of the program are those of the newest lines.
   */
  follow(program: Program, stored: StoredProgram | null, onRead: () => void): void {
    const reader = new LineReader(program, this.#clock)
    this.#readers.set(program.id, reader)
    if (stored) {
      reader.readPast(tailLines(this.#pathOf(program, 'err'), PAST_LINES))
      program.lastLook = { ...program.lastLook, peer: stored.peer }
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
        onRead()
      })
    }
  }

  /** Reads the statistics that were written by now. */
  catchUp(program: Program): void {
    this.#follower.catchUp(this.#statisticsOf(program))
  }

  /** How far the statistics are counted; null when its logs are not followed. */
  countedTo(program: Program): LogPosition | null {
    return this.#follower.positionOf(this.#statisticsOf(program))
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
    this.#times.forget(this.#nameOf(program, 'err'))
    this.#readers.delete(program.id)
    this.#lateEnds.forget(program)
    this.#follower.forget(this.#nameOf(program, 'out'))
    this.#follower.forget(this.#nameOf(program, 'err'))
  }

  /** Why the process with this pid ended, redacted: its own last lines, and what supervisord saw. */
  causeOfDeath(program: Program, pid: number | null): string {
    if (this.#lateEnds.hasEnded(program, pid)) return FELL_BEHIND
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

  #pathOf(program: Program, stream: Stream): string {
    return logFile(this.#layout, program.id, stream)
  }

  #nameOf(program: Program, stream: Stream): string {
    return basename(this.#pathOf(program, stream))
  }
}
