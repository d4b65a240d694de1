/** Timers: readings are reported once a second, failed programs tried again, sums saved. */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { Context } from '../context.ts'
import { saveUnsaved, startAgain } from './program.service.ts'
import { hasProcess } from './program.ts'

const READINGS_MS = 1000
/** supervisord gives up after three tries (FATAL), for ever: a name server may be back by now. */
const RETRY_AFTER_MS = 30_000
const RETRY_LOOK_MS = 5000
/** How soon records are written once the disk has space again. */
const UNSAVED_MS = 2000
/** Log files hold half an hour of statistics and more: nothing is lost between two saves. */
const SAVE_MS = 300_000
/** How soon silence is noticed, after it has lasted long enough to be called that. */
const LOOK_MS = 500
/** A supervisord that owes an answer for so long does not tell of deaths either. */
const SLOW_ANSWER_MS = 1000

export function startHousekeeping(ctx: Context): Disposable {
  const readings = new ReadingReporter(ctx)
  const retries = new Map<string, number>()
  const timers = [
    setInterval(() => lookAtAll(ctx), LOOK_MS),
    setInterval(() => readings.report(), READINGS_MS),
    setInterval(() => {
      if (ctx.supervisor.silentMs < SLOW_ANSWER_MS) retryFailed(ctx, retries)
    }, RETRY_LOOK_MS),
    setInterval(() => void saveUnsaved(ctx), UNSAVED_MS),
    setInterval(() => ctx.records.saveAll(), SAVE_MS),
  ]
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearInterval(timer)) }
}

function lookAtAll(ctx: Context): void {
  if (ctx.supervisor.silentMs > SLOW_ANSWER_MS) ctx.watch.noticeEnds()
  for (const program of ctx.board.all()) if (hasProcess(program.state)) ctx.watch.look(program)
}

export function retryFailed(ctx: Context, triedAtMs: Map<string, number>): void {
  const nowMs = ctx.clock()
  for (const program of ctx.board.all()) {
    const isFailed = program.state === 'fatal' || program.state === 'stopped'
    // What supervisord stopped late was to be started again at once.
    const endedAtMs = program.isStoppedByUs ? 0 : (program.sinceMs ?? 0)
    const lastMs = Math.max(triedAtMs.get(program.id) ?? 0, endedAtMs)
    if (program.wanted !== 'running' || !isFailed || nowMs - lastMs < RETRY_AFTER_MS) continue
    triedAtMs.set(program.id, nowMs)
    startAgain(ctx, program).catch((error: unknown) => {
      program.deathCause = error instanceof Error ? error.message : String(error)
      ctx.board.publish(program)
    })
  }
}

class ReadingReporter {
  readonly #ctx: Context
  readonly #reported = new Map<string, Reading>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  report(): void {
    const byOwner = new Map<string, { programId: string; reading: Reading }[]>()
    for (const program of this.#ctx.board.all()) {
      const { reading } = program
      if (!reading || this.#reported.get(program.id) === reading) continue
      this.#reported.set(program.id, reading)
      const list = byOwner.get(program.owner) ?? []
      byOwner.set(program.owner, [...list, { programId: program.id, reading }])
    }
    for (const [owner, readings] of byOwner) {
      this.#ctx.board.emit({ type: 'readings', owner, readings })
    }
  }
}
