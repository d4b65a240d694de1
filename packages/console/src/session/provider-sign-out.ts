/** Where somebody who has signed out here ends the session at the provider (ADR 0069). */
import { useSyncExternalStore } from 'react'
import { storage } from '../lib/storage.ts'
import { makeWatchers } from '../lib/watchers.ts'

/** With the ID token of the session that ended: of this page alone, and never stored. */
let known: string | null = null
const { watch, notify } = makeWatchers()

/** `url`: as the API answered the sign-out; null for none. */
export function keepSignOutUrl(url: string | null): void {
  known = url
  notify()
}

/** There it was ended, or another session has begun: nobody is led there any more. */
export function forgetSignOutUrl(): void {
  storage.providerSignOut.clear()
  keepSignOutUrl(null)
}

/** What was stored at the sign-in, where the API did not answer or the page was loaded again: that page may ask first. */
export function useSignOutUrl(): string | null {
  return useSyncExternalStore(watch, () => known ?? storage.providerSignOut.read())
}
