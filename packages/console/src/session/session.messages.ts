/** What the session says to its operator; texts of the catalogue word for word. */

/** AUTH-10. */
export const CHECK_EMAIL_AND_PASSWORD = 'Please check your email and password'
/** Q185. */
export const INVALID_EMAIL = 'Please enter a valid email'
/** Where the server could not be told of a log-out. */
export const SIGNED_OUT_HERE_ONLY = 'Signed out in this browser only'
export const SIGNED_OUT_HERE_ONLY_MORE =
  'The server did not answer. The session ends there within 12 hours; to end it now, sign in and use Sign out everywhere.'
const SIGN_IN_AGAIN = 'Please sign in again.'

export function sentenceForEnd(reason: string): string {
  return reason === '' ? SIGN_IN_AGAIN : reason
}
