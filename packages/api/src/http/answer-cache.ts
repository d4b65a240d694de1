/**
 * Answers of lists, kept as the bytes that were sent until anything changes that a list may show.
 * An answer belongs to one person with their role and groups. Whoever may not call, or whose session
 * has ended, has been refused before it is looked for.
 */
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import type { Route } from '@trunkline/contract/route'
import type { FastifyRequest } from 'fastify'
import { countChanges } from '../record-changes.ts'
import type { Context, ListSource } from '../context.ts'
import type { Actor } from '../security/actor.ts'
import type { Answer } from './answer.ts'
import { WHOLE_SITE_CALLS } from './fair-share.ts'

/** Larger answers are rare, and would displace many others. */
const ANSWER_LIMIT_BYTES = 1024 * 1024
/** What an entry takes in addition to its bytes. */
const ENTRY_BYTES = 300
/** How long an answer may be used on PostgreSQL: not every write of another process is noticed. */
const SHARED_LIFE_MS = 250

interface Entry {
  answer: Answer
  generation: number
  bytes: number
  /** Of performance.now(). */
  untilMs: number
}

/** A look at the cache: what was found, or the way to keep what is read now. */
export interface Look {
  found: Answer | null
  /** What was read since the look; it is dropped when anything has changed meanwhile. */
  keep: (answer: Answer) => void
}

/** Where the rows of a list are written; null for a call whose answers are never kept. */
export function keptFrom({ name }: Pick<Route, 'name'>): ListSource | null {
  // The last use of a token is noted without anything that other lists show being written.
  if (name.startsWith('apiTokens.')) return null
  // Alarms come and go, maintenance windows begin and end, and paths are in the order of their states, without anything of the records being written; overrides go by names of several kinds.
  if (
    WHOLE_SITE_CALLS.has(name) ||
    /^(alarms|maintenance|alarmOverrides|paths|schedules)\./.test(name)
  )
    return null
  return name === listAudit.name ? 'audit' : 'records'
}

/** A list that is narrowed to certain states changes without anything being written. */
export function asksForStates({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): boolean {
  return [query, body].some(
    (given) => given instanceof Object && 'show' in given && given.show !== 'all',
  )
}

/** Whose answer it is, and to what: the same bytes always ask the same. */
export function keyOf(actor: Actor, { method, url, body }: FastifyRequest): string {
  const asked = body === undefined ? '' : JSON.stringify(body)
  return `${whoIs(actor)}\n${method} ${url}\n${asked}`
}

const known = new WeakMap<Actor, string>()

/** A role or group that is given or taken makes another actor. */
function whoIs(actor: Actor): string {
  const made = known.get(actor) ?? `${actor.id} ${actor.role} ${actor.groupIds.join(' ')}`
  known.set(actor, made)
  return made
}

export class AnswerCache {
  /** The one that was read longest ago is first. */
  readonly #entries = new Map<string, Entry>()
  readonly #generation: (source: ListSource) => number
  readonly #limitBytes: number
  readonly #lifeMs: number
  readonly #hearsOthers: () => boolean
  #bytes = 0

  constructor(ctx: Context) {
    this.#generation = countChanges(ctx)
    this.#limitBytes = ctx.config.answerCacheMegabytes * 1024 * 1024
    this.#lifeMs = ctx.config.databaseUrl === null ? Number.POSITIVE_INFINITY : SHARED_LIFE_MS
    this.#hearsOthers = () => ctx.notices.hearsOthers()
  }

  /** `key`: who asks, and what; `source`: where the rows of that list are written. */
  look(key: string, source: ListSource): Look {
    const generation = this.#generation(source)
    return {
      found: this.#find(key, generation),
      keep: (answer) => {
        if (this.#generation(source) === generation) this.#keep(key, answer, generation)
      },
    }
  }

  #find(key: string, generation: number): Answer | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    const isGood =
      entry.generation === generation && performance.now() < entry.untilMs && this.#hearsOthers()
    if (isGood) return entry.answer
    this.#remove(key, entry)
    return null
  }

  #keep(key: string, answer: Answer, generation: number): void {
    // Twice: it may be kept compressed as well.
    const bytes = answer.bytes.length * 2 + key.length * 2 + ENTRY_BYTES
    if (answer.bytes.length > ANSWER_LIMIT_BYTES || !this.#hearsOthers()) return
    const before = this.#entries.get(key)
    if (before !== undefined) this.#remove(key, before)
    this.#add(key, { answer, generation, bytes, untilMs: performance.now() + this.#lifeMs })
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limitBytes) break
      this.#remove(oldest, entry)
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

const caches = new WeakMap<Context, AnswerCache>()

/** The one of this API; null when nothing may be kept. */
export function answerCacheOf(ctx: Context): AnswerCache | null {
  if (ctx.config.answerCacheMegabytes === 0) return null
  const known = caches.get(ctx)
  if (known !== undefined) return known
  const cache = new AnswerCache(ctx)
  caches.set(ctx, cache)
  return cache
}
