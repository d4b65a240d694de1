/**
 * Begin and end of on air as events of their object, each with its exact time. Every API process writes
 * what it knows whenever marks change or a span begins or ends, and at its start what happened while none
 * ran; the database takes each turn once (event.store.ts).
 */
import type { Context, Db } from '../context.ts'
import type { Pending } from '../events/event-recorder.ts'
import * as eventStore from '../events/event.store.ts'
import * as onAirStore from './on-air.store.ts'
import type { StoredMark } from './on-air.store.ts'

type OnAirContext = Pick<Context, 'db' | 'log' | 'clock' | 'onAir'>

/** After a failed write. */
const WRITE_AGAIN_MS = 10_000

export function openOnAirEvents(ctx: OnAirContext): OnAirEvents {
  return new OnAirEvents(ctx)
}

export class OnAirEvents implements AsyncDisposable {
  readonly #ctx: OnAirContext
  readonly #stopHearing: () => void
  #writing: Promise<void> = Promise.resolve()
  #again: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(ctx: OnAirContext) {
    this.#ctx = ctx
    this.#stopHearing = ctx.onAir.listen(() => this.#write())
    this.#write()
  }

  /** Resolves when all that has begun or ended until now is written, or could not be. */
  async written(): Promise<void> {
    await this.#writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#stopHearing()
    clearTimeout(this.#again)
    await this.#writing
  }

  #write(): void {
    clearTimeout(this.#again)
    this.#writing = this.#writing.then(async () => {
      const { db, clock, log } = this.#ctx
      try {
        // Those that have ended are kept until the next object is put on air.
        const marks = await onAirStore.readOpen(db, 0)
        await eventStore.write(
          db,
          marks.flatMap((mark) => turnsOf(mark, clock())),
        )
      } catch (error) {
        log.error({ err: error }, 'What went on or off air could not be recorded.')
        if (!this.#isEnded) this.#again = setTimeout(() => this.#write(), WRITE_AGAIN_MS).unref()
      }
    })
  }
}

function turnsOf(mark: StoredMark, nowMs: number): Pending[] {
  const { fromMs, untilMs } = mark
  return [
    ...(fromMs <= nowMs ? [turnOf(mark, 'on', fromMs)] : []),
    ...(untilMs !== null && untilMs <= nowMs ? [turnOf(mark, 'off', untilMs)] : []),
  ]
}

/** By hand, in the transaction that does it. Nothing where it is so already. */
export async function recordTurn(
  db: Db,
  mark: StoredMark,
  state: 'on' | 'off',
  atMs: number,
): Promise<void> {
  await eventStore.write(db, [turnOf(mark, state, atMs)])
}

function turnOf({ kind, id }: StoredMark, state: 'on' | 'off', atMs: number): Pending {
  const event = { kind: 'air' as const, atMs, sinceMs: null, state, cause: '' }
  return { object: { kind, id }, facet: 'air', value: state, atMs, event }
}
