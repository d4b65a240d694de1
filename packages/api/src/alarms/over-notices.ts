/**
 * Says of open alarms that what they say is over, or is not any more, to everybody who sees them: here
 * and in the other processes. Not stored. The first is said at once; where thousands come and go, what
 * has changed is said together.
 */
import type { Context } from '../context.ts'
import type { StoredAlarm } from './alarm.store.ts'

/** Well within the time that an alarm is held open after its end. */
const PACE_MS = 2000

export interface OverNoticesOptions extends Pick<Context, 'alarms' | 'notices'> {
  /** Since when what the open alarm of that object says is over; null while it is not. */
  overSinceMs: (objectKey: string) => number | null
}

export class OverNotices implements Disposable {
  readonly #options: OverNoticesOptions
  readonly #due = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #noticedAtMs = -Infinity

  constructor(options: OverNoticesOptions) {
    this.#options = options
  }

  /** That object was looked at. */
  look(objectKey: string): void {
    const alarm = this.#options.alarms.at(objectKey)
    if (alarm === undefined) return
    if (this.#options.alarms.overSinceMs(alarm) === this.#options.overSinceMs(objectKey)) return
    this.#due.add(objectKey)
    const waitMs = Math.max(0, this.#noticedAtMs + PACE_MS - performance.now())
    this.#timer ??= setTimeout(() => this.#tell(), waitMs)
  }

  /** Another process may have missed it. `mine`: alarms whose objects are looked after here. */
  tellAgain(mine: readonly StoredAlarm[]): void {
    const { alarms, notices } = this.#options
    const over = mine.map((alarm) => ({ id: alarm.alarmId, sinceMs: alarms.overSinceMs(alarm) }))
    if (over.length > 0) notices.tell({ kind: 'alarmsOver', alarms: over })
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #tell(): void {
    this.#timer = undefined
    this.#noticedAtMs = performance.now()
    const { alarms, notices, overSinceMs } = this.#options
    const changed = [...this.#due].flatMap((key) => {
      const id = alarms.at(key)?.alarmId
      const sinceMs = overSinceMs(key)
      return id !== undefined && alarms.noteOver(id, sinceMs) ? [{ id, sinceMs }] : []
    })
    this.#due.clear()
    if (changed.length > 0) notices.tell({ kind: 'alarmsOver', alarms: changed })
  }
}
