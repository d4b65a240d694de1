/** What the session says to its operator; texts of the catalogue word for word. */
import { ApiError, sentenceFor } from '../lib/api-error.ts'

/** AUTH-10. */
export const CHECK_EMAIL_AND_PASSWORD = 'Please check your email and password'
/** Q185. */
export const INVALID_EMAIL = 'Please enter a valid email'
/** The second step of a sign-in. */
export const CODE_LEAD = 'Enter the code that your authenticator app shows.'
export const RECOVERY_LEAD = 'Enter one of the recovery codes that you kept. Each works once.'
export const PASSKEY_LEAD = 'Confirm with one of your passkeys.'
export const NO_PASSKEY_LEAD =
  'Enter one of your recovery codes. Your passkeys work at another address of the console.'
export const WAITING_FOR_PASSKEY = 'Waiting for the passkey'
export const PASSKEY_FAILED = 'The passkey was not accepted. Try again.'
/** The API's own sentence is about the code of the app. */
export const RECOVERY_REFUSED =
  'This recovery code is wrong or was used already. Check each character, or enter another code.'
export const CODE_FAILED = 'The code was not accepted. Try again.'
/** Sign-in by the provider of the site. */
export const PROVIDER_LEAD = 'Your sign-in is being checked.'
export const PROVIDER_FAILED = 'The sign-in failed. Start again.'
export const BEGUN_ELSEWHERE =
  'This sign-in was started in another tab or browser. Start again here.'
/** When the server did not end the session. */
export const SIGNED_OUT_HERE_ONLY = 'Signed out in this browser only'
const STILL_OPEN =
  'The session ends there within 12 hours; to end it now, sign in and use Sign out everywhere.'
const TOO_MANY_CALLS = 429

/** Why a log-out did not end the session at the server, and what to do. */
export function signOutFailure(error: unknown): string {
  return `${signOutCause(error)} ${STILL_OPEN}`
}

function signOutCause(error: unknown): string {
  if (!(error instanceof ApiError) || error.kind === 'no-answer') {
    return 'The server did not answer.'
  }
  if (error.status === TOO_MANY_CALLS) {
    return 'The server refused: too many requests from your account at that moment.'
  }
  return `The server refused: ${sentenceFor(error, `status ${error.status}.`)}`
}
const SIGN_IN_AGAIN = 'Please sign in again.'

export function sentenceForEnd(reason: string): string {
  return reason === '' ? SIGN_IN_AGAIN : reason
}
