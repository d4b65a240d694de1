/** Sign in, and the check that keeps a session alive. */
import { jwtLogin, login, signOut } from '@trunkline/contract/session/session.calls'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { ApiError, CANNOT_CONTACT, sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { showAs } from '../lib/locale/shown-as.ts'
import { beginSession, endSession, readSession, renewSession } from '../lib/session.ts'
import { showToast } from '../lib/toast.ts'
import { forgetSignOutUrl, keepSignOutUrl } from './provider-sign-out.ts'
import { SIGNED_OUT_HERE_ONLY, signOutFailure } from './session.messages.ts'

/**
 * @returns null when signed in; what is asked for when the account has a second factor, for
 *   second-step.actions.ts
 * @throws ApiError when the pair is refused or nobody answers
 */
export async function signIn(email: string, password: string): Promise<SecondFactorAsked | null> {
  try {
    const { user, token } = await call(login, { body: { email, password } })
    beginSession(user, token)
    forgetSignOutUrl()
    return null
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'second_factor') throw error
    const { readAsked } = await import('./second-step.actions.ts')
    const asked = readAsked(error.secondFactor)
    if (asked === undefined) throw error
    return asked
  }
}

/**
 * Signed out here at once, whatever the network does; the server is called meanwhile, so that no
 * copy of the token lives on. Never throws.
 */
export async function endOwnSession(): Promise<void> {
  // Before the token is forgotten: the call carries it.
  const answered = call(signOut, {})
  endSession(null)
  try {
    const { signOutUrl } = await answered
    // Not where somebody has signed in meanwhile.
    if (readSession() !== null) return
    keepSignOutUrl(signOutUrl)
    showAs(null)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return
    showToast('failure', SIGNED_OUT_HERE_ONLY, signOutFailure(error))
  }
}

/** Said already, of a check that failed and has not succeeded since. */
let shownFailure = ''

/**
 * AUTH-13 to AUTH-15, ERR-04. Only an answer of 401 or 403 ends the session: a network that hiccups
 * must not sign an operator out in the middle of a show (Q11). Any other failure is said once.
 */
export async function checkSession(): Promise<void> {
  const asked = readSession()
  try {
    const { user, token } = await call(jwtLogin, {})
    shownFailure = ''
    // Signed out meanwhile, or another session begun, as by a new password: this answer is of one
    // that is over.
    if (readSession() === asked) renewSession(user, token)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 403) endSession(error.sentence)
    if (error.status === 401 || error.status === 403) return
    const sentence = sentenceFor(error, CANNOT_CONTACT)
    if (sentence !== shownFailure) showToast('failure', sentence, '')
    shownFailure = sentence
  }
}
