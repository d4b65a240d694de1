/** What the session says to its operator; texts of the catalogue word for word. */

/** AUTH-10. */
export const CHECK_EMAIL_AND_PASSWORD = 'Please check your email and password'
/** Q185. */
export const INVALID_EMAIL = 'Please enter a valid email'
const SIGN_IN_AGAIN = 'Please sign in again.'

export function sentenceForEnd(reason: string): string {
  return reason === '' ? SIGN_IN_AGAIN : reason
}
