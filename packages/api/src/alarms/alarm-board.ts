/**
 * The open alarms of the site in memory, as every API process knows them, and what each person sees
 * of them. What a first cause causes is counted with it, for whoever may see it.
 */
import { compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmHead, OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { Actor } from '../security/actor.ts'
import type { StoredAlarm } from './alarm.store.ts'

export interface AlarmBoardOptions {
  clock: () => number
  maySee: (actor: Actor, object: ObjectKey) => boolean
  /** Until when that object is in maintenance; null: it is not. */
  maintenanceUntilMs: (object: ObjectKey) => number | null
  /** Alike for people who see the same. */
  visibleTo: (actor: Actor) => string
}

/** In place of what a person may not read of a cause in another group. */
const HIDDEN_SENTENCE = 'The cause is in another group. Ask an admin to look after it.'
/** Answers kept between two changes. */
const ANSWERS_KEPT = 2000

export class AlarmBoard {
  readonly #options: AlarmBoardOptions
  readonly #byId = new Map<string, StoredAlarm>()
  readonly #byObject = new Map<string, StoredAlarm>()
  /**
   * Since when what an alarm says is over, as the process that looks after its object sees it. Of an
   * alarm that is not known yet too: it is read later than this is heard.
   */
  readonly #overSinceMs = new Map<string, number>()
  /** By the id of their first cause. */
  readonly #consequences = new Map<string, Map<string, StoredAlarm>>()
  /** When a first cause, or a consequence of it, was last changed: a number that grows. */
  readonly #changes = new Map<string, number>()
  readonly #answers = new Map<string, OpenAlarms>()
  readonly #listeners = new Set<() => void>()
  #change = 0
  #publishing: NodeJS.Immediate | undefined
  #unmute: NodeJS.Timeout | undefined

  constructor(options: AlarmBoardOptions) {
    this.#options = options
  }

  /** Calls when alarms may have changed, once for all changes of a turn of the event loop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get size(): number {
    return this.#byId.size
  }

  all(): IterableIterator<StoredAlarm> {
    return this.#byId.values()
  }

  get(alarmId: string): StoredAlarm | undefined {
    return this.#byId.get(alarmId)
  }

  at(objectKey: string): StoredAlarm | undefined {
    return this.#byObject.get(objectKey)
  }

  /** Alarms that this one causes, also for a while after it was cleared. */
  consequencesOf(alarmId: string): readonly StoredAlarm[] {
    return [...(this.#consequences.get(alarmId)?.values() ?? [])]
  }

  put(alarm: StoredAlarm): void {
    const known = this.#byId.get(alarm.alarmId)
    if (known !== undefined) this.#drop(known)
    const other = this.#byObject.get(keyOf(alarm))
    if (other !== undefined) this.remove(other.alarmId)
    this.#byId.set(alarm.alarmId, alarm)
    this.#byObject.set(keyOf(alarm), alarm)
    if (alarm.causedBy !== null) {
      const consequences = this.#consequences.get(alarm.causedBy) ?? new Map<string, StoredAlarm>()
      consequences.set(alarm.alarmId, alarm)
      this.#consequences.set(alarm.causedBy, consequences)
    }
    this.#noteChange(alarm)
    if (alarm.mutedUntilMs !== null) this.#wakeWhenUnmuted()
  }

  remove(alarmId: string): void {
    const known = this.#byId.get(alarmId)
    if (known !== undefined) this.#drop(known)
    this.#overSinceMs.delete(alarmId)
  }

  /** `sinceMs`: null while it is not over. Answers whether that is new. */
  noteOver(alarmId: string, sinceMs: number | null): boolean {
    if ((this.#overSinceMs.get(alarmId) ?? null) === sinceMs) return false
    if (sinceMs === null) this.#overSinceMs.delete(alarmId)
    else this.#overSinceMs.set(alarmId, sinceMs)
    const alarm = this.#byId.get(alarmId)
    if (alarm !== undefined) this.#noteChange(alarm)
    return true
  }

  /** Those of which it is known that what they say is over. */
  allOver(): StoredAlarm[] {
    return [...this.#overSinceMs.keys()].flatMap((alarmId) => this.#byId.get(alarmId) ?? [])
  }

  /** Whether what these say is over is not known any more, nor of any alarm that is not read yet. */
  forgetOver(alarms: readonly StoredAlarm[]): void {
    for (const { alarmId } of alarms) this.noteOver(alarmId, null)
    for (const id of this.#overSinceMs.keys()) {
      if (!this.#byId.has(id)) this.#overSinceMs.delete(id)
    }
  }

  overSinceMs({ alarmId }: StoredAlarm): number | null {
    return this.#overSinceMs.get(alarmId) ?? null
  }

  /** Other people than before may see objects, or other objects are in maintenance. */
  recount(): void {
    this.#change += 1
    if (this.#byId.size > 0) this.#publishSoon()
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#publishing)
    clearTimeout(this.#unmute)
    this.#listeners.clear()
  }

  #drop(alarm: StoredAlarm): void {
    this.#byId.delete(alarm.alarmId)
    this.#byObject.delete(keyOf(alarm))
    this.#changes.delete(alarm.alarmId)
    if (alarm.causedBy !== null) {
      const consequences = this.#consequences.get(alarm.causedBy)
      consequences?.delete(alarm.alarmId)
      if (consequences?.size === 0) this.#consequences.delete(alarm.causedBy)
    }
    this.#noteChange(alarm)
  }

  #noteChange({ alarmId, causedBy }: StoredAlarm): void {
    this.#change += 1
    const root = causedBy ?? alarmId
    if (this.#byId.has(root)) this.#changes.set(root, this.#change)
    this.#publishSoon()
  }

  #publishSoon(): void {
    this.#answers.clear()
    this.#publishing ??= setImmediate(() => {
      this.#publishing = undefined
      for (const listener of this.#listeners) listener()
    })
  }

  /** What was muted counts again by itself: looked at every so often while there is such a one. */
  #wakeWhenUnmuted(): void {
    this.#unmute ??= setTimeout(() => {
      this.#unmute = undefined
      this.#publishSoon()
      const isMuted = [...this.#byId.values()].some((each) => this.isMuted(each))
      if (isMuted) this.#wakeWhenUnmuted()
    }, MUTE_LOOK_MS).unref()
  }

  isMuted({ mutedUntilMs }: StoredAlarm): boolean {
    return mutedUntilMs !== null && mutedUntilMs > this.#options.clock()
  }

  maintenanceUntilMs(alarm: ObjectKey): number | null {
    return this.#options.maintenanceUntilMs(alarm)
  }

  isQuiet(alarm: StoredAlarm): boolean {
    const isSeenTo = alarm.acknowledged !== null || this.isMuted(alarm)
    return isSeenTo || this.maintenanceUntilMs(alarm) !== null
  }

  maySee(actor: Actor, object: ObjectKey): boolean {
    return this.#options.maySee(actor, object)
  }

  /**
   * Open alarms that `causedBy` causes; null: first causes. Those of which this person sees the object,
   * or a consequence.
   */
  seenBy(actor: Actor, causedBy: string | null): StoredAlarm[] {
    const found: StoredAlarm[] = []
    for (const alarm of causedBy === null ? this.#byId.values() : this.consequencesOf(causedBy)) {
      if (causedBy === null && alarm.causedBy !== null) continue
      if (this.maySee(actor, alarm) || this.countConsequences(actor, alarm.alarmId) > 0)
        found.push(alarm)
    }
    const quiet = new Set(found.filter((alarm) => this.isQuiet(alarm)))
    return found.toSorted((a, b) => Number(quiet.has(a)) - Number(quiet.has(b)) || inOrder(a, b))
  }

  countConsequences(actor: Actor, alarmId: string): number {
    let count = 0
    for (const alarm of this.#consequences.get(alarmId)?.values() ?? []) {
      if (this.maySee(actor, alarm)) count += 1
    }
    return count
  }

  /** The same object until a change. */
  of(actor: Actor): OpenAlarms {
    const key = this.#options.visibleTo(actor)
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    if (this.#answers.size >= ANSWERS_KEPT) this.#answers.clear()
    const answer = this.#count(actor)
    this.#answers.set(key, answer)
    return answer
  }

  #count(actor: Actor): OpenAlarms {
    const unacknowledged = { critical: 0, major: 0, warning: 0 }
    let quiet = 0
    let worst: StoredAlarm | null = null
    let change = 0
    for (const alarm of this.#byId.values()) {
      if (alarm.causedBy !== null) continue
      if (!this.maySee(actor, alarm) && this.countConsequences(actor, alarm.alarmId) === 0) continue
      change = Math.max(change, this.#changes.get(alarm.alarmId) ?? 0)
      if (this.isQuiet(alarm)) {
        quiet += 1
        continue
      }
      unacknowledged[alarm.severity] += 1
      if (worst === null || this.#inStripOrder(alarm, worst) < 0) worst = alarm
    }
    return { unacknowledged, quiet, worst: worst && this.head(actor, worst), change }
  }

  /** What lasts before what is only open until its end has lasted. */
  #inStripOrder(a: StoredAlarm, b: StoredAlarm): number {
    const isOver = (alarm: StoredAlarm) => Number(this.overSinceMs(alarm) !== null)
    return isOver(a) - isOver(b) || inOrder(a, b)
  }

  /** As this person may read it. */
  head(actor: Actor, alarm: StoredAlarm): AlarmHead {
    const { alarmId, kind, id, rule, severity, raisedAtMs, version } = alarm
    const isSeen = this.maySee(actor, alarm)
    return {
      id: alarmId,
      kind,
      objectId: isSeen ? id : '',
      title: isSeen ? alarm.title : '',
      rule,
      severity,
      raisedAtMs,
      overSinceMs: this.overSinceMs(alarm),
      sentence: isSeen ? alarm.sentence : HIDDEN_SENTENCE,
      behind: this.countConsequences(actor, alarmId),
      version,
    }
  }
}

/** Of what is muted nobody waits for the second in which it ends. */
const MUTE_LOOK_MS = 15_000

/** Worst first, then the newest. */
function inOrder(a: StoredAlarm, b: StoredAlarm): number {
  const order = compareSeverity(a.severity, b.severity) || b.raisedAtMs - a.raisedAtMs
  if (order !== 0) return order
  return a.alarmId < b.alarmId ? -1 : 1
}
