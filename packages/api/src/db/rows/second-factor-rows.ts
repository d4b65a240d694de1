/** Rows of second factors of sign-in. Times: ISO text. */

/** What may follow a right password: the second step of a sign-in, a first factor in its place, or a new passkey. */
export type ChallengePurpose = 'signIn' | 'setUp' | 'passkey'

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

export interface PasskeyRow {
  id: string
  user_id: string
  /** As the authenticator knows it, base64url. */
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** Of signatures, as of the last sign-in: copies are found by it. 0 of those that do not count. */
  counter: number
  /** JSON: how a browser reaches it. */
  transports: string
  name: string
  /** The relying party id: the name in the address of the console. */
  site: string
  created_at: string
  last_used_at: string | null
}

/** A right password, until the step that follows it. */
export interface SignInChallengeRow {
  /** SHA-256 of what the client has, hexadecimal. */
  id: string
  user_id: string
  /** The account's, when the password was read. */
  token_version: number
  expires_at: string
  tries: number
  purpose: ChallengePurpose
}
