/**
 * Writes what was decided about alarms, in one transaction for all that came together, and keeps the
 * picture in memory as the database has it. Which of them are first causes is decided here, so that
 * what is raised together hangs rightly from the first moment.
 */
import { compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { PROOF_WITHIN_MS } from '@trunkline/contract/fleet/state-view.rules'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { Context } from '../context.ts'
import { newId } from '../id.ts'
import { readHops } from './alarm-hops.service.ts'
import type { PathSource } from '../paths/path-source.ts'
import * as alarmStore from './alarm.store.ts'
import type { StoredAlarm } from './alarm.store.ts'
import { CauseIndex, firstCauseOf, isCause, type CauseHop } from './cause.rules.ts'
import type { OpenFinding } from './alarm-book.ts'
import type { Finding } from './finding.rules.ts'

export type Order =
  | { act: 'raise' | 'change'; object: ObjectKey; finding: Finding; sinceMs: number }
  | { act: 'clear'; object: ObjectKey }

export interface AlarmWriterOptions {
  ctx: Pick<Context, 'db' | 'log' | 'clock' | 'alarms' | 'overrides'> & PathSource
  /** What an object runs on. */
  hostsOf: (object: ObjectKey, rule: AlarmRule) => readonly ObjectKey[]
  /** By which rule that object is about to be raised, unless it passes; null: it is not. */
  soon: (key: string) => AlarmRule | null
  isOwn: (object: ObjectKey) => boolean
  /** Now: its alarm is only open until that has lasted. */
  isWell: (object: ObjectKey) => boolean
  /** As the database has it now; null: no alarm of it is open. `isFirstCause`: that was one, or is. */
  onWritten: (object: ObjectKey, open: OpenFinding | null, isFirstCause: boolean) => void
  onFailed: (object: ObjectKey) => void
  /** It is not raised yet: what feeds it is about to be. */
  onDeferred: (object: ObjectKey) => void
  /** These are others than before, by what was written here. */
  onChanged: (alarmIds: readonly string[]) => void
}

/** What comes together is written together. */
const GATHER_MS = 50
const WRITE_AGAIN_MS = 10_000
/** So long what is about to be raised before it is waited for, before it counts as a first cause. */
const CAUSE_WAIT_MS = 2000
/** What hung under a cleared alarm has this long to become well as well. */
const RELEASE_MS = PROOF_WITHIN_MS

export class AlarmWriter {
  readonly #options: AlarmWriterOptions
  readonly #causes = new CauseIndex()
  readonly #orders = new Map<string, Order>()
  /** Open, and what is before them not read yet. */
  readonly #unplaced = new Map<string, StoredAlarm>()
  /** Since when each waits for its cause, and what is before it. */
  readonly #deferred = new Map<string, { sinceMs: number; hops: readonly CauseHop[] }>()
  /** Whose cause is to be looked for again. */
  readonly #hangs = new Set<string>()
  /** First causes under which more may hang than ever before. */
  readonly #grown = new Set<string>()
  /** Which alarms other processes have written; null: any. */
  #heard: Set<string> | null = new Set()
  /** First causes that were cleared, and until when what hung under them is not looked at. */
  readonly #released = new Map<string, number>()
  #isFailing = false
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()

  constructor(options: AlarmWriterOptions) {
    this.#options = options
  }

  /** Reads which alarms are open. */
  async open(): Promise<void> {
    for await (const rows of alarmStore.readOpen(this.#options.ctx.db)) {
      for (const alarm of rows) this.#putKnown(alarm)
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
   * What hung under alarms that are cleared by now for long enough stands alone, or under another.
   * `arePathsOld`: what feeds what may have changed.
   */
  recheck(arePathsOld: boolean): void {
    const { clock, alarms } = this.#options.ctx
    for (const [alarmId, atMs] of this.#released) {
      if (clock() < atMs) continue
      const behind = alarms.behind(alarmId)
      if (behind.length === 0) this.#released.delete(alarmId)
      for (const alarm of behind) this.#hangs.add(keyOf(alarm))
    }
    for (const alarm of arePathsOld ? alarms.all() : []) {
      this.#causes.remove(keyOf(alarm))
      this.#unplaced.set(keyOf(alarm), alarm)
    }
    if (this.#hangs.size > 0 || this.#unplaced.size > 0) this.#workSoon()
  }

  /** Resolves when all that was ordered until now is written, or could not be. */
  async written(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#working = this.#working.then(async () => this.#work())
    await this.#working
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.written()
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
    try {
      await this.#takeHeard()
      const changed = await this.#write(orders)
      await this.#place()
      const hung = await this.#hang()
      this.#isFailing = false
      const ids = [...new Set([...changed, ...hung])]
      if (ids.length > 0) this.#options.onChanged(ids)
    } catch (error) {
      this.#isFailing = true
      this.#options.ctx.log.error({ err: error }, 'Alarms could not be written.')
      for (const { object } of orders) this.#options.onFailed(object)
      this.#workSoon()
    }
  }

  async #takeHeard(): Promise<void> {
    const { ctx } = this.#options
    const heard = this.#heard
    if (heard?.size === 0) return
    this.#heard = new Set()
    const known = heard ?? [...ctx.alarms.all()].map(({ alarmId }) => alarmId)
    if (heard === null) await this.open()
    for (const alarm of await alarmStore.readThese(ctx.db, [...known])) {
      if (alarm.clearedAtMs === null) this.#putKnown(alarm)
      else this.#dropKnown(alarm)
    }
  }

  async #write(orders: readonly Order[]): Promise<string[]> {
    if (orders.length === 0) return []
    const { ctx } = this.#options
    const nowMs = ctx.clock()
    const raises = await this.#planned(orders)
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
    for (const alarm of raises) if (raised.has(alarm.alarmId)) this.#putKnown(alarm)
    const others = raises.filter(({ alarmId }) => !raised.has(alarmId))
    const found = [
      ...(others.length === 0 ? [] : await alarmStore.readOpenOf(db, others)),
      ...(changedIds.length === 0 ? [] : await alarmStore.readThese(db, changedIds)),
    ]
    for (const alarm of found) {
      if (alarm.clearedAtMs === null) this.#putKnown(alarm)
      else this.#dropKnown(alarm)
    }
    const isOpen = new Set(found.map(keyOf))
    for (const alarm of others) if (!isOpen.has(keyOf(alarm))) this.#options.onFailed(alarm)
  }

  /** Those to be raised, each with its cause among what is open and what is raised with it. */
  async #planned(orders: readonly Order[]): Promise<StoredAlarm[]> {
    const { ctx } = this.#options
    const raises = orders.flatMap((order) => (order.act === 'raise' ? [order] : []))
    if (raises.length === 0) return []
    const titles = await alarmStore.titlesOfAll(
      ctx.db,
      raises.map(({ object }) => object),
    )
    const hops = await this.#readHops(
      raises.map(({ object, finding }) => ({ ...object, rule: finding.rule })),
    )
    const planned = new Map<string, StoredAlarm>()
    for (const { object, finding } of raises) {
      const key = keyOf(object)
      if (this.#isDeferred(object, finding, hops.get(key) ?? [], planned)) continue
      planned.set(key, {
        ...object,
        alarmId: newId(),
        version: 1,
        title: titles.get(key) ?? '',
        ...finding,
        severity: ctx.overrides.settingsOf(object, finding.rule).severity,
        raisedAtMs: ctx.clock(),
        clearedAtMs: null,
        causedBy: null,
        behind: 0,
        acknowledged: null,
        mutedUntilMs: null,
      })
    }
    for (const key of planned.keys()) this.#causes.put(key, hops.get(key) ?? [])
    const alarmAt = (key: string) => planned.get(key) ?? ctx.alarms.at(key)
    const hopsOf = (key: string) => this.#causes.hopsOf(key)
    return [...planned.values()].map((alarm) => ({
      ...alarm,
      causedBy: firstCauseOf(alarm, hopsOf, alarmAt)?.alarmId ?? null,
    }))
  }

  /** What stands before it is about to be raised: it will hang under that. */
  #isDeferred(
    object: ObjectKey,
    { rule }: Finding,
    hops: readonly CauseHop[],
    planned: ReadonlyMap<string, StoredAlarm>,
  ): boolean {
    const { ctx, soon, onDeferred } = this.#options
    const [key, nowMs] = [keyOf(object), ctx.clock()]
    const sinceMs = this.#deferred.get(key)?.sinceMs ?? nowMs
    const isWaiting = hops.some((hop) => {
      const before = soon(keyOf(hop))
      return (
        before !== null && !planned.has(keyOf(hop)) && isCause(hop, before, { ...object, rule })
      )
    })
    if (!isWaiting || nowMs - sinceMs >= CAUSE_WAIT_MS) {
      this.#deferred.delete(key)
      return false
    }
    this.#deferred.set(key, { sinceMs, hops })
    onDeferred(object)
    return true
  }

  async #readHops(
    objects: readonly (ObjectKey & { rule: AlarmRule })[],
  ): Promise<Map<string, readonly CauseHop[]>> {
    const { ctx, hostsOf } = this.#options
    const found = await readHops(
      ctx,
      hostsOf,
      objects.filter((object) => !this.#deferred.has(keyOf(object))),
    )
    for (const [key, { hops }] of this.#deferred) if (!found.has(key)) found.set(key, hops)
    return found
  }

  /** Reads what is before alarms that are new here, and finds what comes to hang under them. */
  async #place(): Promise<void> {
    const { ctx, isOwn } = this.#options
    const open = [...this.#unplaced.values()].filter(
      ({ alarmId }) => ctx.alarms.get(alarmId) !== undefined,
    )
    this.#unplaced.clear()
    if (open.length === 0) return
    const hops = await this.#readHops(open.filter((alarm) => !this.#causes.has(keyOf(alarm))))
    for (const alarm of open) {
      const key = keyOf(alarm)
      if (!this.#causes.has(key)) this.#causes.put(key, hops.get(key) ?? [])
      if (isOwn(alarm)) this.#hangs.add(keyOf(alarm))
    }
    for (const alarm of open) {
      for (const behind of this.#causes.behind(keyOf(alarm))) {
        const other = ctx.alarms.at(behind)
        if (other !== undefined && isOwn(other)) this.#hangs.add(behind)
      }
    }
  }

  /** Hangs those under their first causes whose cause may be another by now. Answers their ids. */
  async #hang(): Promise<string[]> {
    const { ctx } = this.#options
    const hopsOf = (key: string) => this.#causes.hopsOf(key)
    const moved: StoredAlarm[] = []
    for (const key of this.#hangs) {
      const alarm = ctx.alarms.at(key)
      if (alarm === undefined) continue
      const cause = firstCauseOf(alarm, hopsOf, (at) => ctx.alarms.at(at))
      const causedBy = cause?.alarmId ?? null
      const isKept = causedBy === null && this.#isStillReleased(alarm)
      if (causedBy !== alarm.causedBy && !isKept) moved.push({ ...alarm, causedBy })
    }
    this.#hangs.clear()
    for (const [causedBy, alarms] of Map.groupBy(moved, (alarm) => alarm.causedBy)) {
      const ids = alarms.map(({ alarmId }) => alarmId)
      await alarmStore.hang(ctx.db, ids, causedBy)
    }
    for (const alarm of moved) {
      ctx.alarms.put(alarm)
      if (alarm.causedBy !== null) this.#grown.add(alarm.causedBy)
    }
    await this.#noteBehind()
    return moved.map(({ alarmId }) => alarmId)
  }

  /** Its cause is cleared, and it is about to be cleared too, or may be. */
  #isStillReleased(alarm: StoredAlarm): boolean {
    const untilMs = this.#released.get(alarm.causedBy ?? '')
    if (untilMs === undefined) return false
    return this.#options.ctx.clock() < untilMs || this.#options.isWell(alarm)
  }

  async #noteBehind(): Promise<void> {
    const { ctx } = this.#options
    for (const alarmId of this.#grown) {
      const alarm = ctx.alarms.get(alarmId)
      const behind = ctx.alarms.behind(alarmId).length
      if (alarm === undefined || behind <= alarm.behind) continue
      await alarmStore.noteBehind(ctx.db, alarmId, behind)
      ctx.alarms.put({ ...alarm, behind })
    }
    this.#grown.clear()
  }

  #putKnown(alarm: StoredAlarm): void {
    const { ctx, onWritten } = this.#options
    const key = keyOf(alarm)
    const before = ctx.alarms.at(key)
    ctx.alarms.put(alarm)
    if (alarm.causedBy !== null) {
      this.#grown.add(alarm.causedBy)
      if (ctx.alarms.get(alarm.causedBy) === undefined) this.#releaseLater(alarm.causedBy)
    }
    if (before?.rule !== alarm.rule || before.alarmId !== alarm.alarmId) {
      if (before !== undefined) this.#causes.remove(key)
      this.#unplaced.set(key, alarm)
    }
    onWritten(alarm, alarm, alarm.causedBy === null)
  }

  #dropKnown(alarm: StoredAlarm): void {
    const { ctx, onWritten } = this.#options
    if (ctx.alarms.get(alarm.alarmId) === undefined) return
    ctx.alarms.remove(alarm.alarmId)
    this.#causes.remove(keyOf(alarm))
    if (ctx.alarms.behind(alarm.alarmId).length > 0) this.#releaseLater(alarm.alarmId)
    onWritten(alarm, null, alarm.causedBy === null)
  }

  #releaseLater(alarmId: string): void {
    if (this.#released.has(alarmId)) return
    this.#released.set(alarmId, this.#options.ctx.clock() + RELEASE_MS)
  }
}
