/**
 * Compares what is seen of each object with its last known value, and gathers the events until they
 * are written. It has no timer: event-recorder.service.ts passes what was seen, and asks for what to write.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import { KindMap } from '../fleet/kind-map.ts'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { transitionsOf, type Fact, type Facet, type Known, type Transition } from './event.rules.ts'

/** The last known values of an object. */
type Facets = Partial<Record<Facet, Known>>

export interface Pending extends Transition {
  object: ObjectKey
}

/** Of one object; the others of that minute are counted in one event. */
export const EVENTS_A_MINUTE = 20
/** So many events are kept in memory while they cannot be written. */
const HELD_AT_MOST = 10_000

/** No peer, and not wanted: as if it was never seen. */
const NOTHING: ReadonlySet<string> = new Set(['', 'off'])

interface Minute {
  beganMs: number
  count: number
  omitted: number
  firstOmittedMs: number
  lastOmittedMs: number
  /** The last change of its state that was left out: it is written when the minute is over. */
  lastRun: Pending | null
}

export class EventRecorder {
  readonly #known = new KindMap<Facets>()
  readonly #minutes = new Map<string, { object: ObjectKey; minute: Minute }>()
  /** Not written yet, by object, so that a removed object is dropped without a look at the others. */
  #pending = new Map<string, Pending[]>()

  /** What the database knows, before anything is seen. */
  load(object: ObjectKey, facet: Facet, known: Known): void {
    this.#facets(object)[facet] = known
  }

  knows(object: ObjectKey): boolean {
    return this.#known.has(keyOf(object))
  }

  /** Whether there is something to write, or will be when a minute is over. */
  get hasWork(): boolean {
    return this.#pending.size > 0 || this.#minutes.size > 0
  }

  see(object: ObjectKey, facts: readonly Fact[], nowMs: number): void {
    const facets = this.#facets(object)
    for (const fact of facts) {
      const before = facets[fact.facet] ?? null
      for (const transition of transitionsOf(before, fact, nowMs)) {
        facets[fact.facet] = { value: transition.value, atMs: transition.atMs }
        // An object that was never wanted leaves no trace.
        const isNothing = before === null && NOTHING.has(transition.value)
        if (!isNothing) this.#add({ object, ...transition }, nowMs)
      }
    }
  }

  /** The object was removed. */
  forget(object: ObjectKey): void {
    const key = keyOf(object)
    this.#known.delete(key)
    this.#minutes.delete(key)
    this.#pending.delete(key)
  }

  /** Ends each minute that is over with how many events were left out, when the next is asked for. */
  *endMinutes(nowMs: number): Generator<void> {
    for (const [key, { object, minute }] of this.#minutes) {
      const agedMs = nowMs - minute.beganMs
      // In order of their beginning; the clock may have been set back meanwhile.
      if (agedMs >= 0 && agedMs < MINUTE_MS) return
      this.#minutes.delete(key)
      this.#endMinute(object, minute)
      yield
    }
  }

  /** How many objects have something to be written. */
  get waitingObjects(): number {
    return this.#pending.size
  }

  /** What is to be written of so many objects. */
  takeOf(objects: number): Pending[] {
    const taken: Pending[] = []
    let left = objects
    for (const [key, own] of this.#pending) {
      if (left === 0) break
      left -= 1
      this.#pending.delete(key)
      for (const pending of own) taken.push(pending)
    }
    return taken
  }

  /** Everything, also of minutes that are under way, for an orderly end. */
  takeAll(): Pending[] {
    Array.from(this.endMinutes(Number.POSITIVE_INFINITY))
    return this.takeOf(Number.POSITIVE_INFINITY)
  }

  /** They could not be written, and are taken again next time. Answers how many are dropped. */
  handBack(some: readonly Pending[]): number {
    const all = [
      ...some.filter(({ object }) => this.knows(object)),
      ...this.takeOf(Number.POSITIVE_INFINITY),
    ]
    const kept = all.slice(-HELD_AT_MOST)
    this.#pending = Map.groupBy(kept, ({ object }) => keyOf(object))
    return all.length - kept.length
  }

  #add(pending: Pending, nowMs: number): void {
    if (pending.event === null) return this.#put(pending)
    const minute = this.#minuteOf(pending.object, nowMs)
    minute.count += 1
    if (minute.count <= EVENTS_A_MINUTE) return this.#put(pending)
    const { atMs } = pending.event
    if (minute.omitted === 0) minute.firstOmittedMs = atMs
    minute.omitted += 1
    minute.lastOmittedMs = Math.max(minute.lastOmittedMs, atMs)
    if (pending.facet === 'run') minute.lastRun = pending
    else this.#put({ ...pending, event: null })
  }

  /** Of values without an event only the last is written. */
  #put(pending: Pending): void {
    const own = this.#pendingOf(pending.object)
    const last = own.at(-1)
    const isReplaced =
      last?.event === null && pending.event === null && last.facet === pending.facet
    if (isReplaced) own.pop()
    own.push(pending)
  }

  #pendingOf(object: ObjectKey): Pending[] {
    const key = keyOf(object)
    const pending = this.#pending.get(key) ?? []
    this.#pending.set(key, pending)
    return pending
  }

  #minuteOf(object: ObjectKey, nowMs: number): Minute {
    const key = keyOf(object)
    const known = this.#minutes.get(key)
    if (known !== undefined && nowMs - known.minute.beganMs < MINUTE_MS) return known.minute
    if (known !== undefined) this.#endMinute(object, known.minute)
    const minute: Minute = {
      beganMs: nowMs,
      count: 0,
      omitted: 0,
      firstOmittedMs: 0,
      lastOmittedMs: 0,
      lastRun: null,
    }
    // Last in the order of beginning, also if it had one before.
    this.#minutes.delete(key)
    this.#minutes.set(key, { object, minute })
    return minute
  }

  #endMinute(object: ObjectKey, minute: Minute): void {
    const { omitted, firstOmittedMs: sinceMs, lastOmittedMs: atMs, lastRun } = minute
    if (lastRun !== null) {
      // The events that were left out may end in the value that they began with: that is a change too.
      const value = 'omitted'
      this.#pendingOf(object).push(
        { ...lastRun, value, atMs: lastRun.atMs - 1, event: null },
        lastRun,
      )
    }
    if (omitted === 0) return
    const state = String(omitted)
    const event = { kind: 'omitted' as const, atMs, sinceMs, state, cause: '' }
    this.#pendingOf(object).push({ object, facet: 'omitted', value: String(sinceMs), atMs, event })
  }

  #facets(object: ObjectKey): Facets {
    const key = keyOf(object)
    const facets = this.#known.get(key) ?? {}
    this.#known.set(key, facets)
    return facets
  }
}
