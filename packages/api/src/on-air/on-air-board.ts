/**
 * What is on air in memory, as every API process knows it. A span begins and ends by the clock of each
 * process: nothing is written then.
 */
import type { OnAirMark, OnAirMarks } from '@trunkline/contract/on-air/on-air.schema'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { StoredMark } from './on-air.store.ts'

export interface OnAirBoardOptions {
  clock: () => number
  /** All marks that have not ended. */
  read: () => Promise<StoredMark[]>
  onFault: (error: unknown) => void
}

/** Answers kept between two changes. */
const ANSWERS_KEPT = 2000
/** After the database did not answer. */
const AGAIN_MS = 2000
/** A timer of Node takes no more than 24 days, and the clock of the machine may be set. */
const LONGEST_WAIT_MS = 60_000

export class OnAirBoard {
  readonly #options: OnAirBoardOptions
  readonly #marks = new Map<string, StoredMark>()
  readonly #answers = new Map<string, OnAirMarks>()
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined
  #reading: Promise<void> = Promise.resolve()
  #isEnded = false

  constructor(options: OnAirBoardOptions) {
    this.#options = options
  }

  /** Calls when another object is on air, or another mark is known. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Marks that have not ended, scheduled ones included. */
  get size(): number {
    return this.#marks.size
  }

  has(kind: ObjectKey['kind']): boolean {
    return [...this.#marks.values()].some((mark) => mark.kind === kind)
  }

  /** By `keyOf` the object what is on air at this moment. */
  onAir(): Map<string, StoredMark> {
    const nowMs = this.#options.clock()
    return new Map([...this.#marks].filter(([, mark]) => isOnAir(mark, nowMs)))
  }

  open(): StoredMark[] {
    const nowMs = this.#options.clock()
    return [...this.#marks.values()].filter((mark) => !hasEnded(mark, nowMs))
  }

  /** Resolves when what the database has at this moment is known here. Throws when it does not answer. */
  async reload(): Promise<void> {
    const reading = this.#reading
      .catch(() => undefined)
      .then(async () => this.#replace(await this.#options.read()))
    this.#reading = reading
    await reading
  }

  /** Marks may have changed in the database: they are read until that succeeds. */
  reloadSoon(): void {
    clearTimeout(this.#again)
    this.reload().catch((error: unknown) => {
      this.#options.onFault(error)
      if (!this.#isEnded) this.#again = setTimeout(() => this.reloadSoon(), AGAIN_MS).unref()
    })
  }

  /** Other people than before may see objects. */
  rescoped(): void {
    if (this.#marks.size > 0) this.#publish()
  }

  /**
   * What a person sees: the same object until a change. `visibleTo`: alike for people who see the same.
   */
  of(visibleTo: string, maySee: (object: ObjectKey) => boolean): OnAirMarks {
    const known = this.#answers.get(visibleTo)
    if (known !== undefined) return known
    if (this.#answers.size >= ANSWERS_KEPT) this.#answers.clear()
    const nowMs = this.#options.clock()
    const marks = this.open()
      .filter(maySee)
      .map((mark) => shownMark(mark, nowMs))
    const answer = { marks }
    this.#answers.set(visibleTo, answer)
    return answer
  }

  [Symbol.dispose](): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    clearTimeout(this.#again)
    this.#listeners.clear()
  }

  #replace(marks: readonly StoredMark[]): void {
    const nowMs = this.#options.clock()
    this.#marks.clear()
    for (const mark of marks) this.#marks.set(keyOf(mark), mark)
    this.#publish()
    this.#wakeAtNextTurn(nowMs)
  }

  #publish(): void {
    this.#answers.clear()
    for (const listener of this.#listeners) listener()
  }

  /**
   * At the next moment at which a span begins or ends. `knownMs`: turns until then are published; one
   * that comes while this runs is not passed over.
   */
  #wakeAtNextTurn(knownMs: number): void {
    clearTimeout(this.#timer)
    if (this.#isEnded) return
    const turns = [...this.#marks.values()]
      .flatMap(({ fromMs, untilMs }) => [fromMs, untilMs ?? 0])
      .filter((ms) => ms > knownMs)
    if (turns.length === 0) return
    const nextMs = Math.min(...turns)
    const waitMs = Math.min(nextMs - knownMs, LONGEST_WAIT_MS)
    this.#timer = setTimeout(() => {
      const nowMs = this.#options.clock()
      if (nowMs >= nextMs) this.#turn(nowMs)
      this.#wakeAtNextTurn(nowMs)
    }, waitMs).unref()
  }

  #turn(nowMs: number): void {
    for (const [key, mark] of this.#marks) if (hasEnded(mark, nowMs)) this.#marks.delete(key)
    this.#publish()
  }
}

export function isOnAir({ fromMs, untilMs }: StoredMark, nowMs: number): boolean {
  return fromMs <= nowMs && (untilMs === null || nowMs < untilMs)
}

function hasEnded({ untilMs }: StoredMark, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs
}

/** As it is sent to a browser. */
export function shownMark(mark: StoredMark, nowMs: number): OnAirMark {
  const { kind, id, fromMs, untilMs, version } = mark
  return { kind, id, fromMs, untilMs, isOnAir: isOnAir(mark, nowMs), version }
}
