export const PASSKEY_NAME_HINT = 'To tell it from others, for example Key in the safe.'

/** What people read when the browser does not use a passkey. */
export const PASSKEY_CANCELLED =
  'No passkey was used: it was cancelled, or took too long. Try again.'
/** Of a sign-in: the browser does not tell these apart. */
export const NO_PASSKEY_USED =
  'No passkey was used: it was cancelled, took too long, or this device has none of yours. Try again, or choose another way below.'
export const PASSKEY_KNOWN = 'This device or key has a passkey of your account already.'
export const PASSKEY_ADDRESS =
  'Passkeys do not work at this address. Open the console at its public address, with https.'
export const PASSKEY_UNSUPPORTED =
  'This browser cannot use passkeys here. Use another one, or open the console with https.'
export const PASSKEY_FAILED = 'The passkey could not be used. Try again.'
