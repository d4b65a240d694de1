/**
 * Carries out schedules when they are due. Every API process looks; the database lets one of them have
 * each. What was due while none ran is recorded as missed, and never carried out late.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import { nextMomentMs } from '@trunkline/contract/schedules/schedule.rules'
import { RUNS_KEPT, type RunOutcome } from '@trunkline/contract/schedules/schedule.schema'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import * as eventStore from '../events/event.store.ts'
import { keyOf } from '../fleet/object-key.ts'
import { newId } from '../id.ts'
import { detailsOf, recordedObject } from '../on-air/on-air.service.ts'
import { outcomesOf } from '../outcome-counts.ts'
import type { HopDetails } from '../paths/hop-details.store.ts'
import type { Actor } from '../security/actor.ts'
import * as scheduleCommandService from './schedule-command.service.ts'
import * as scheduleStore from './schedule.store.ts'
import type { StoredRun, StoredSchedule } from './schedule.store.ts'

/** The clock may be set, and other processes save schedules: looked at least so often. */
const LOOK_MS = 20_000
/** Nobody expects it any more. */
const LATE_MS = MINUTE_MS
/** The longest command takes less: whoever carried it out has ended. */
const CUT_MS = 2 * MINUTE_MS
/** A host that is silent, or slow to start a program, keeps a command waiting for seconds; the others go on. */
const AT_ONCE = 200
const TAKEN_AT_ONCE = 100

const MISSED =
  'No API process carried it out in time: none ran, the database was away, or the clock was set ahead. Check whether it is still needed.'
const CUT = 'The API ended before it was finished. Check the object.'

export function openSchedules(ctx: Context): ScheduleRunner {
  return new ScheduleRunner(ctx)
}

interface Taken {
  schedule: StoredSchedule
  run: StoredRun
  details: HopDetails
}

export class ScheduleRunner implements AsyncDisposable {
  readonly #ctx: Context
  readonly #stopHearing: () => void
  readonly #waiting: Taken[] = []
  readonly #working = new Set<Promise<void>>()
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** A look that has not begun sees all that was saved until it begins. */
  #isLookWaiting = false
  #isEnded = false

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#stopHearing = ctx.notices.listen(({ kind }) => {
      if (kind === 'schedule') void this.look()
    })
    void this.look()
  }

  /** Begins what is due at this moment. Never rejects. */
  async look(): Promise<void> {
    if (this.#isLookWaiting) return this.#looking
    this.#isLookWaiting = true
    this.#looking = this.#looking.then(async () => {
      this.#isLookWaiting = false
      if (this.#isEnded) return
      await this.#look().catch((error: unknown) => {
        this.#ctx.log.error({ err: error }, 'The schedules could not be read.')
        this.#wakeIn(LOOK_MS)
      })
    })
    await this.#looking
  }

  /** Resolves when all that has begun here has ended. */
  async settled(): Promise<void> {
    await this.#looking
    while (this.#working.size > 0) await Promise.all(this.#working)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#stopHearing()
    clearTimeout(this.#timer)
    await this.settled()
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#ctx
    await endCut(this.#ctx)
    for (;;) {
      const due = await scheduleStore.due(db, isoOf(clock()), TAKEN_AT_ONCE)
      const details = await detailsOf(
        db,
        due.map(({ object }) => object),
      )
      for (const schedule of due) {
        const known = details.get(keyOf(schedule.object))
        const run = known === undefined ? null : await take(this.#ctx, schedule, known)
        if (run !== null && known !== undefined) {
          this.#begin({ schedule, run, details: known })
        }
      }
      if (due.length < TAKEN_AT_ONCE) break
    }
    const next = await scheduleStore.earliestNext(db)
    const untilMs = next === null ? LOOK_MS : Date.parse(next) - clock()
    this.#wakeIn(Math.min(Math.max(untilMs, 0), LOOK_MS))
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.look(), ms).unref()
  }

  #begin(taken: Taken): void {
    this.#waiting.push(taken)
    if (this.#working.size >= AT_ONCE) return
    const work = this.#work().finally(() => this.#working.delete(work))
    this.#working.add(work)
  }

  async #work(): Promise<void> {
    for (let taken = this.#waiting.shift(); taken !== undefined; taken = this.#waiting.shift()) {
      try {
        await perform(this.#ctx, taken)
      } catch (error) {
        // It stays as running, and is ended as cut off.
        this.#ctx.log.error({ err: error }, 'How a schedule went could not be written.')
      }
    }
  }
}

/**
 * Moves it on to its next moment, and records what was missed. Null when nothing is to be carried out
 * by this process.
 */
async function take(
  ctx: Context,
  schedule: StoredSchedule,
  details: HopDetails,
): Promise<StoredRun | null> {
  const nowMs = ctx.clock()
  const { dueMs, nextMs } = momentsUntil(schedule, nowMs)
  const last = dueMs.at(-1)
  const isInTime = last !== undefined && nowMs - last <= LATE_MS
  const missedMs = isInTime ? dueMs.slice(0, -1) : dueMs
  const run = isInTime ? runOf(schedule, last, nowMs, 'running') : null
  const isTaken = await ctx.db.transaction().execute(async (trx) => {
    const next = nextMs === null ? null : isoOf(nextMs)
    if (!(await scheduleStore.moveOn(trx, schedule, next))) return false
    for (const atMs of missedMs.slice(-RUNS_KEPT)) {
      const missed = { ...runOf(schedule, atMs, nowMs, 'missed'), sentence: MISSED }
      await scheduleStore.insertRun(trx, missed)
      await record(trx, { schedule, run: missed, details, actor: null }, atMs)
    }
    if (run !== null) await scheduleStore.insertRun(trx, run)
    await scheduleStore.removeOldRuns(trx, schedule.id)
    return true
  })
  if (isTaken) outcomesOf(ctx).scheduleRuns.missed += missedMs.length
  // What is carried out is told of when it has ended.
  if (isTaken && run === null) tell(ctx, schedule, details)
  return isTaken ? run : null
}

/** All moments that have come since it was last looked at, and the first that has not. */
function momentsUntil(
  { nextAt, times }: StoredSchedule,
  nowMs: number,
): { dueMs: number[]; nextMs: number | null } {
  const dueMs: number[] = []
  let nextMs = nextAt === null ? null : Date.parse(nextAt)
  while (nextMs !== null && nextMs <= nowMs) {
    dueMs.push(nextMs)
    nextMs = nextMomentMs(times, nextMs)
  }
  return { dueMs, nextMs }
}

function runOf(
  { id }: StoredSchedule,
  dueMs: number,
  nowMs: number,
  outcome: RunOutcome,
): StoredRun {
  const now = isoOf(nowMs)
  const endedAt = outcome === 'running' ? null : now
  const base = { id: newId(), scheduleId: id, dueAt: isoOf(dueMs), begunAt: now }
  return { ...base, endedAt, outcome, sentence: '' }
}

async function perform(ctx: Context, { schedule, run, details }: Taken): Promise<void> {
  const actor = await scheduleCommandService.actorOf(ctx, schedule)
  const result = await scheduleCommandService.carryOut(ctx, actor, schedule, details)
  await end(ctx, { schedule, run: { ...run, ...result }, details, actor })
}

/** What a killed process has left. */
async function endCut(ctx: Context): Promise<void> {
  const cut = await scheduleStore.runsBegunBefore(ctx.db, isoOf(ctx.clock() - CUT_MS))
  for (const run of cut) {
    const schedule = await scheduleStore.find(ctx.db, run.scheduleId)
    if (schedule === null) continue
    const details = (await detailsOf(ctx.db, [schedule.object])).get(keyOf(schedule.object))
    if (details === undefined) continue
    const ended = { ...run, outcome: 'failed' as const, sentence: CUT }
    await end(ctx, { schedule, run: ended, details, actor: null })
  }
}

interface Ended extends Taken {
  /** As whom it was carried out; null: nobody. */
  actor: Actor | null
}

async function end(ctx: Context, ended: Ended): Promise<void> {
  const nowMs = ctx.clock()
  const { schedule, run, details } = ended
  const isEnded = await ctx.db.transaction().execute(async (trx) => {
    if (!(await scheduleStore.endRun(trx, run.id, { ...run, endedAt: isoOf(nowMs) }))) return false
    await record(trx, ended, nowMs)
    return true
  })
  if (isEnded && run.outcome !== 'running') outcomesOf(ctx).scheduleRuns[run.outcome] += 1
  tell(ctx, schedule, details)
}

/** On the timeline of the object, and in the record of activity. */
async function record(trx: Db, { schedule, run, details, actor }: Ended, atMs: number) {
  const { object, command } = schedule
  const { outcome, sentence, dueAt } = run
  await eventStore.record(trx, object, {
    kind: 'schedule',
    atMs,
    sinceMs: null,
    state: `${command} ${outcome}`,
    cause: sentence,
  })
  const what = details.kind === 'feeder' ? `${command}, feeder ${details.title}` : command
  await auditService.record(trx, {
    actor,
    call: 'schedules.run',
    object: recordedObject(details),
    result: outcome === 'done' || outcome === 'refused' ? outcome : 'failed',
    reason: `${what}, due ${dueAt}${sentence === '' ? '' : `: ${sentence}`}`,
  })
}

function tell(ctx: Context, { id }: StoredSchedule, { groupIds }: HopDetails): void {
  ctx.notices.tell({ kind: 'schedule', id, change: 'changed', groupIds })
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
