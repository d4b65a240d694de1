/** What the dialog of roles that need a second factor says. */
export const TITLE = 'Required second factor'
export const LABELS = { roles: 'Roles that need a second factor' } as const
export const WHAT_IT_DOES =
  'Users with one of these roles and no second factor must set one up at their next sign-in. They cannot turn off their last factor.'
export const WHO_IS_LEFT_OUT =
  'Open sessions continue. Users who sign in with the provider of this site, and API tokens, are not affected.'
export const READ_FAILED = 'The roles could not be read.'
export const SAVE_FAILED = 'The roles were not saved.'
export const SAVED = 'Required second factor saved'
export const NOBODY = 'No role needs one'
