/** Sentences of the API reference. */
export const API_REFERENCE = 'API reference'
export const REFERENCE_FAILED = 'The API reference could not be read.'
export const ANYONE = 'No sign-in needed'
export const ALL_ROLES = 'All roles'
