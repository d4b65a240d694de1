/**
 * The maintenance windows of the site in memory, as every API process knows them, and which objects
 * they cover now. While none is on, asking costs nothing.
 */
import {
  activeUntilMs,
  nextChangeMs,
} from '@trunkline/contract/alarms/maintenance/maintenance.rules'
import { OverdueTimer } from '../../fleet/counts/overdue-timer.ts'
import type { ObjectKey } from '../../fleet/object-key.ts'
import type { Place } from '../../fleet/object-place.ts'
import { coveredKey, coversOf } from '../covered.ts'
import type { StoredWindow } from './maintenance.store.ts'

export interface MaintenanceBoardOptions {
  clock: () => number
  placeOf: (object: ObjectKey) => Place | null
}

export class MaintenanceBoard implements Disposable {
  readonly #options: MaintenanceBoardOptions
  readonly #listeners = new Set<() => void>()
  readonly #timer: OverdueTimer
  #windows: readonly StoredWindow[] = []
  /** What is covered now, and until when. */
  #active: ReadonlyMap<string, number> = new Map()

  constructor(options: MaintenanceBoardOptions) {
    this.#options = options
    this.#timer = new OverdueTimer(options.clock, () => this.#look())
  }

  /** Calls when other objects than before are covered. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  all(): readonly StoredWindow[] {
    return this.#windows
  }

  replace(windows: readonly StoredWindow[]): void {
    this.#windows = windows
    this.#look()
  }

  /** Until when an object is in maintenance; null: it is not. */
  untilMs(object: ObjectKey): number | null {
    if (this.#active.size === 0) return null
    const place = this.#options.placeOf(object)
    const found = [
      this.#active.get(coveredKey(object)),
      ...(place === null ? [] : [...this.#ofPlace(object, place)]),
    ].filter((untilMs) => untilMs !== undefined)
    const untilMs = Math.max(...found)
    return untilMs > this.#options.clock() ? untilMs : null
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
    this.#listeners.clear()
  }

  *#ofPlace(object: ObjectKey, place: Place) {
    const { server, owner, groups } = coversOf(object, place)
    yield this.#active.get(server)
    yield this.#active.get(owner)
    // What also belongs to another group goes on to call that.
    const ends = groups.map((key) => this.#active.get(key) ?? -Infinity)
    if (ends.length > 0) yield Math.min(...ends)
  }

  /** Which are on by now, and when that changes next. */
  #look(): void {
    const nowMs = this.#options.clock()
    const active = new Map<string, number>()
    let nextMs = Infinity
    for (const { covers, times } of this.#windows) {
      nextMs = Math.min(nextMs, nextChangeMs(times, nowMs) ?? Infinity)
      const untilMs = activeUntilMs(times, nowMs)
      if (untilMs === null) continue
      active.set(coveredKey(covers), Math.max(untilMs, active.get(coveredKey(covers)) ?? 0))
    }
    const wasQuiet = this.#active.size === 0
    this.#active = active
    this.#timer.set('next', Number.isFinite(nextMs) ? nextMs : null)
    if (wasQuiet && active.size === 0) return
    for (const listener of this.#listeners) listener()
  }
}
