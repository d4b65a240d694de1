/**
 * Keeps what encoders, links and channels measure: each step of ten seconds is written once it is over, some
 * hundreds in one transaction. Once a minute the minutes are made of them, some hundred programs at a time, and
 * what is too old goes, a few rows at a time, so that nobody waits for it. A restart loses at most the step that was under way.
 */
import { downstreamKbps } from '@trunkline/contract/channels/channel.rules'
import { HISTORY_STEPS } from '@trunkline/contract/contributions/history.calls'
import type { Context } from '../../context.ts'
import { eachInSlices } from '../../in-slices.ts'
import { newestS, oldestS, removeOldest } from './steps.store.ts'
import type { KnownStream } from '../../fleet/streams/stream-board.ts'
import type { HostsEvent } from '../../hosts/hosts-event.ts'
import { HistoryRecorder, type Heard } from './history-recorder.ts'
import {
  channelName,
  LONG_STEP_S,
  SHORT_STEP_S,
  stepStartS,
  type LinkSample,
} from './history.rules.ts'
import { DayCounter } from './day-counter.ts'
import * as linkDayStore from './link-day.store.ts'
import { UnmadeMinutes } from './unmade-minutes.ts'
import * as historyStore from './history.store.ts'

/** Readings of a step that come a little late still belong to it. */
const GRACE_MS = 1500
/** A media server is asked every ten seconds while nobody looks; an answer may take some time. */
const STREAM_READ_MS = 15_000
/** An hour more than the longest span that is asked of them. */
const SHORT_KEPT_S = HISTORY_STEPS['1h'].lengthMs / 1000 + 3600
const LONG_KEPT_S = HISTORY_STEPS['24h'].lengthMs / 1000 + 2 * 3600
/** An API that is killed loses so much of what links counted on the day. */
const DAYS_EVERY_MS = 5 * 60_000
/** So many take SQLite 5 ms, and as long again to be durable: others have their turn between. */
const WRITTEN_AT_ONCE = 200

/** SQLite works in our own thread. */
async function turnOfOthers(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

export type HistoryContext = Pick<Context, 'db' | 'log' | 'clock'>

/** Listens until it is disposed, and then writes what it has gathered. Dispose it before the context. */
export function openHistory(
  ctx: HistoryContext & Pick<Context, 'hosts' | 'programs' | 'board'>,
): AsyncDisposable {
  const keeper = new HistoryKeeper(ctx)
  const heardOf = (programId: string): Heard | null => {
    const wanted = ctx.programs.wanted(programId)
    // Of several processes the one with the link writes it down.
    if (wanted === undefined || !ctx.hosts.isOwn(wanted.address)) return null
    return ctx.hosts.report(wanted) ?? SILENT
  }
  const stopHearing = ctx.hosts.listen((event) => keeper.hear(event, heardOf))
  let timer: NodeJS.Timeout
  let working = Promise.resolve()
  const work = async () => {
    await keeper.hearStreams(ctx.board.streams.channels())
    await keeper.work()
    if (!keeper.isEnded) timer = setTimeout(begin, untilNextMs(ctx.clock())).unref()
  }
  const begin = () => {
    working = work()
  }
  timer = setTimeout(begin, untilNextMs(ctx.clock())).unref()
  return {
    async [Symbol.asyncDispose]() {
      stopHearing()
      clearTimeout(timer)
      keeper.end()
      await working
      await keeper.hearStreams(ctx.board.streams.channels())
      await keeper.writeAll()
    },
  }
}

const SILENT: Heard = { reading: null, startedAtMs: null }

/** A rate alone, as of an encoder. */
const NO_ENCODE = {
  kind: 'encode',
  framesPerSecond: 0,
  speed: 0,
  droppedFrames: 0,
  duplicatedFrames: 0,
} as const

function rateOf(stream: KnownStream['status']['stream']): number | null {
  return stream === null ? null : downstreamKbps(stream)
}

function untilNextMs(nowMs: number): number {
  const stepMs = SHORT_STEP_S * 1000
  const intoStepMs = (nowMs - GRACE_MS) % stepMs
  return stepMs - intoStepMs
}

/** The work without the timer. */
export class HistoryKeeper {
  readonly #ctx: HistoryContext
  readonly #recorder: HistoryRecorder
  readonly #days = new DayCounter()
  #daysWrittenMs: number
  #isEnded = false
  readonly #unmade = new UnmadeMinutes()
  /** Up to where minutes were made; null until what an earlier run has left was looked for. */
  #madeToS: number | null = null

  constructor(ctx: HistoryContext) {
    this.#ctx = ctx
    this.#recorder = new HistoryRecorder(ctx.clock())
    this.#daysWrittenMs = ctx.clock()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  end(): void {
    this.#isEnded = true
  }

  /** `heardOf` answers null for what is no program of ours. */
  hear(event: HostsEvent, heardOf: (programId: string) => Heard | null): void {
    if (event.type !== 'readings' && event.type !== 'programs') return
    const nowMs = this.#ctx.clock()
    for (const programId of event.programIds) {
      const heard = heardOf(programId)
      if (heard === null) {
        this.#recorder.forget(programId)
        this.#unmade.forget(programId)
      } else this.#recorder.hear(programId, heard, nowMs)
    }
  }

  /** Once a step, for the one that has just ended: of a stream its last reading counts. */
  async hearStreams(streams: readonly KnownStream[]): Promise<void> {
    const nowMs = this.#ctx.clock()
    const endedMs = stepStartS(nowMs - GRACE_MS, SHORT_STEP_S) * 1000 - 1
    // Asked late, the step before is too old to be taken: then it is a reading of the next.
    const atMs = Math.max(endedMs, nowMs - SHORT_STEP_S * 1000)
    await eachInSlices(streams, ({ channel, status }) => {
      const kbps = status.stream?.disabled === true ? null : rateOf(status.stream)
      if (kbps === null || nowMs - (status.readAtMs ?? 0) > STREAM_READ_MS) return
      const reading = { ...NO_ENCODE, atMs, bitrateKbps: kbps }
      this.#recorder.hear(channelName(channel.id), { reading, startedAtMs: null }, nowMs)
    })
  }

  /** Once a step. Never throws: what cannot be written is tried again with the next. */
  async work(): Promise<void> {
    const nowMs = this.#ctx.clock()
    await this.#write(this.#recorder.takeEnded(nowMs - GRACE_MS))
    if (nowMs - this.#daysWrittenMs >= DAYS_EVERY_MS) await this.#writeDays()
    try {
      await this.#makeMinutes(nowMs)
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'The history of links could not be thinned out.')
    }
  }

  async writeAll(): Promise<void> {
    await this.#write(this.#recorder.takeAll())
    await this.#writeDays()
  }

  async #write(samples: readonly LinkSample[]): Promise<void> {
    const { db, log, clock } = this.#ctx
    for (let at = 0; at < samples.length; at += WRITTEN_AT_ONCE) {
      try {
        const some = samples.slice(at, at + WRITTEN_AT_ONCE)
        await db.transaction().execute(async (trx) => historyStore.put(trx, some))
        for (const sample of some) {
          this.#days.add(sample)
          this.#unmade.add(sample)
        }
      } catch (error) {
        this.#recorder.handBack(samples.slice(at), clock())
        log.error({ err: error }, 'The history of links could not be written.')
        return
      }
      await turnOfOthers()
    }
  }

  async #writeDays(): Promise<void> {
    const { db, log, clock } = this.#ctx
    this.#daysWrittenMs = clock()
    const rows = this.#days.take()
    for (let at = 0; at < rows.length; at += WRITTEN_AT_ONCE) {
      try {
        await linkDayStore.add(db, rows.slice(at, at + WRITTEN_AT_ONCE))
      } catch (error) {
        this.#days.handBack(rows.slice(at))
        log.error({ err: error }, 'What links counted today could not be written.')
        return
      }
      await turnOfOthers()
    }
  }

  async #makeMinutes(nowMs: number): Promise<void> {
    const { db } = this.#ctx
    const toS = stepStartS(nowMs - GRACE_MS, LONG_STEP_S)
    if (this.#madeToS !== null && toS <= this.#madeToS) return
    if (this.#madeToS === null) await this.#findUnmade(toS)
    for (const { programIds, fromS } of this.#unmade.partsUpTo(toS)) {
      if (this.#isEnded) return
      await historyStore.rollUp(db, programIds, fromS, toS)
      this.#unmade.made(programIds, toS)
      await turnOfOthers()
    }
    this.#madeToS = toS
    await this.#thin(SHORT_STEP_S, toS - SHORT_KEPT_S)
    await this.#thin(LONG_STEP_S, toS - LONG_KEPT_S)
  }

  /** What an earlier run has written and not made minutes of. */
  async #findUnmade(toS: number): Promise<void> {
    const { db } = this.#ctx
    const oldestStepS = (await oldestS(db, 'link_samples', SHORT_STEP_S)) ?? toS
    const newestMinuteS = (await newestS(db, 'link_samples', LONG_STEP_S)) ?? oldestStepS
    const atS = Math.max(newestMinuteS, oldestStepS)
    for (const programId of await historyStore.programsSince(db, atS)) {
      this.#unmade.add({ programId, atS })
    }
  }

  async #thin(stepS: number, beforeS: number): Promise<void> {
    while (!this.#isEnded && (await removeOldest(this.#ctx.db, 'link_samples', stepS, beforeS))) {
      await turnOfOthers()
    }
  }
}
