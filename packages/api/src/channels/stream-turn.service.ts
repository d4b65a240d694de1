/**
 * Commands to one stream, each with its own reading before it, one after the other: of two that
 * change the list of pushes at once the second builds on what the first has left. In this process
 * they keep their order; among several processes the database says whose turn it is.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import { newId } from '../id.ts'
import * as streamTurnStore from './stream-turn.store.ts'
import type { StreamTurn } from './stream-turn.store.ts'

export interface TurnPace {
  /** Its process may have ended by then, and others go on. Reading, writing and reading again take 12 s. */
  heldMs: number
  /** What is left of a turn must suffice for a write, which takes 5 s at most. */
  writeMs: number
  /** Longer than a command to a server that is slow, not than two of them. */
  waitMs: number
  lookAgainMs: number
}

export const TURN_PACE: TurnPace = {
  heldMs: 20_000,
  writeMs: 6000,
  waitMs: 15_000,
  lookAgainMs: 100,
}

export interface Turn {
  /** Before a write. Throws when this process was held up for so long that others may have the turn. */
  assertHeld(): void
}

type Stream = Pick<StreamTurn, 'serverId' | 'streamName'>

/** Throws a conflict when others command the stream for so long that this one has not begun. */
export async function inTurn<T>(
  ctx: Context,
  stream: Stream,
  command: (turn: Turn) => Promise<T>,
  pace: TurnPace = TURN_PACE,
): Promise<T> {
  const { serverId, streamName } = stream
  const begun = Promise.withResolvers<void>()
  const waiting = new AbortController()
  const limit = setTimeout(() => {
    waiting.abort()
    begun.reject(busy())
  }, pace.waitMs)
  const done = ctx.board.questions.inTurn(serverId, streamName, async () => {
    await using turn = await take(ctx, stream, pace, waiting.signal)
    clearTimeout(limit)
    begun.resolve()
    // Awaited here: the turn ends with this function.
    return await command(turn)
  })
  try {
    await Promise.race([begun.promise, done])
    return await done
  } finally {
    clearTimeout(limit)
  }
}

async function take(
  ctx: Context,
  stream: Stream,
  pace: TurnPace,
  signal: AbortSignal,
): Promise<Turn & AsyncDisposable> {
  const turnId = newId()
  for (;;) {
    if (signal.aborted) throw busy()
    const nowMs = ctx.clock()
    const untilMs = nowMs + pace.heldMs
    const turn = { ...stream, turnId, until: new Date(untilMs).toISOString() }
    if (await streamTurnStore.take(ctx.db, turn, new Date(nowMs).toISOString())) {
      return {
        assertHeld() {
          if (ctx.clock() + pace.writeMs > untilMs) throw tooLate()
        },
        [Symbol.asyncDispose]: async () => release(ctx, turn),
      }
    }
    await delay(pace.lookAgainMs, undefined, { signal }).catch(() => undefined)
  }
}

/** What was commanded is done, whether others are let on at once or when the turn runs out. */
async function release(ctx: Context, turn: StreamTurn): Promise<void> {
  try {
    await streamTurnStore.remove(ctx.db, turn)
  } catch (error) {
    ctx.log.error({ err: error, streamName: turn.streamName }, 'a turn could not be ended')
  }
}

function busy() {
  return conflict('Somebody else is changing this stream. Check it and try again in a few seconds.')
}

function tooLate() {
  return conflict(
    'This took too long, and nothing was changed: somebody else may be changing the stream. Check it, then try again.',
  )
}
