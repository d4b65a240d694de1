/**
 * When an alarm is raised, changed and cleared, from what is seen of each object. An object has at
 * most one open alarm, which says the worst of it. It knows no timer and no database: its keeper says
 * what is seen, asks again when it is due, and says what was written.
 */
import {
  CHATTER_CLEAR_AFTER_MS,
  CHATTER_CLEARS,
  CHATTER_WITHIN_MS,
  compareSeverity,
} from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import type { AppliedSettings } from '@trunkline/contract/alarms/overrides/override.rules'
import type { Condition, Finding } from './finding.rules.ts'

/** What is to be written; null: nothing. */
export type Decision =
  | { act: null; againAtMs: number | null }
  | { act: 'raise' | 'change'; finding: Finding; sinceMs: number }
  | { act: 'clear' }

/** What an open alarm says. */
export interface OpenFinding extends Finding {
  severity: Severity
}

interface Tracked {
  open: OpenFinding | null
  /** Seen, and not what the open alarm says; `isAfterWell`: what that says was over before. */
  seen: { finding: Finding; sinceMs: number; atMs: number; isAfterWell: boolean } | null
  /** Between two states: nothing is decided until it is seen well or bad. */
  isUnsettled: boolean
  wellSinceMs: number | null
  raisedAtMs: number
  changedAtMs: number
  /** Nothing before it explains the open alarm. */
  isFirstCause: boolean
  /** A decision is being written. */
  isBusy: boolean
}

/** Another rule that is no worse must stay for this long, so that two that alternate write nothing. */
const STEADY_MS = 10_000
/** What is seen first may be a consequence that was quicker: so soon after it was raised, and once, the other need not stay as long. */
const FIRST_LOOK_MS = 8000
const FIRST_STEADY_MS = 4000
/** A reason that comes a moment later is worth reading at once; after that, not more often than this. */
const REASON_MS = 1000

export class AlarmBook {
  readonly #settingsOf: (key: string, rule: AlarmRule) => AppliedSettings
  readonly #tracked = new Map<string, Tracked>()
  /** When an alarm of an object was cleared, the last few times. */
  readonly #clears = new Map<string, number[]>()

  constructor(settingsOf: (key: string, rule: AlarmRule) => AppliedSettings) {
    this.#settingsOf = settingsOf
  }

  /** Objects that are not well: a well one costs nothing. */
  get size(): number {
    return this.#tracked.size
  }

  keys(): IterableIterator<string> {
    return this.#tracked.keys()
  }

  see(key: string, condition: Condition, nowMs: number): Decision {
    const tracked = this.#tracked.get(key)
    switch (condition.is) {
      case 'well':
        if (tracked === undefined) return NOTHING
        tracked.seen = null
        tracked.isUnsettled = false
        tracked.wellSinceMs ??= nowMs
        return this.decide(key, nowMs)
      case 'unsettled':
        if (tracked !== undefined) {
          // A program that ends whenever it starts is down since it ended first.
          if (tracked.open !== null) tracked.seen = null
          tracked.isUnsettled = true
          const isOver = tracked.open !== null && condition.over?.includes(tracked.open.rule)
          tracked.wellSinceMs = isOver === true ? (tracked.wellSinceMs ?? nowMs) : null
          this.#dropIdle(key, tracked)
        }
        return { act: null, againAtMs: condition.againAtMs }
      case 'bad':
        this.#noteBad(key, tracked ?? this.#track(key), condition, nowMs)
        return this.decide(key, nowMs)
    }
  }

  /** By now, without anything new. */
  decide(key: string, nowMs: number): Decision {
    const tracked = this.#tracked.get(key)
    if (tracked === undefined || tracked.isBusy || tracked.isUnsettled) return NOTHING
    const { open, seen, wellSinceMs } = tracked
    if (seen !== null) {
      const isOpenOff = open !== null && this.#settingsOf(key, open.rule).isOff
      const dueAtMs = this.#dueAtMs(key, tracked, seen, isOpenOff)
      if (nowMs < dueAtMs && !isOpenOff) return { act: null, againAtMs: dueAtMs }
      if (nowMs < dueAtMs) return clearOf(tracked)
      const { finding, sinceMs } = seen
      tracked.isBusy = true
      return { act: open === null ? 'raise' : 'change', finding, sinceMs }
    }
    if (open === null || wellSinceMs === null) {
      this.#dropIdle(key, tracked)
      return NOTHING
    }
    const dueAtMs = wellSinceMs + this.#clearAfterMs(key, open, tracked.isFirstCause, nowMs)
    if (nowMs < dueAtMs) return { act: null, againAtMs: dueAtMs }
    return clearOf(tracked)
  }

  /** Seen, and soon raised unless it passes: its consequences wait for that. */
  soon(key: string): Finding | null {
    const tracked = this.#tracked.get(key)
    return tracked?.open === null ? (tracked.seen?.finding ?? null) : null
  }

  /** Since when what its open alarm says is not seen any more; null while it is, or may be. */
  wellSinceMs(key: string): number | null {
    return this.#tracked.get(key)?.wellSinceMs ?? null
  }

  isOpen(key: string): boolean {
    return (this.#tracked.get(key)?.open ?? null) !== null
  }

  /**
   * As the database has it now, whoever wrote it; `open` null: no alarm of it is open. A consequence
   * comes and goes with its cause, and is not held open for that.
   */
  written(
    key: string,
    { open, isFirstCause }: { open: OpenFinding | null; isFirstCause: boolean },
    nowMs: number,
  ): Decision {
    const tracked = this.#tracked.get(key) ?? (open === null ? undefined : this.#track(key))
    if (tracked === undefined) return NOTHING
    if (open === null && tracked.open !== null && isFirstCause) this.#noteClear(key, nowMs)
    if (open !== null && tracked.open === null) tracked.raisedAtMs = nowMs
    if (open !== null && tracked.open !== null && !isAlike(open, tracked.open)) {
      tracked.changedAtMs = nowMs
    }
    tracked.open = open
    tracked.isFirstCause = isFirstCause
    tracked.isBusy = false
    if (open !== null && tracked.seen !== null && this.#isShown(key, open, tracked.seen.finding)) {
      tracked.seen = null
    }
    return this.decide(key, nowMs)
  }

  /** It could not be written: it is decided again. */
  handBack(key: string): void {
    const tracked = this.#tracked.get(key)
    if (tracked !== undefined) tracked.isBusy = false
  }

  /** Another process looks after it: what was seen here counts no more. */
  release(key: string): void {
    const tracked = this.#tracked.get(key)
    if (tracked === undefined) return
    tracked.seen = null
    tracked.isUnsettled = false
    tracked.wellSinceMs = null
    this.#dropIdle(key, tracked)
  }

  #track(key: string): Tracked {
    const tracked: Tracked = {
      open: null,
      seen: null,
      isUnsettled: false,
      wellSinceMs: null,
      raisedAtMs: -Infinity,
      changedAtMs: -Infinity,
      isFirstCause: true,
      isBusy: false,
    }
    this.#tracked.set(key, tracked)
    return tracked
  }

  #noteBad(
    key: string,
    tracked: Tracked,
    { finding, sinceMs }: Extract<Condition, { is: 'bad' }>,
    nowMs: number,
  ): void {
    const isAfterWell = tracked.wellSinceMs !== null || tracked.seen?.isAfterWell === true
    tracked.isUnsettled = false
    tracked.wellSinceMs = null
    if (tracked.open !== null && this.#isShown(key, tracked.open, finding)) tracked.seen = null
    else if (tracked.seen === null || !isAlike(tracked.seen.finding, finding)) {
      const { seen } = tracked
      tracked.seen =
        seen?.finding.rule === finding.rule
          ? { ...seen, finding, sinceMs: Math.min(seen.sinceMs, sinceMs) }
          : { finding, sinceMs, atMs: nowMs, isAfterWell }
    }
    this.#tracked.set(key, tracked)
  }

  /** The open alarm says it already, with the severity that applies. */
  #isShown(key: string, open: OpenFinding, finding: Finding): boolean {
    return isAlike(open, finding) && open.severity === this.#settingsOf(key, open.rule).severity
  }

  #dueAtMs(
    key: string,
    { open, raisedAtMs, changedAtMs }: Tracked,
    { finding, sinceMs, atMs, isAfterWell }: NonNullable<Tracked['seen']>,
    isOpenOff: boolean,
  ) {
    const { severity, raiseAfterMs } = this.#settingsOf(key, finding.rule)
    if (open === null || isOpenOff) return sinceMs + raiseAfterMs
    // What it says is over, and it is only held open: this is another fault.
    if (isAfterWell && open.rule !== finding.rule) {
      return Math.max(sinceMs + raiseAfterMs, changedAtMs + STEADY_MS)
    }
    if (open.rule === finding.rule) {
      // By an override: nothing flaps.
      if (open.severity !== severity) return atMs
      return Math.max(atMs + REASON_MS, changedAtMs + STEADY_MS)
    }
    const isWorse = compareSeverity(severity, open.severity) < 0
    if (isWorse) return atMs + raiseAfterMs
    const isFirstLook = atMs - raisedAtMs < FIRST_LOOK_MS && changedAtMs < raisedAtMs
    return atMs + (isFirstLook ? FIRST_STEADY_MS : STEADY_MS)
  }

  #clearAfterMs(key: string, { rule }: Finding, isFirstCause: boolean, nowMs: number): number {
    const { isOff, clearAfterMs } = this.#settingsOf(key, rule)
    if (isOff) return 0
    // A consequence comes and goes with its cause.
    if (!isFirstCause) return clearAfterMs
    const clears = this.#clears.get(key) ?? []
    const isChatter =
      clears.length >= CHATTER_CLEARS && nowMs - (clears[0] ?? 0) < CHATTER_WITHIN_MS
    return isChatter ? Math.max(CHATTER_CLEAR_AFTER_MS, clearAfterMs) : clearAfterMs
  }

  #noteClear(key: string, nowMs: number): void {
    if (this.#clears.size >= CLEARS_KEPT) this.#clears.clear()
    const clears = (this.#clears.get(key) ?? []).filter((at) => nowMs - at < CHATTER_WITHIN_MS)
    this.#clears.set(key, [...clears, nowMs].slice(-CHATTER_CLEARS))
  }

  #dropIdle(key: string, { open, seen, isBusy }: Tracked): void {
    if (open === null && seen === null && !isBusy) this.#tracked.delete(key)
  }
}

/** Which objects chatter may be forgotten: they show it again. */
const CLEARS_KEPT = 20_000

function clearOf(tracked: Tracked): Decision {
  tracked.isBusy = true
  return { act: 'clear' }
}

const NOTHING: Decision = { act: null, againAtMs: null }

function isAlike(a: Finding, b: Finding): boolean {
  return a.rule === b.rule && a.sentence === b.sentence
}
