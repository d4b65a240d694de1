/** Rows of second factors of sign-in. Times: ISO text. */

export interface SecondFactorRow {
  user_id: string
  /** The TOTP secret in base32, sealed. */
  secret_sealed: string
  /** Null: begun, and no code of it was entered yet. */
  confirmed_at: string | null
  /** The 30-second step since 1970 of the last code that was taken: no code counts twice. */
  last_step: number
  /** In a row, since the last right one. */
  wrong_codes: number
}

/** A sign-in whose password was right, until its code is entered. */
export interface SignInChallengeRow {
  /** SHA-256 of what the client has, hexadecimal. */
  id: string
  user_id: string
  /** The account's, when the password was read. */
  token_version: number
  expires_at: string
  tries: number
}
