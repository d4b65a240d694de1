/**
 * Which open alarm causes which: one cause, one alarm. Reads what is upstream of an alarm once it is
 * open, assigns its first cause, and takes that away some time after the cause is cleared.
 */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { PROOF_WITHIN_MS } from '@trunkline/contract/fleet/state-view.rules'
import type { Context } from '../context.ts'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { eachInSlices, giveWay, partsOf } from '../in-slices.ts'
import type { PathSource } from '../paths/path-source.ts'
import { readHops } from './alarm-hops.service.ts'
import * as alarmStore from './alarm.store.ts'
import type { StoredAlarm } from './alarm.store.ts'
import { CauseIndex, firstCauseOf, isCause, namesKeys, type CauseHop } from './cause.rules.ts'
import type { Finding } from './finding.rules.ts'

export interface AlarmCausesOptions {
  ctx: Pick<Context, 'db' | 'clock' | 'alarms'> & PathSource
  /** What an object runs on. */
  hostsOf: (object: ObjectKey, rule: AlarmRule) => readonly CauseHop[]
  /** With what that object is about to be raised, unless it passes; null: it is not. */
  soon: (key: string) => Finding | null
  isOwn: (object: ObjectKey) => boolean
  /** Now: its alarm is only open until that has lasted. */
  isWell: (object: ObjectKey) => boolean
  /** It is not raised yet: what feeds it is about to be. */
  onDeferred: (object: ObjectKey) => void
  /** Aborted: what is under way is broken off, and throws. */
  ending: AbortSignal
}

/** An object of which an alarm is to be raised. */
interface Raise {
  object: ObjectKey
  finding: Finding
}

/** So long what is about to be raised before it is waited for, before it counts as a first cause. */
const CAUSE_WAIT_MS = 2000
/** What a cleared alarm caused has this long to become well as well. */
const RELEASE_MS = PROOF_WITHIN_MS
/** Of thousands, so many are read together, by a fixed number of queries: the end waits for no more. */
export const READ_AT_ONCE = 1000

export class AlarmCauses {
  readonly #options: AlarmCausesOptions
  readonly #index = new CauseIndex()
  /** Open, and what is before them not read yet. */
  readonly #unplaced = new Map<string, StoredAlarm>()
  /** Since when each waits for its cause, and what is before it. */
  readonly #deferred = new Map<string, { sinceMs: number; hops: readonly CauseHop[] }>()
  /** Whose cause is to be looked for again. */
  readonly #unassigned = new Set<string>()
  /** First causes that may have more consequences than ever before. */
  readonly #grown = new Set<string>()
  /** First causes that were cleared, and until when their consequences are not looked at. */
  readonly #released = new Map<string, number>()
  #arePathsOld = false

  constructor(options: AlarmCausesOptions) {
    this.#options = options
  }

  /** `before`: the alarm that was open of this object until now. */
  noteOpen(alarm: StoredAlarm, before: StoredAlarm | undefined): void {
    const { causedBy } = alarm
    if (causedBy !== null) {
      this.#grown.add(causedBy)
      if (this.#options.ctx.alarms.get(causedBy) === undefined) this.#releaseLater(causedBy)
    }
    const isSame = before?.rule === alarm.rule && before.alarmId === alarm.alarmId
    if (isSame && namesKeys(before) === namesKeys(alarm)) return
    if (before !== undefined) this.#index.remove(keyOf(alarm))
    this.#unplaced.set(keyOf(alarm), alarm)
  }

  noteCleared(alarm: StoredAlarm): void {
    this.#index.remove(keyOf(alarm))
    const { alarms } = this.#options.ctx
    if (alarms.consequencesOf(alarm.alarmId).length > 0) this.#releaseLater(alarm.alarmId)
  }

  /**
   * The consequences of alarms that are cleared by now for long enough are looked at again.
   * `arePathsOld`: what feeds what may have changed. Answers whether `assignCauses` has work.
   */
  recheck(arePathsOld: boolean): boolean {
    const { clock, alarms } = this.#options.ctx
    for (const [alarmId, atMs] of this.#released) {
      // Read after what it caused, it was never cleared.
      const isOpen = alarms.get(alarmId) !== undefined
      if (isOpen) this.#released.delete(alarmId)
      if (isOpen || clock() < atMs) continue
      const consequences = alarms.consequencesOf(alarmId)
      if (consequences.length === 0) this.#released.delete(alarmId)
      for (const alarm of consequences) this.#unassigned.add(keyOf(alarm))
    }
    this.#arePathsOld ||= arePathsOld
    return this.#unassigned.size > 0 || this.#unplaced.size > 0 || this.#arePathsOld
  }

  /** Those that wait for no cause any more. Of the others it is said that they are deferred. */
  async ready<R extends Raise>(raises: readonly R[]): Promise<R[]> {
    const hops = await this.#readHops(
      raises.map(({ object, finding }) => ({ ...object, rule: finding.rule })),
    )
    const { ending } = this.#options
    const ready = new Map<string, R>()
    const sort = (raise: R) => {
      const key = keyOf(raise.object)
      const before = hops.get(key) ?? []
      if (this.#waits(raise, before, ready)) this.#options.onDeferred(raise.object)
      else ready.set(key, raise)
    }
    await eachInSlices(raises, sort, ending)
    await eachInSlices(ready.keys(), (key) => this.#index.put(key, hops.get(key) ?? []), ending)
    return [...ready.values()]
  }

  /** The id of its first cause; null: it is one itself. `planned`: raised with it. */
  firstCauseOf(alarm: StoredAlarm, planned?: ReadonlyMap<string, StoredAlarm>): string | null {
    const { alarms } = this.#options.ctx
    const hopsOf = (key: string) => this.#index.hopsOf(key)
    const alarmAt = (key: string) => planned?.get(key) ?? alarms.at(key)
    return firstCauseOf(alarm, hopsOf, alarmAt)?.alarmId ?? null
  }

  /** Of alarms whose first cause may be another by now. Answers the ids of those of which it is. */
  async assignCauses(): Promise<string[]> {
    await this.#place()
    const { ctx, ending } = this.#options
    const moved: StoredAlarm[] = []
    const keys = [...this.#unassigned]
    this.#unassigned.clear()
    const look = (key: string) => {
      const alarm = ctx.alarms.at(key)
      if (alarm === undefined) return
      const causedBy = this.firstCauseOf(alarm)
      const isKept = causedBy === null && this.#isStillReleased(alarm)
      if (causedBy !== alarm.causedBy && !isKept) moved.push({ ...alarm, causedBy })
    }
    await eachInSlices(keys, look, ending)
    for (const [causedBy, alarms] of Map.groupBy(moved, (alarm) => alarm.causedBy)) {
      const ids = alarms.map(({ alarmId }) => alarmId)
      for await (const some of partsOf(ids, READ_AT_ONCE, ending)) {
        await alarmStore.assignCause(ctx.db, some, causedBy)
      }
      await giveWay()
    }
    const take = ({ alarmId, causedBy }: StoredAlarm) => {
      // Somebody may have acknowledged it meanwhile.
      const alarm = ctx.alarms.get(alarmId)
      if (alarm !== undefined) ctx.alarms.put({ ...alarm, causedBy })
      if (causedBy !== null) this.#grown.add(causedBy)
    }
    await eachInSlices(moved, take, ending)
    await this.#noteConsequences()
    return moved.map(({ alarmId }) => alarmId)
  }

  /** Whether its cause is about to be raised. */
  #waits(
    { object, finding }: Raise,
    hops: readonly CauseHop[],
    ready: ReadonlyMap<string, Raise>,
  ): boolean {
    const { ctx, soon } = this.#options
    const [key, nowMs] = [keyOf(object), ctx.clock()]
    const sinceMs = this.#deferred.get(key)?.sinceMs ?? nowMs
    const isWaiting = hops.some((hop) => {
      const before = soon(keyOf(hop))
      return (
        before !== null && !ready.has(keyOf(hop)) && isCause(hop, before, { ...object, ...finding })
      )
    })
    if (!isWaiting || nowMs - sinceMs >= CAUSE_WAIT_MS) {
      this.#deferred.delete(key)
      return false
    }
    this.#deferred.set(key, { sinceMs, hops })
    return true
  }

  async #readHops(
    objects: readonly (ObjectKey & { rule: AlarmRule })[],
  ): Promise<Map<string, readonly CauseHop[]>> {
    const { ctx, hostsOf, ending } = this.#options
    const found = new Map<string, readonly CauseHop[]>()
    const unread = objects.filter((object) => !this.#deferred.has(keyOf(object)))
    for await (const some of partsOf(unread, READ_AT_ONCE, ending)) {
      for (const [key, hops] of await readHops(ctx, hostsOf, some)) found.set(key, hops)
    }
    for (const [key, { hops }] of this.#deferred) if (!found.has(key)) found.set(key, hops)
    return found
  }

  /** Reads what is before alarms that are new here, and finds what they may cause. */
  async #place(): Promise<void> {
    const { ctx, isOwn, ending } = this.#options
    if (this.#arePathsOld) {
      this.#arePathsOld = false
      const unplace = (alarm: StoredAlarm) => {
        this.#index.remove(keyOf(alarm))
        this.#unplaced.set(keyOf(alarm), alarm)
      }
      await eachInSlices([...ctx.alarms.all()], unplace, ending)
    }
    const unplaced = [...this.#unplaced.values()]
    this.#unplaced.clear()
    const [open, unread]: [StoredAlarm[], StoredAlarm[]] = [[], []]
    const sort = (alarm: StoredAlarm) => {
      if (ctx.alarms.get(alarm.alarmId) === undefined) return
      open.push(alarm)
      if (!this.#index.has(keyOf(alarm))) unread.push(alarm)
    }
    await eachInSlices(unplaced, sort, ending)
    if (open.length === 0) return
    const hops = await this.#readHops(unread)
    const place = (alarm: StoredAlarm) => {
      const key = keyOf(alarm)
      if (!this.#index.has(key)) this.#index.put(key, hops.get(key) ?? [])
      if (isOwn(alarm)) this.#unassigned.add(keyOf(alarm))
    }
    await eachInSlices(open, place, ending)
    const lookAgain = (key: string) => {
      const other = ctx.alarms.at(key)
      if (other !== undefined && isOwn(other)) this.#unassigned.add(key)
    }
    await eachInSlices(this.#downstreamOf(open), lookAgain, ending)
  }

  *#downstreamOf(alarms: readonly StoredAlarm[]): Generator<string> {
    for (const alarm of alarms) yield* this.#index.downstreamOf(keyOf(alarm))
  }

  /** Its cause is cleared, and it is about to be cleared too, or may be. */
  #isStillReleased(alarm: StoredAlarm): boolean {
    const untilMs = this.#released.get(alarm.causedBy ?? '')
    if (untilMs === undefined) return false
    return this.#options.ctx.clock() < untilMs || this.#options.isWell(alarm)
  }

  async #noteConsequences(): Promise<void> {
    const { ctx } = this.#options
    for (const alarmId of this.#grown) {
      const alarm = ctx.alarms.get(alarmId)
      const count = ctx.alarms.consequencesOf(alarmId).length
      if (alarm === undefined || count <= alarm.mostConsequences) continue
      await alarmStore.noteConsequences(ctx.db, alarmId, count)
      ctx.alarms.put({ ...alarm, mostConsequences: count })
      await giveWay()
      this.#options.ending.throwIfAborted()
    }
    this.#grown.clear()
  }

  #releaseLater(alarmId: string): void {
    if (this.#released.has(alarmId)) return
    this.#released.set(alarmId, this.#options.ctx.clock() + RELEASE_MS)
  }
}
