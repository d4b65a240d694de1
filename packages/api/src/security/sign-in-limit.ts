/**
 * How often somebody may try to sign in. Three limits, from the narrowest to the widest:
 * - an account from one address, so that guessing there does not lock its owner out elsewhere;
 * - one address, so that one password is not tried on all accounts;
 * - an account from everywhere, so that a guesser with many addresses meets a limit too. Beyond it a
 *   try waits for its turn instead of being refused, each longer than the one before, so that the
 *   owner gets in from a new address while guesses stay few. Addresses that this account signed in
 *   from lately do not wait: nobody can lock its owner out.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { networkOf } from './network.rules.ts'

const MINUTE_MS = 60_000
const ACCOUNT_WINDOW_MS = 10 * MINUTE_MS
/** Operators behind one address share it: a control room signs in at the start of a shift. */
const ADDRESS_FACTOR = 10
/** In ten minutes as many as one address has in ten. */
const ACCOUNT_FACTOR = 10
/** Beyond that: the first waits a second, the next twice as long, up to one try in 12 seconds. */
const FIRST_DELAY_MS = 1000
const LONGEST_STEP_MS = 12_000
/** Proxies and people give up on what takes much longer; a flood must not hold requests open either. */
const LONGEST_DELAY_MS = 15_000
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
}

export interface Turn {
  /** Before the password is looked at; 0 for most. */
  delayMs: number
}

export interface SignInLimit {
  /** Counts the try and answers when its turn is; or why it may not be made. */
  take(attempt: Attempt): Promise<Turn | TooSoon>
  /** A right password: it was no guess, and the account's earlier slips from there are forgotten. */
  forgive(email: string, ip: string): void
}

interface Window {
  endsMs: number
  tries: number
  hasRefused: boolean
  /** How many had to wait, and when the last one has its turn. */
  delays: number
  turnMs: number
}

interface Limited {
  key: string
  most: number
  windowMs: number
}

const limits = new WeakMap<Context, SignInLimit>()

/** The one of this process: every place where a password is typed counts in it. */
export function signInLimitOf(ctx: Context): SignInLimit {
  const limit = limits.get(ctx) ?? createSignInLimit(ctx.config.signInLimit, ctx.clock)
  limits.set(ctx, limit)
  return limit
}

/** Of a refusal: '1 second', '12 seconds'. */
export function waitOf({ waitMs }: TooSoon): { seconds: number; text: string } {
  const seconds = Math.ceil(waitMs / 1000)
  return { seconds, text: `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` }
}

export function createSignInLimit(limit: number, clock: () => number): SignInLimit {
  const windows = new Map<string, Window>()
  const at = (one: Limited) => windowAt(windows.get(one.key), clock(), one.windowMs)
  const isFull = (one: Limited) => at(one).tries >= one.most
  const keep = (one: Limited, window: Window) => {
    // Deleted first, so that the order of the map is the order of use.
    windows.delete(one.key)
    windows.set(one.key, window)
    if (windows.size > KEYS_LIMIT) windows.delete(windows.keys().next().value ?? '')
  }
  const refuse = (one: Limited, waitMs: number): TooSoon => {
    const window = at(one)
    keep(one, { ...window, hasRefused: true })
    return { waitMs, isFirst: !window.hasRefused }
  }
  const limitsOf = (email: string, ip: string) => {
    const network = networkOf(ip)
    return {
      address: { key: network, most: limit * ADDRESS_FACTOR, windowMs: MINUTE_MS },
      pair: { key: `${network} ${email}`, most: limit, windowMs: MINUTE_MS },
      account: { key: email, most: limit * ACCOUNT_FACTOR, windowMs: ACCOUNT_WINDOW_MS },
    }
  }
  return {
    async take({ email, ip, isKnownAddress }) {
      const { address, pair, account } = limitsOf(email, ip)
      const here = [address, pair]
      const isOver = !here.some(isFull) && isFull(account)
      const isKnown = isOver && (await isKnownAddress())
      // From here on without a pause, so that tries at once are counted one by one.
      const full = here.find(isFull)
      if (full !== undefined) return refuse(full, at(full).endsMs - clock())
      const nowMs = clock()
      const turn = isOver && !isKnown ? turnAfter(at(account), nowMs) : null
      const delayMs = turn === null ? 0 : turn.turnMs - nowMs
      if (delayMs > LONGEST_DELAY_MS) return refuse(account, delayMs - LONGEST_DELAY_MS)
      for (const one of isKnown ? here : [...here, account]) {
        const window = one === account ? { ...at(one), ...turn } : at(one)
        keep(one, { ...window, tries: window.tries + 1 })
      }
      return { delayMs }
    },
    forgive(email, ip) {
      const { pair, account } = limitsOf(email, ip)
      windows.delete(pair.key)
      const window = windows.get(account.key)
      if (window !== undefined) window.tries = Math.max(0, window.tries - 1)
    },
  }
}

/** The open window, or a new one. After the clock was set back a window ends no later than a new one would. */
function windowAt(open: Window | undefined, nowMs: number, windowMs: number): Window {
  const newEndMs = nowMs + windowMs
  if (open === undefined || open.endsMs <= nowMs) {
    return { endsMs: newEndMs, tries: 0, hasRefused: false, delays: 0, turnMs: 0 }
  }
  return { ...open, endsMs: Math.min(open.endsMs, newEndMs) }
}

/** After the one that waits last. A clock that was set back makes nobody wait longer. */
function turnAfter({ delays, turnMs }: Window, nowMs: number): Pick<Window, 'delays' | 'turnMs'> {
  const stepMs = Math.min(FIRST_DELAY_MS * 2 ** delays, LONGEST_STEP_MS)
  const lastMs = Math.min(Math.max(turnMs, nowMs), nowMs + LONGEST_DELAY_MS)
  return { delays: delays + 1, turnMs: lastMs + stepMs }
}

/** Resolves when its turn has come; throws what `refusal` makes of a try that may not be made. */
export async function waitForTurn(
  taken: Turn | TooSoon,
  refusal: (tooSoon: TooSoon) => Promise<Error> | Error,
): Promise<void> {
  if ('waitMs' in taken) throw await refusal(taken)
  if (taken.delayMs > 0) await wait(taken.delayMs)
}
