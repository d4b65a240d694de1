/** What the dialog of roles that need a second factor says. */
export const TITLE = 'Required second factor'
export const LABELS = { roles: 'Roles that need a second factor' } as const
export const WHAT_IT_DOES =
  'Whoever has one of these roles and no second factor sets up an authenticator app at the next sign-in, and has no session before. Nobody of them turns their last factor off.'
export const WHO_IS_LEFT_OUT =
  'Sessions that are open go on. Who signs in with the provider of the site, and API tokens, are not asked.'
export const READ_FAILED = 'The roles could not be read.'
export const SAVE_FAILED = 'The roles were not saved.'
export const SAVED = 'Required second factor saved'
export const NOBODY = 'No role needs one'
