/**
 * Tries to sign in to one account beyond its limit: they wait, and each time its bucket lets one
 * through, one of them is looked at. Each network has one place. Networks that have not tried this account lately go first,
 * those that asked first before the others, also where they were refused and ask again: whoever
 * guesses from many networks, each used once, is soon behind an owner who keeps asking. Every third
 * turn is for networks that have tried, or an owner who mistyped would wait as long as the guesses last.
 */
import type { TryBucket } from './try-bucket.ts'

/** Proxies and people give up on what takes much longer; a flood must not hold requests open either. */
export const LONGEST_WAIT_MS = 16_000
/** Open requests of each kind, new networks and others, for one account. */
const PLACES = 20
const TURNS_PER_RETURNING = 3

interface Candidate {
  network: string
  /** When this network first asked in vain, now or in an earlier request. */
  sinceMs: number
  /** Whether a try of this network was looked at lately. */
  hasTried: boolean
}

export interface SignInQueue {
  /** Whether somebody waits: who comes now must not go before them. */
  isBusy(): boolean
  /** Resolves to whether its turn has come, which then is counted; at once to false when all places are taken by others that go first. */
  wait(candidate: Candidate): Promise<boolean>
}

interface Place extends Candidate {
  settle: (isTurn: boolean) => void
}

export function createSignInQueue(bucket: TryBucket, clock: () => number): SignInQueue {
  const places = new Map<string, Place>()
  let turns = 0
  let isScheduled = false

  const waiting = (hasTried: boolean) =>
    [...places.values()]
      .filter((place) => place.hasTried === hasTried)
      .toSorted((a, b) => a.sinceMs - b.sinceMs)

  function takeTurn(): void {
    isScheduled = false
    const isForReturning = turns % TURNS_PER_RETURNING === TURNS_PER_RETURNING - 1
    const [next] = [...waiting(isForReturning), ...waiting(!isForReturning)]
    if (next === undefined) return
    turns += 1
    bucket.take()
    next.settle(true)
    if (places.size > 0) schedule()
  }

  function schedule(): void {
    isScheduled = true
    setTimeout(takeTurn, bucket.nextAtMs() - clock())
  }

  return {
    isBusy: () => places.size > 0,
    async wait(candidate) {
      // The latest request of a network has its place: the page of an earlier one may be closed.
      places.get(candidate.network)?.settle(false)
      const others = waiting(candidate.hasTried)
      const last = others.at(-1)
      if (others.length >= PLACES && last !== undefined) {
        if (last.sinceMs <= candidate.sinceMs) return false
        last.settle(false)
      }
      return new Promise((resolve) => {
        const settle = (isTurn: boolean) => {
          clearTimeout(timer)
          places.delete(candidate.network)
          resolve(isTurn)
        }
        const timer = setTimeout(() => settle(false), LONGEST_WAIT_MS)
        places.set(candidate.network, { ...candidate, settle })
        if (!isScheduled) schedule()
      })
    },
  }
}
