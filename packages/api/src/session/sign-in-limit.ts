/**
 * How often somebody may try to sign in. Three limits, from the narrowest to the widest:
 * - an account from one address, so that guessing there does not lock its owner out elsewhere;
 * - one address, so that one password is not tried on all accounts;
 * - an account from everywhere, so that a guesser with many addresses meets a limit too. Addresses
 *   that this account signed in from lately are not held to it: nobody can lock its owner out.
 */
import { networkOf } from './network.rules.ts'

const MINUTE_MS = 60_000
const ACCOUNT_WINDOW_MS = 10 * MINUTE_MS
/** Operators behind one address share it: a control room signs in at the start of a shift. */
const ADDRESS_FACTOR = 10
/** In ten minutes as many as one address has in ten. */
const ACCOUNT_FACTOR = 10
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

export interface SignInLimit {
  /** Counts the try and answers null; or answers why it may not be made. */
  take(attempt: Attempt): Promise<TooSoon | null>
  /** A right password: it was no guess, and the account's earlier slips from there are forgotten. */
  forgive(email: string, ip: string): void
}

interface Window {
  endsMs: number
  tries: number
  hasRefused: boolean
}

interface Limited {
  key: string
  most: number
  windowMs: number
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
  const limits = (email: string, ip: string) => {
    const network = networkOf(ip)
    return {
      address: { key: network, most: limit * ADDRESS_FACTOR, windowMs: MINUTE_MS },
      pair: { key: `${network} ${email}`, most: limit, windowMs: MINUTE_MS },
      account: { key: email, most: limit * ACCOUNT_FACTOR, windowMs: ACCOUNT_WINDOW_MS },
    }
  }
  return {
    async take({ email, ip, isKnownAddress }) {
      const { address, pair, account } = limits(email, ip)
      const here = [address, pair]
      const isExempt = !here.some(isFull) && isFull(account) && (await isKnownAddress())
      // From here on without a pause, so that tries at once are counted one by one.
      const all = isExempt ? here : [...here, account]
      const full = all.find(isFull)
      if (full !== undefined) {
        const window = at(full)
        keep(full, { ...window, hasRefused: true })
        return { waitMs: window.endsMs - clock(), isFirst: !window.hasRefused }
      }
      for (const one of all) {
        const window = at(one)
        keep(one, { ...window, tries: window.tries + 1 })
      }
      return null
    },
    forgive(email, ip) {
      const { pair, account } = limits(email, ip)
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
    return { endsMs: newEndMs, tries: 0, hasRefused: false }
  }
  return { ...open, endsMs: Math.min(open.endsMs, newEndMs) }
}
