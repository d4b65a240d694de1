/**
 * Ends an encoder that has announced its end and still runs. It fell behind by more than its send
 * buffer holds; ffmpeg then gives up, and sends the rest of the buffer at its usual pace before it
 * leaves: seconds of old pictures, while the next process waits.
 */
import { hasProcess, type Program } from './program.ts'

export const FELL_BEHIND =
  'The encoder fell too far behind to catch up, so it was ended and started again. Check the load of its host.'

/** A line that is read this soon may be the last word of the process before. */
const YOUNGEST_MS = 3000
/** Longer than the second between two of ffmpeg's reports: what goes on has spoken again by then. */
const GRACE_MS = 1200

export class LateEnds implements Disposable {
  readonly #clock: () => number
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  /** The process of each program that was ended here last. */
  readonly #endedPids = new Map<string, number>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  [Symbol.dispose](): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }

  /** Lines of ffmpeg's reports. The last `progress=` counts: who goes on has not ended. */
  read(program: Program, lines: readonly string[]): void {
    if (program.spec?.kind !== 'encoder') return
    const word = lines.findLast((line) => line.startsWith('progress='))?.trim()
    if (word === undefined) return
    this.#forgetTimer(program.id)
    const { pid, startedAtMs } = program
    if (word !== 'progress=end' || pid === null || startedAtMs === null) return
    if (this.#clock() - startedAtMs < YOUNGEST_MS) return
    const timer = setTimeout(() => this.#end(program, pid), GRACE_MS)
    this.#waiting.set(program.id, timer.unref())
  }

  /** Whether this process of a program was ended here. */
  hasEnded(program: Program, pid: number | null): boolean {
    return pid !== null && this.#endedPids.get(program.id) === pid
  }

  forget(program: Program): void {
    this.#forgetTimer(program.id)
    this.#endedPids.delete(program.id)
  }

  #forgetTimer(programId: string): void {
    clearTimeout(this.#waiting.get(programId))
    this.#waiting.delete(programId)
  }

  #end(program: Program, pid: number): void {
    this.#waiting.delete(program.id)
    const isStill = program.pid === pid && hasProcess(program.state)
    if (!isStill || program.state === 'stopping' || program.isStoppedByUs) return
    this.#endedPids.set(program.id, pid)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has gone in this moment, by itself.
      this.#endedPids.delete(program.id)
    }
  }
}
