/**
 * So that nobody's calls keep those of others waiting: of one person one long call is worked on at a
 * time, the rest waits in turn, and only so many calls are taken in a second.
 */
import type { Context } from '../context.ts'
import { tooMany } from '../errors.ts'
import { giveWay } from '../in-slices.ts'

/** Longer pages and searches are long calls. The largest page of the console is this long (CONST-06). */
const SHORT_PAGE_ROWS = 120
/** These read all that one may see, whatever is asked. */
const LONG_CALLS: ReadonlySet<string> = new Set(['encoders.summary'])
/** A page asks for a few lists at once, and a person may have several tabs. */
const WAITING_LIMIT = 32
const RETRY_S = 1
/** A burst, such as a console that opens in many tabs, is let through: the allowance of so many seconds. */
const BURST_S = 5
const PEOPLE_LIMIT = 10_000

interface Person {
  /** Long calls behind the one that is under way. */
  waiting: (() => void)[]
  isBusy: boolean
  /** Resolves once the calls that came before have been admitted, one in each turn of the event loop. */
  admitted: Promise<void>
  /** Calls that may be made at `atMs`. */
  calls: number
  atMs: number
}

/** `asked`: the query and the body as they were understood. */
export function isLongCall(name: string, ...asked: readonly unknown[]): boolean {
  if (LONG_CALLS.has(name)) return true
  return asked.some((part) => {
    if (typeof part !== 'object' || part === null) return false
    const { rowsPerPage, rows = rowsPerPage, searchText, searchValue, search } = part as Asked
    const isLongPage = rows === 0 || (typeof rows === 'number' && rows > SHORT_PAGE_ROWS)
    return isLongPage || [searchText, searchValue, search].some((text) => isText(text))
  })
}

type Asked = Partial<
  Record<'rowsPerPage' | 'rows' | 'searchText' | 'searchValue' | 'search', unknown>
>

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

export class FairShare {
  readonly #people = new Map<string, Person>()
  readonly #callsPerSecond: number
  readonly #now: () => number

  /** `now`: milliseconds of a clock that is never set. */
  constructor(callsPerSecond: number, now: () => number = () => performance.now()) {
    this.#callsPerSecond = callsPerSecond
    this.#now = now
  }

  /**
   * Counts a call. Throws TooMany beyond what a person may call in a second. Of calls that come at
   * once one goes on in each turn of the event loop, so that those of others come in between.
   */
  async take(personId: string): Promise<void> {
    const person = this.#person(personId)
    const before = person.admitted
    person.admitted = before.then(giveWay)
    await before
    this.#count(person)
  }

  #count(person: Person): void {
    const nowMs = this.#now()
    const gained = ((nowMs - person.atMs) / 1000) * this.#callsPerSecond
    person.calls = Math.min(this.#callsPerSecond * BURST_S, person.calls + gained)
    person.atMs = nowMs
    if (person.calls < 1) {
      throw tooMany(
        `You make more than ${this.#callsPerSecond} calls a second. Wait a second, then make fewer.`,
        RETRY_S,
      )
    }
    person.calls -= 1
  }

  /** Resolves when a long call of this person may begin; call what it answers when it has ended. */
  async begin(personId: string): Promise<() => void> {
    const person = this.#person(personId)
    if (!person.isBusy) person.isBusy = true
    else if (person.waiting.length >= WAITING_LIMIT) {
      throw tooMany(
        'Too many of your searches and long lists are under way. Wait until some have ended, then try again.',
        RETRY_S,
      )
    } else await new Promise<void>((resolve) => person.waiting.push(resolve))
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      const next = person.waiting.shift()
      if (next === undefined) person.isBusy = false
      // Others have their turn before the next long call begins.
      else setImmediate(next)
    }
  }

  #person(id: string): Person {
    const known = this.#people.get(id)
    if (known !== undefined) return known
    if (this.#people.size >= PEOPLE_LIMIT) this.#forgetIdle()
    const calls = this.#callsPerSecond * BURST_S
    const admitted = Promise.resolve()
    const person: Person = { waiting: [], isBusy: false, admitted, calls, atMs: this.#now() }
    this.#people.set(id, person)
    return person
  }

  #forgetIdle(): void {
    for (const [id, { isBusy, atMs }] of this.#people) {
      if (!isBusy && this.#now() - atMs > BURST_S * 1000) this.#people.delete(id)
    }
  }
}

const shares = new WeakMap<Context, FairShare>()

/** The one of this API. */
export function fairShareOf(ctx: Context): FairShare {
  const known = shares.get(ctx)
  if (known !== undefined) return known
  const share = new FairShare(ctx.config.callLimit)
  shares.set(ctx, share)
  return share
}
