/** The pulse of every input of every stream, and how long ago its programs were started. */
import type { Context } from '../context.ts'
import type { InputHealth } from './input-choice.rules.ts'
import { InputPulse, LONGEST_LOOK_MS, SILENT_MS } from './input-pulse.ts'
import type { StoredStream } from './stream.schema.ts'
import { hlsId } from './stream.units.ts'

/** What packagers take to their first pictures, on an idle host. */
const START_MS = 5000

export class InputPulses {
  readonly #ctx: Context
  /** By the packager's id. */
  #pulses = new Map<string, InputPulse>()
  /** By the stream's name: what is left of its start. */
  readonly #startingMs = new Map<string, number>()
  #lookedAtMs = performance.now()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Its programs are started: which of them is first says nothing. */
  begin(name: string): void {
    this.#startingMs.set(name, START_MS)
  }

  isStarting(name: string): boolean {
    return this.#startingMs.has(name)
  }

  health(stream: StoredStream, url: string): InputHealth {
    const pulse = this.#pulses.get(hlsId(stream, url))
    return pulse?.health(limitMsOf(stream)) ?? { isWell: false, wellForMs: 0 }
  }

  look(streams: readonly StoredStream[]): void {
    const nowMs = performance.now()
    const elapsedMs = Math.min(nowMs - this.#lookedAtMs, LONGEST_LOOK_MS)
    this.#lookedAtMs = nowMs
    this.#countStarts(elapsedMs)
    const pulses = new Map<string, InputPulse>()
    for (const stream of streams.filter((one) => !one.disabled)) {
      for (const { url } of stream.inputs) {
        const id = hlsId(stream, url)
        const pulse = this.#pulses.get(id) ?? new InputPulse()
        pulse.look(this.#ctx.board.find(id)?.reading ?? null, elapsedMs, limitMsOf(stream))
        pulses.set(id, pulse)
      }
    }
    this.#pulses = pulses
  }

  #countStarts(elapsedMs: number): void {
    for (const [name, leftMs] of this.#startingMs) {
      if (leftMs > elapsedMs) this.#startingMs.set(name, leftMs - elapsedMs)
      else this.#startingMs.delete(name)
    }
  }
}

function limitMsOf(stream: StoredStream): number {
  return stream.sourceTimeoutS === null ? SILENT_MS : stream.sourceTimeoutS * 1000
}
