/** What is done by the clock: readings told once a second, failed programs tried again, sums kept. */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { Context } from '../context.ts'
import { startAgain } from './program.service.ts'
import { hasProcess, type Program } from './program.ts'

const READINGS_MS = 1000
/** supervisord gives up after three tries (FATAL), for ever: a name server may be back by now. */
const RETRY_AFTER_MS = 30_000
const RETRY_LOOK_MS = 5000
/** Log files hold half an hour of statistics and more: nothing is lost between two saves. */
const SAVE_MS = 300_000
/** A tool that counts packets is silent when none come; this much longer than usual is silence. */
const SILENCE_FACTOR = 3
const SILENCE_MIN_MS = 5000

export function keepHouse(ctx: Context): Disposable {
  const readings = new ReadingTeller(ctx)
  const retries = new Map<string, number>()
  const timers = [
    setInterval(() => readings.tell(), READINGS_MS),
    setInterval(() => retryFailed(ctx, retries), RETRY_LOOK_MS),
    setInterval(() => ctx.watch.saveAll(), SAVE_MS),
  ]
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearInterval(timer)) }
}

export function retryFailed(ctx: Context, triedAtMs: Map<string, number>): void {
  const nowMs = ctx.clock()
  for (const program of ctx.board.all()) {
    const isFailed = program.state === 'fatal' || program.state === 'stopped'
    const lastMs = Math.max(triedAtMs.get(program.id) ?? 0, program.sinceMs)
    if (program.wanted !== 'running' || !isFailed || nowMs - lastMs < RETRY_AFTER_MS) continue
    triedAtMs.set(program.id, nowMs)
    startAgain(ctx, program).catch((error: unknown) => {
      program.deathCause = error instanceof Error ? error.message : String(error)
      ctx.board.tell(program)
    })
  }
}

class ReadingTeller {
  readonly #ctx: Context
  readonly #told = new Map<string, Reading>()
  /** How long it usually takes from one reading to the next. */
  readonly #gapMs = new Map<string, number>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  tell(): void {
    const byOwner = new Map<string, { programId: string; reading: Reading }[]>()
    for (const program of this.#ctx.board.all()) {
      this.#noticeSilence(program)
      const { reading } = program
      if (!reading || this.#told.get(program.id) === reading) continue
      this.#learnGap(program.id, reading)
      this.#told.set(program.id, reading)
      const list = byOwner.get(program.owner) ?? []
      byOwner.set(program.owner, [...list, { programId: program.id, reading }])
    }
    for (const [owner, readings] of byOwner) {
      this.#ctx.board.emit({ type: 'readings', owner, readings })
    }
  }

  #learnGap(programId: string, reading: Reading): void {
    const before = this.#told.get(programId)
    if (before && reading.bitrateKbps > 0) this.#gapMs.set(programId, reading.atMs - before.atMs)
  }

  /** "Connected" is not "data flows" (dataplane.md 0.1 rule 7): an old rate must not stand. */
  #noticeSilence(program: Program): void {
    const { reading } = program
    if (!reading || reading.bitrateKbps === 0 || !hasProcess(program.state)) return
    const usualMs = this.#gapMs.get(program.id) ?? 0
    const nowMs = this.#ctx.clock()
    if (nowMs - reading.atMs < Math.max(SILENCE_MIN_MS, usualMs * SILENCE_FACTOR)) return
    const rates = reading.kind === 'encode' ? { framesPerSecond: 0, speed: 0 } : {}
    program.reading = { ...reading, ...rates, bitrateKbps: 0, atMs: nowMs }
  }
}
