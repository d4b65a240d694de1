/** What is said of what was entered when the session ended. */

export const TYPED_IS_BACK =
  'What you entered before you were signed out is here again. It is not saved.'

/** Beneath it. */
export const TYPE_SECRETS_AGAIN = 'Passwords and keys are not kept. Type them again.'
export const TYPED_IS_KEPT =
  'What you entered before you were signed out is kept. Open the same dialog or field again to continue.'
