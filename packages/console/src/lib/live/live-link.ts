/** The one live connection of this page: opened at sign-in, ended at sign-out. */
import { openLive, type LiveLink, type LiveListener } from './live.ts'
import { forgetLive } from './live-store.ts'
import { forgetKept } from './live-watch.ts'

let link: LiveLink | null = null

/** @returns ends it, and forgets what that account saw */
export function startLive(listener: LiveListener): () => void {
  // What an account before has shown is not the next one's.
  forgetKept()
  const mine = openLive(listener)
  link = mine
  return () => {
    mine[Symbol.dispose]()
    if (link === mine) link = null
    forgetLive()
  }
}

export function retryLive(): void {
  link?.retryNow()
}
