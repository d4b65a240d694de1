/**
 * So that nobody's calls keep those of others waiting: of one person one list is worked on at a time,
 * the rest waits in turn, who takes long pauses as long, and only so many calls are taken in a second.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Route } from '@trunkline/contract/route'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { tooMany, unavailable } from '../errors.ts'
import type { Actor } from '../security/actor.ts'

/** These read all that one may see, whatever is asked. */
export const WHOLE_SITE_CALLS: ReadonlySet<string> = new Set([
  'destinations.match',
  'fleet.snapshot',
  'inputs.match',
  'outputs.match',
])
/** A page asks for a few lists at once, and a person may have several tabs. */
const WAITING_LIMIT = 32
/** The console gives a call up after as long. */
const WAITING_LIMIT_MS = 20_000
const RETRY_S = 1
/** A list that takes no longer may be followed by the next one at once: the pages of the console. */
const SHORT_LIST_MS = 25
/** The answer may have been read slowly, which costs others nothing. */
const LONGEST_PAUSE_MS = 1000
/** A burst, such as a console that opens in many tabs, is let through: the allowance of so many seconds. */
const BURST_S = 5
const PEOPLE_LIMIT = 10_000

interface Person {
  /** Lists waiting behind the current list. */
  waiting: (() => void)[]
  isBusy: boolean
  /** Resolves once the calls that came before have been admitted, one in each turn of the event loop. */
  admitted: Promise<void>
  /** Calls that may be made at `atMs`. */
  calls: number
  atMs: number
}

/** Whether the call reads a list: it is asked for a number of rows, or reads all of a site. */
export function isListCall({ name, query, body }: Pick<Route, 'name' | 'query' | 'body'>): boolean {
  return WHOLE_SITE_CALLS.has(name) || [query, body].some(asksForRows)
}

function asksForRows(schema: z.ZodType): boolean {
  const isOptional =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodPrefault
  if (isOptional) return asksForRows(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodObject && ('rowsPerPage' in schema.shape || 'rows' in schema.shape)
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
    await this.comeIn(personId)
    this.count(personId)
  }

  /**
   * Resolves in the turn of the event loop that is for this call. Not in the queue of long work, which goes on with
   * one slice of the whole site in a turn: the calls of all people would wait for each other.
   */
  async comeIn(personId: string): Promise<void> {
    const person = this.#person(personId)
    const before = person.admitted
    person.admitted = before.then(async () => nextTurn())
    await before
  }

  /** Throws TooMany beyond what a person may call in a second. */
  count(personId: string): void {
    if (this.mayCount(personId)) return
    throw tooMany(
      `Too many calls: the limit is ${this.#callsPerSecond} a second. Try again in ${RETRY_S} s.`,
      RETRY_S,
    )
  }

  /** Counts a call, if it is within what a person may call in a second. */
  mayCount(personId: string): boolean {
    const person = this.#person(personId)
    const nowMs = this.#now()
    const gained = ((nowMs - person.atMs) / 1000) * this.#callsPerSecond
    person.calls = Math.min(this.#callsPerSecond * BURST_S, person.calls + gained)
    person.atMs = nowMs
    if (person.calls < 1) return false
    person.calls -= 1
    return true
  }

  /**
   * Resolves when a list of this person may be read; call what it answers when it has been. Throws
   * TooMany when too many wait, or when its turn does not come in time.
   */
  async begin(personId: string): Promise<() => void> {
    const person = this.#person(personId)
    if (!person.isBusy) person.isBusy = true
    else if (person.waiting.length >= WAITING_LIMIT) throw tooManyLists()
    else await turnIn(person.waiting)
    const begunAtMs = this.#now()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      const tookMs = this.#now() - begunAtMs
      if (tookMs <= SHORT_LIST_MS) setImmediate(() => passOn(person))
      // As long a pause: others have half of the time at least, however long this person's lists take.
      else setTimeout(() => passOn(person), Math.min(tookMs, LONGEST_PAUSE_MS))
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

function passOn(person: Person): void {
  const next = person.waiting.shift()
  if (next === undefined) person.isBusy = false
  else next()
}

async function turnIn(waiting: (() => void)[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const limit = setTimeout(() => {
    waiting.splice(waiting.indexOf(turn), 1)
    reject(tooManyLists())
  }, WAITING_LIMIT_MS)
  const turn = () => {
    clearTimeout(limit)
    resolve()
  }
  waiting.push(turn)
  await promise
}

function tooManyLists(): Error {
  return tooMany(
    'Too many lists and searches are being read under your account. Wait until some have ended, then try again.',
    RETRY_S,
  )
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

/** Counts a call of this person. Throws TooMany, late: who was refused at once would call again at once. */
export async function takeCall(ctx: Context, actor: Actor): Promise<void> {
  await refuseLate(async () => fairShareOf(ctx).take(actor.id))
}

/** As `takeCall`, of a call that waits for its turn later: an answer that is kept needs none. */
export async function countCall(ctx: Context, actor: Actor): Promise<void> {
  await refuseLate(async () => Promise.resolve(fairShareOf(ctx).count(actor.id)))
}

/** Resolves when it is this person's turn; call what it answers at its end. Throws TooMany, late too. */
async function beginTurn(ctx: Context, actor: Actor): Promise<() => void> {
  return refuseLate(async () => fairShareOf(ctx).begin(actor.id))
}

/** A list keeps its turn until its answer is read: what nobody reads would fill the memory. Throws TooMany. */
export async function takeTurn(ctx: Context, actor: Actor, { raw }: FastifyReply): Promise<void> {
  const end = await beginTurn(ctx, actor)
  raw.once('close', end)
  if (!raw.destroyed) return
  end()
  throw unavailable('The client disconnected.')
}

/** After as long as it is asked to wait. */
async function refuseLate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await pause(RETRY_S * 1000)
    throw error
  }
}
