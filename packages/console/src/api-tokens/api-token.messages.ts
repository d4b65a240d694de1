/** Sentences of API tokens. */
export const API_TOKENS = 'API tokens'
export const SEARCH_TOKENS = 'Search API tokens'
export const LIST_FAILED = 'The API tokens could not be read.'
export const MAKE_FAILED = 'The API token could not be made.'
export const REVOKE_FAILED = 'The API token could not be revoked.'
export const MADE = 'API token made'
export const REVOKED = 'API token revoked'
export const REVOKED_MORE = 'Calls with it are refused within a second.'
export const NEVER_USED = 'Never'
export const SHOWN_ONCE =
  'Copy the token now: it is not shown again. Keep it as you keep a password.'

export const WHY_PASSWORD = 'So that nobody makes a token at a console that you left open.'
export const WHY_SIGN_IN =
  'You can make tokens within ten minutes of signing in with your provider, so that nobody makes one at a console that you left open. Signing in again leads back to this page.'
export const SIGN_IN_AGAIN = 'Sign in again'
export const PROVIDER_FAILED = 'The sign-in provider could not be reached. Try again.'

export function revokeSentences(title: string): readonly string[] {
  return [
    `Revoke the API token '${title}'.`,
    'Whatever calls with it is refused from then on. This cannot be undone.',
  ]
}

export function headerText(token: string): string {
  return `Authorization: Bearer ${token}`
}
