/** Sentences of the API reference. */
export const API_REFERENCE = 'API reference'
export const REFERENCE_FAILED = 'The API reference could not be read.'
/** What an API token needs for the call. */
export const TOKEN_SCOPE_WORDS = {
  read: 'API tokens of every scope.',
  operate: 'API tokens of the scope operate or all.',
  all: 'API tokens of the scope all.',
  none: 'No API token may do this.',
} as const

export const ANYONE = 'No sign-in needed'
export const ALL_ROLES = 'All roles'
