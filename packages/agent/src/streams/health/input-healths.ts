/** The health of every input of every stream, and how long ago its programs were started. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { Context } from '../../context.ts'
import type { InputHealth } from './input-choice.rules.ts'
import { InputHealthTracker, LONGEST_LOOK_MS, SILENT_MS } from './input-health.ts'
import type { StoredStream } from '../definition/stream.schema.ts'
import { belongsTo, hlsId } from '../programs/stream.units.ts'

/**
 * From running programs to the first pictures of all inputs: a far SRT caller that lost its listener
 * took 4.2 s on an idle host, a RIST sender 3; more than twice that, for a busy one. Less would show
 * the standby after each restart, and ten seconds later the first input again.
 */
const START_MS = 10_000

export class InputHealthTrackers {
  readonly #ctx: Context
  /** By the packager's id. */
  #trackers = new Map<string, InputHealthTracker>()
  /** By the stream's name: what is left of its start. */
  readonly #startingMs = new Map<string, number>()
  /** By the stream's name: when somebody started it, of those that are starting. */
  readonly #startedAtMs = new Map<string, number>()
  #lookedAtMs = performance.now()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Its programs are about to be started: which of them is first says nothing. Say `begun` after it. */
  begin(name: string): void {
    this.#startingMs.set(name, Infinity)
  }

  /** The same, and for a command, or of a host that boots: until it is over, the stream has lost nothing. */
  beginAnew(name: string): void {
    this.begin(name)
    this.#startedAtMs.set(name, this.#ctx.clock())
  }

  /**
   * The agent has just started, and finds this of the packager of the input on show: supervisord of a host
   * that boots may have been quicker, and an agent that alone was restarted finds what runs for long.
   */
  beginStored(name: string, packager: Pick<ProgramReport, 'startedAtMs'> | null): void {
    const startedAtMs = packager?.startedAtMs ?? null
    const hasRun = startedAtMs !== null && this.#ctx.clock() - startedAtMs >= START_MS
    if (hasRun) this.begin(name)
    else this.beginAnew(name)
  }

  /**
   * Its programs run, as far as they do: the start lasts until the input on show is well, or START_MS
   * from now. What was read of the programs before tells nothing of these.
   */
  begun(name: string): void {
    if (!this.#startingMs.has(name)) return
    this.#startingMs.set(name, START_MS)
    for (const id of this.#trackers.keys()) if (belongsTo(id, name)) this.#trackers.delete(id)
  }

  isStarting(name: string): boolean {
    return this.#startingMs.has(name)
  }

  /** Since when it is started by a command or with its host; null once that is over. */
  startingSinceMs(name: string): number | null {
    return this.#startedAtMs.get(name) ?? null
  }

  health(stream: StoredStream, url: string): InputHealth {
    const tracker = this.#trackers.get(hlsId(stream, url))
    return tracker?.health(limitMsOf(stream)) ?? { isWell: false, wellForMs: 0 }
  }

  /** False just after the agent or the stream was started. */
  isKnown(stream: StoredStream, url: string): boolean {
    return this.#trackers.get(hlsId(stream, url))?.isKnown(limitMsOf(stream)) ?? false
  }

  advancedAtMs(stream: StoredStream, url: string): number | null {
    return this.#trackers.get(hlsId(stream, url))?.advancedAtMs ?? null
  }

  look(streams: readonly StoredStream[]): void {
    const nowMs = performance.now()
    const elapsedMs = Math.min(nowMs - this.#lookedAtMs, LONGEST_LOOK_MS)
    this.#lookedAtMs = nowMs
    this.#countStarts(elapsedMs)
    const trackers = new Map<string, InputHealthTracker>()
    for (const stream of streams.filter(({ disabled }) => !disabled)) {
      for (const { url } of stream.inputs) {
        const id = hlsId(stream, url)
        const tracker = this.#trackers.get(id) ?? new InputHealthTracker()
        tracker.look(this.#ctx.board.find(id)?.reading ?? null, elapsedMs, limitMsOf(stream))
        trackers.set(id, tracker)
      }
    }
    this.#trackers = trackers
    for (const stream of streams) this.#endStart(stream)
  }

  #endStart(stream: StoredStream): void {
    const hasBegun = Number.isFinite(this.#startingMs.get(stream.name))
    if (hasBegun && this.health(stream, stream.currentUrl).isWell) this.#end(stream.name)
  }

  #countStarts(elapsedMs: number): void {
    for (const [name, leftMs] of this.#startingMs) {
      if (leftMs > elapsedMs) this.#startingMs.set(name, leftMs - elapsedMs)
      else this.#end(name)
    }
  }

  #end(name: string): void {
    this.#startingMs.delete(name)
    this.#startedAtMs.delete(name)
  }
}

function limitMsOf(stream: StoredStream): number {
  return stream.sourceTimeoutS === null ? SILENT_MS : stream.sourceTimeoutS * 1000
}
