/**
 * Writes what was decided about alarms, some hundreds in a transaction, and keeps the picture in memory
 * as the database has it. What is raised together has its first cause from the first moment.
 */
import { compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { Context } from '../context.ts'
import { newId } from '../id.ts'
import { eachInSlices, partsOf } from '../in-slices.ts'
import { AlarmCauses, READ_AT_ONCE, type AlarmCausesOptions } from './alarm-causes.service.ts'
import * as alarmStore from './alarm.store.ts'
import type { StoredAlarm } from './alarm.store.ts'
import type { OpenFinding } from './alarm-book.ts'
import type { Finding } from './finding.rules.ts'

export type Order =
  | { act: 'raise' | 'change'; object: ObjectKey; finding: Finding; sinceMs: number }
  | { act: 'clear'; object: ObjectKey }

export interface AlarmWriterOptions extends Omit<AlarmCausesOptions, 'ending'> {
  ctx: AlarmCausesOptions['ctx'] & Pick<Context, 'log' | 'overrides'>
  /** As the database has it now; null: no alarm of it is open. `isFirstCause`: that was one, or is. */
  onWritten: (object: ObjectKey, open: OpenFinding | null, isFirstCause: boolean) => void
  onFailed: (object: ObjectKey) => void
  /** These are others than before, by what was written here. */
  onChanged: (alarmIds: readonly string[]) => void
  /** Tests only. */
  endLimitMs?: number
}

/** What comes together is written together. */
const GATHER_MS = 50
const WRITE_AGAIN_MS = 10_000
/** In one transaction, of which each of ours waits for the end: some milliseconds. */
const WRITTEN_AT_ONCE = 200
/** Where a site has lost thousands of hosts: what is left by then is seen, decided and raised after the next start. */
const END_LIMIT_MS = 500

export class AlarmWriter {
  readonly #options: AlarmWriterOptions
  readonly #causes: AlarmCauses
  readonly #orders = new Map<string, Order>()
  /** Which alarms other processes have written; null: any. */
  #heard: Set<string> | null = new Set()
  readonly #ending = new AbortController()
  #isFailing = false
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()

  constructor(options: AlarmWriterOptions) {
    this.#options = options
    this.#causes = new AlarmCauses({ ...options, ending: this.#ending.signal })
  }

  /** Reads which alarms are open, and not while what was heard of is read: the older one would count. */
  async open(): Promise<void> {
    const opened = this.#working.then(async () => this.#readOpen())
    this.#working = opened.catch(() => undefined)
    await opened
  }

  async #readOpen(): Promise<void> {
    for await (const rows of alarmStore.readOpen(this.#options.ctx.db)) {
      for (const alarm of rows) this.#putKnown(alarm)
      this.#ending.signal.throwIfAborted()
    }
    this.#workSoon()
  }

  order(order: Order): void {
    this.#orders.set(keyOf(order.object), order)
    this.#workSoon()
  }

  /** Alarms that another process has written; none named: any. */
  hear(ids: readonly string[]): void {
    if (ids.length === 0) this.#heard = null
    else for (const id of ids) this.#heard?.add(id)
    this.#workSoon()
  }

  /**
   * The consequences of alarms that are cleared by now for long enough become first causes, or get
   * another. `arePathsOld`: what feeds what may have changed.
   */
  recheck(arePathsOld: boolean): void {
    if (this.#causes.recheck(arePathsOld)) this.#workSoon()
  }

  /** Resolves when all that was ordered until now is written, or could not be. */
  async written(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#working = this.#working.then(async () => this.#work())
    await this.#working
  }

  /** Writes what was ordered until now, or as much of it as can be in some tenths of a second. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { endLimitMs = END_LIMIT_MS } = this.#options
    const limit = setTimeout(() => this.#ending.abort(), endLimitMs)
    await this.written()
    clearTimeout(limit)
    this.#isEnded = true
    clearTimeout(this.#timer)
  }

  #workSoon(): void {
    if (this.#isEnded) return
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#working = this.#working.then(async () => this.#work())
      },
      this.#isFailing ? WRITE_AGAIN_MS : GATHER_MS,
    )
  }

  async #work(): Promise<void> {
    const orders = [...this.#orders.values()]
    this.#orders.clear()
    const changed = new Set<string>()
    try {
      await this.#takeHeard()
      for await (const ids of this.#write(orders)) for (const id of ids) changed.add(id)
      for (const id of await this.#causes.assignCauses()) changed.add(id)
      this.#isFailing = false
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#failed(orders, error)
    }
    if (changed.size > 0) this.#options.onChanged([...changed])
  }

  #failed(orders: readonly Order[], error: unknown): void {
    this.#isFailing = true
    this.#options.ctx.log.error({ err: error }, 'Alarms could not be written.')
    for (const { object } of orders) this.#options.onFailed(object)
    this.#workSoon()
  }

  async #takeHeard(): Promise<void> {
    const { ctx } = this.#options
    const heard = this.#heard
    if (heard?.size === 0) return
    this.#heard = new Set()
    const known = heard ?? [...ctx.alarms.all()].map(({ alarmId }) => alarmId)
    if (heard === null) await this.#readOpen()
    for await (const ids of partsOf([...known], WRITTEN_AT_ONCE, this.#ending.signal)) {
      await this.#takeStored(await alarmStore.readThese(ctx.db, ids))
    }
  }

  /** First causes come first: a consequence is never written before its cause. Yields the ids that were written. */
  async *#write(orders: readonly Order[]): AsyncGenerator<readonly string[]> {
    const planned = await this.#planned(orders)
    const ending = this.#ending.signal
    const [first, caused]: [Order[], Order[]] = [[], []]
    const sort = (order: Order) => {
      const causedBy = planned.get(keyOf(order.object))?.causedBy ?? null
      const list = causedBy === null ? first : caused
      list.push(order)
    }
    await eachInSlices(orders, sort, ending)
    for await (const some of partsOf([...first, ...caused], WRITTEN_AT_ONCE, ending)) {
      yield this.#writeSome(some, planned)
    }
  }

  async #writeSome(
    orders: readonly Order[],
    planned: ReadonlyMap<string, StoredAlarm>,
  ): Promise<string[]> {
    const { ctx } = this.#options
    const nowMs = ctx.clock()
    const raises = orders.flatMap(({ object }) => planned.get(keyOf(object)) ?? [])
    const open = (order: Order) => ctx.alarms.at(keyOf(order.object))
    const changes = orders.filter(({ act }) => act === 'change')
    const clears = orders.filter(({ act }) => act === 'clear')
    const clearedIds = clears.flatMap((order) => open(order)?.alarmId ?? [])
    const raised = await ctx.db.transaction().execute(async (trx) => {
      const found = await alarmStore.raise(trx, raises)
      for (const order of changes) {
        const alarm = open(order)
        if (order.act === 'clear' || alarm === undefined) continue
        const { rule, sentence } = order.finding
        const { severity } = ctx.overrides.settingsOf(order.object, rule)
        const isWorse = compareSeverity(severity, alarm.severity) < 0
        await alarmStore.change(trx, alarm.alarmId, { rule, severity, sentence }, isWorse)
      }
      await alarmStore.clear(trx, clearedIds, nowMs)
      return found
    })
    const changedIds = changes.flatMap((order) => open(order)?.alarmId ?? [])
    await this.#readWritten(raises, raised, changedIds)
    for (const order of [...changes, ...clears]) {
      const alarm = open(order)
      if (order.act !== 'clear' && alarm !== undefined) continue
      if (alarm === undefined) this.#options.onWritten(order.object, null, false)
      else this.#dropKnown(alarm)
    }
    return [...raised, ...changedIds, ...clearedIds]
  }

  /** What another process has raised meanwhile is taken as that has it. */
  async #readWritten(
    raises: readonly StoredAlarm[],
    raised: ReadonlySet<string>,
    changedIds: readonly string[],
  ): Promise<void> {
    const { db } = this.#options.ctx
    await this.#takeStored(raises.filter(({ alarmId }) => raised.has(alarmId)))
    const others = raises.filter(({ alarmId }) => !raised.has(alarmId))
    const found = [
      ...(others.length === 0 ? [] : await alarmStore.readOpenOf(db, others)),
      ...(changedIds.length === 0 ? [] : await alarmStore.readThese(db, changedIds)),
    ]
    await this.#takeStored(found)
    const isOpen = new Set(found.map(keyOf))
    for (const alarm of others) if (!isOpen.has(keyOf(alarm))) this.#options.onFailed(alarm)
  }

  /** By `keyOf` those to be raised now, each with its cause among what is open and what is raised with it. */
  async #planned(orders: readonly Order[]): Promise<ReadonlyMap<string, StoredAlarm>> {
    const { ctx } = this.#options
    const raises = orders.flatMap((order) => (order.act === 'raise' ? [order] : []))
    if (raises.length === 0) return new Map()
    const raisedAtMs = ctx.clock()
    const ready = await this.#causes.ready(raises)
    const ending = this.#ending.signal
    const titles = new Map<string, string>()
    for await (const some of partsOf(ready, READ_AT_ONCE, ending)) {
      const objects = some.map(({ object }) => object)
      const found = await alarmStore.titlesOfAll(ctx.db, objects)
      for (const [key, title] of found) titles.set(key, title)
    }
    const planned = new Map<string, StoredAlarm>()
    const plan = ({ object, finding }: (typeof ready)[number]) => {
      const key = keyOf(object)
      planned.set(key, {
        ...object,
        alarmId: newId(),
        version: 1,
        title: titles.get(key) ?? '',
        ...finding,
        severity: ctx.overrides.settingsOf(object, finding.rule).severity,
        raisedAtMs,
        clearedAtMs: null,
        causedBy: null,
        mostConsequences: 0,
        acknowledged: null,
        mutedUntilMs: null,
      })
    }
    await eachInSlices(ready, plan, ending)
    const placed = new Map<string, StoredAlarm>()
    const place = ([key, alarm]: [string, StoredAlarm]) => {
      placed.set(key, { ...alarm, causedBy: this.#causes.firstCauseOf(alarm, planned) })
    }
    await eachInSlices(planned, place, ending)
    return placed
  }

  /** As the database has them. */
  async #takeStored(alarms: readonly StoredAlarm[]): Promise<void> {
    await eachInSlices(alarms, (alarm) => {
      if (alarm.clearedAtMs === null) this.#putKnown(alarm)
      else this.#dropKnown(alarm)
    })
  }

  #putKnown(alarm: StoredAlarm): void {
    const { ctx, onWritten } = this.#options
    const before = ctx.alarms.at(keyOf(alarm))
    ctx.alarms.put(alarm)
    this.#causes.noteOpen(alarm, before)
    onWritten(alarm, alarm, alarm.causedBy === null)
  }

  #dropKnown(alarm: StoredAlarm): void {
    const { ctx, onWritten } = this.#options
    const isKnown = ctx.alarms.get(alarm.alarmId) !== undefined
    ctx.alarms.remove(alarm.alarmId)
    if (!isKnown) return
    this.#causes.noteCleared(alarm)
    onWritten(alarm, null, alarm.causedBy === null)
  }
}
