/**
 * Who is signed in, as every part of the page sees it. Local storage is the session (AUTH-09, AUTH-12,
 * decisions.md 36): it is read at each navigation and call, whoever wrote or removed what is there.
 */
import { roleFromName, type Role } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { useSyncExternalStore } from 'react'
import { clearAccount, onOtherTab, storage } from './storage.ts'
import { makeWatchers } from './watchers.ts'

export interface Session {
  user: SessionUser
  token: string
}

/** Why a session ended: the server's sentence, '' for none, null by choice or for another account. */
type EndListener = (reason: string | null) => void

let texts = storedTexts()
let current: Session | null = readStored()
const { watch, notify } = makeWatchers()
const endListeners = new Set<EndListener>()
let isSignedOut = false
/** Since this page was loaded. */
let hasSignedIn = false
/** That this tab has put there last without a sign-in. */
let renewedToken: string | null = null
/** While `keepSessionDuring` runs: what would have ended the session meanwhile. Null outside of it. */
let held: { reason: string | null; isOutElsewhere: boolean } | null = null

function readStored(): Session | null {
  const user = storage.user.read()
  const token = storage.token.read()
  return user === null || token === null ? null : { user, token }
}

function storedTexts(): string {
  return JSON.stringify([storage.user.text(), storage.token.text()])
}

function become(session: Session | null): void {
  current = session
  texts = storedTexts()
}

export function readSession(): Session | null {
  if (storedTexts() !== texts) takeStored()
  return current
}

function takeStored(): void {
  const stored = readStored()
  if (stored === null && held !== null) {
    // `keepSessionDuring` decides about it.
    held.isOutElsewhere = true
    texts = storedTexts()
    return
  }
  const before = current
  become(stored)
  // Not at once: a page that is being drawn reads it.
  queueMicrotask(() => afterChangeByHand(before))
}

/** Removed by hand, as in the browser's own tools, is signed out. */
function afterChangeByHand(before: Session | null): void {
  if (before !== null && current === null) clearAccount()
  texts = storedTexts()
  notifyChange(before)
}

/** Where another account has taken the place of the earlier one, the session of that one has ended. */
function notifyChange(before: Session | null): void {
  notify()
  const isLeft = before !== null && before.user._id !== current?.user._id
  if (isLeft) for (const listener of endListeners) listener(null)
}

/** AUTH-14: what the server answers replaces what was stored. */
export function beginSession(user: SessionUser, token: string): void {
  const before = current
  storage.user.write(user)
  storage.token.write(token)
  become({ user, token })
  isSignedOut = false
  if (before === null) hasSignedIn = true
  notifyChange(before)
}

/** A check has slid the token; nobody has signed in. */
export function renewSession(user: SessionUser, token: string): void {
  beginSession(user, token)
  renewedToken = token
}

/** Forgets the account. The reason is shown to the operator, unless it is null. */
export function endSession(reason: string | null): void {
  if (held !== null && reason !== null) {
    held.reason = reason
    return
  }
  end(reason, reason === null)
}

function end(reason: string | null, isByChoice: boolean): void {
  const wasSignedIn = current !== null
  clearAccount()
  become(null)
  isSignedOut = isByChoice
  notify()
  if (wasSignedIn) for (const listener of endListeners) listener(reason)
}

/**
 * Runs a change of the own account that makes the API end every session of it, as a new password
 * does. Meanwhile only the operator's own log-out ends this one; afterwards it ends after all,
 * unless `change` has begun a new one.
 */
export async function keepSessionDuring(change: () => Promise<void>): Promise<void> {
  const before = current
  held = { reason: null, isOutElsewhere: false }
  try {
    await change()
  } finally {
    const { reason, isOutElsewhere } = held
    held = null
    const isSameSession = current !== null && current.token === before?.token
    if (isSameSession && (reason !== null || isOutElsewhere)) endSession(reason)
  }
}

/**
 * True after a sign-out by choice in this tab: the next one to sign in did not ask for the page left
 * behind. Another tab cannot know what stands in this one.
 */
export function hasSignedOut(): boolean {
  return isSignedOut
}

/** True when somebody has signed in on this very page: it was loaded before anybody was known. */
export function hasSignedInHere(): boolean {
  return hasSignedIn
}

export function onSessionEnd(listener: EndListener): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** Q14: one tab signs out, all sign out; one signs in, the others are in as well. */
export function followOtherTabs(): () => void {
  return onOtherTab((key, isRemoved) => {
    if (key !== null && key !== storage.user.key && key !== storage.token.key) return
    const stored = readStored()
    // Signed out there while a check of ours was answered: what that put back is no session.
    const isOvertaken = isRemoved && stored !== null && stored.token === renewedToken
    if (isOvertaken && held === null) {
      end(null, false)
      return
    }
    if (stored?.token === current?.token) return
    if (stored === null) {
      // Another tab got the end of the session, and cleared what both had stored.
      if (held === null) end(null, false)
      else held.isOutElsewhere = true
      return
    }
    const before = current
    become(stored)
    notifyChange(before)
  })
}

export function useSession(): Session | null {
  return useSyncExternalStore(watch, readSession)
}

/** AUTH-22: the role of the stored user; an unknown name is no role. */
export function useRole(): Role | null {
  const session = useSession()
  return session === null ? null : roleFromName(session.user.mode.name)
}
