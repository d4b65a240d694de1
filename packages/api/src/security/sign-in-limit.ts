/**
 * How often somebody may try to sign in. Three limits, from the narrowest to the widest:
 * - an account from one address, so that guessing there does not lock its owner out elsewhere;
 * - one address, so that one password is not tried on all accounts;
 * - an account from everywhere, so that a guesser with many addresses meets a limit too. Beyond it a
 *   try waits for its turn (see sign-in-queue.ts), so that the owner gets in from a new address while
 *   guesses stay few. Addresses that this account signed in from lately do not wait: nobody can lock
 *   its owner out.
 */
import { MINUTE_MS } from '@trunkline/contract/durations'
import type { Context } from '../context.ts'
import { outcomesOf } from '../outcome-counts.ts'
import { networkOf, siteOf } from './network.rules.ts'
import { createSignInQueue, type SignInQueue } from './sign-in-queue.ts'
import { createTryBucket, type TryBucket } from './try-bucket.ts'

/** What a network did at an account is forgotten after as long. */
const VISIT_MS = 10 * MINUTE_MS
/** Operators behind one address share it: a control room signs in at the start of a shift. */
const ADDRESS_FACTOR = 10
/** So that with those in turn (try-bucket.ts) at most 100 are looked at in any ten minutes. */
const ACCOUNT_FACTOR = 6
/** For who has waited in vain: soon, for the place in the order of turns is kept. */
const ASK_AGAIN_MS = 5000
/** Beyond this many keys the oldest are forgotten, so that the limiter is no way to fill the memory. */
const KEYS_LIMIT = 20_000

export interface Attempt {
  /** In lower case. */
  email: string
  ip: string
  /** Whether this account signed in from there lately; asked only when it matters. */
  isKnownAddress: () => Promise<boolean>
}

export interface TooSoon {
  /** Until the next try may be made. */
  waitMs: number
  /** The first try that this window refuses. */
  isFirst: boolean
  /** Which limit: of this account from there, of all accounts from there, of this account from everywhere. */
  limit: 'pair' | 'address' | 'account'
}

export interface Turn {
  /** The password was right: it was no guess, and the account's earlier slips from there are forgotten. */
  forgive(): void
}

export interface SignInLimit {
  /** Counts the try and resolves when its turn has come; or to why it may not be made. */
  take(attempt: Attempt): Promise<TooSoon | Turn>
}

interface Window {
  endsMs: number
  tries: number
  hasRefused: boolean
}

/** Of an account, from everywhere. */
interface Account {
  bucket: TryBucket
  queue: SignInQueue
  /** Since a try last went through at once. */
  hasRefused: boolean
}

/** Of a network at an account. */
interface Visit {
  seenMs: number
  /** Of the last try that was looked at. */
  triedMs: number
  /** Since when it asks in vain; null when it does not. */
  sinceMs: number | null
}

/** In a minute. */
interface Limited {
  name: 'pair' | 'address'
  key: string
  most: number
}

const limits = new WeakMap<Context, SignInLimit>()

/** The one of this process: every place where a password is typed counts in it. */
export function signInLimitOf(ctx: Context): SignInLimit {
  const limit =
    limits.get(ctx) ?? counted(createSignInLimit(ctx.config.signInLimit, ctx.clock), ctx)
  limits.set(ctx, limit)
  return limit
}

function counted(limit: SignInLimit, ctx: Context): SignInLimit {
  const { secrets } = outcomesOf(ctx)
  return {
    async take(attempt) {
      secrets.tried += 1
      const turn = await limit.take(attempt)
      if ('waitMs' in turn) return turn
      return {
        forgive() {
          secrets.right += 1
          turn.forgive()
        },
      }
    },
  }
}

/** Of a refusal: '1 second', '12 seconds'. */
export function waitOf({ waitMs }: TooSoon): { seconds: number; text: string } {
  const seconds = Math.ceil(waitMs / 1000)
  return { seconds, text: `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` }
}

export function createSignInLimit(limit: number, clock: () => number): SignInLimit {
  const windows = new Map<string, Window>()
  const accounts = new Map<string, Account>()
  const visits = new Map<string, Visit>()
  const at = (limited: Limited) => windowAt(windows.get(limited.key), clock())
  const isFull = (limited: Limited) => at(limited).tries >= limited.most
  const change = (limited: Limited, part: Partial<Window>) =>
    keepLatest(windows, limited.key, { ...at(limited), ...part })
  const count = (all: Limited[], by: 1 | -1) => {
    for (const item of all) change(item, { tries: Math.max(0, at(item).tries + by) })
  }
  const refuse = (limited: Limited, waitMs: number): TooSoon => {
    const isFirst = !at(limited).hasRefused
    change(limited, { hasRefused: true })
    return { waitMs, isFirst, limit: limited.name }
  }
  const accountOf = (email: string) => {
    const account = accounts.get(email) ?? createAccount(limit * ACCOUNT_FACTOR, clock)
    keepLatest(accounts, email, account)
    return account
  }
  const note = (key: string, visit: Partial<Visit>) => {
    const known = visitAt(visits.get(key), clock())
    keepLatest(visits, key, { ...known, ...visit, seenMs: clock() })
  }
  /** Whether its turn has come. */
  const waitForTurn = async ({ queue }: Account, email: string, ip: string) => {
    const key = visitKeyOf(email, ip)
    const { triedMs, sinceMs: asksSinceMs } = visitAt(visits.get(key), clock())
    const sinceMs = asksSinceMs ?? clock()
    note(key, { sinceMs })
    return queue.wait({ network: siteOf(ip), sinceMs, hasTried: triedMs > 0 })
  }
  return {
    async take({ email, ip, isKnownAddress }) {
      const { address, pair } = limitsOf(limit, email, ip)
      const here = [address, pair]
      const isKnown = !here.some(isFull) && isOver(accountOf(email)) && (await isKnownAddress())
      // From here on without a pause, so that tries at once are counted one by one.
      const full = here.find(isFull)
      if (full !== undefined) return refuse(full, at(full).endsMs - clock())
      count(here, 1)
      const account = accountOf(email)
      if (!isKnown && isOver(account)) {
        if (!(await waitForTurn(account, email, ip))) {
          count(here, -1)
          const isFirst = !account.hasRefused
          account.hasRefused = true
          return { waitMs: ASK_AGAIN_MS, isFirst, limit: 'account' }
        }
      } else if (!isKnown) {
        account.bucket.take()
        account.hasRefused = false
      }
      note(visitKeyOf(email, ip), { triedMs: clock(), sinceMs: null })
      return {
        forgive() {
          windows.delete(pair.key)
          visits.delete(visitKeyOf(email, ip))
          if (!isKnown) account.bucket.giveBack()
        },
      }
    },
  }
}

function createAccount(most: number, clock: () => number): Account {
  const bucket = createTryBucket(most, clock)
  return { bucket, queue: createSignInQueue(bucket, clock), hasRefused: false }
}

function isOver({ bucket, queue }: Account): boolean {
  return bucket.isEmpty() || queue.isBusy()
}

function limitsOf(limit: number, email: string, ip: string): Record<Limited['name'], Limited> {
  const network = networkOf(ip)
  return {
    address: { name: 'address', key: network, most: limit * ADDRESS_FACTOR },
    pair: { name: 'pair', key: `${network} ${email}`, most: limit },
  }
}

function visitKeyOf(email: string, ip: string): string {
  return `${siteOf(ip)} ${email}`
}

/** Deleted first, so that the order of the map is the order of use. */
function keepLatest<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > KEYS_LIMIT) map.delete(map.keys().next().value ?? '')
}

/**
 * The open window, or a new window. After the clock was set back a window ends no later than a new
 * one would.
 */
function windowAt(open: Window | undefined, nowMs: number): Window {
  const newEndMs = nowMs + MINUTE_MS
  if (open === undefined || open.endsMs <= nowMs) {
    return { endsMs: newEndMs, tries: 0, hasRefused: false }
  }
  return { ...open, endsMs: Math.min(open.endsMs, newEndMs) }
}

/** What still matters of it. */
function visitAt(visit: Visit | undefined, nowMs: number): Visit {
  const isOld = visit === undefined || nowMs - visit.seenMs >= VISIT_MS
  if (isOld) return { seenMs: nowMs, triedMs: 0, sinceMs: null }
  const hasTriedLately = nowMs - visit.triedMs < VISIT_MS
  return hasTriedLately ? visit : { ...visit, triedMs: 0 }
}
