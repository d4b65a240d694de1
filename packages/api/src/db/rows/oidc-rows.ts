/** Rows of sign-in by an OpenID Connect provider. Times: ISO text. */

/** A sign-in that is under way at the provider. */
export interface OidcFlowRow {
  /** SHA-256 of the state that the provider gives back, hexadecimal. */
  id: string
  /** SHA-256 of what the browser that began it keeps, hexadecimal. */
  binding: string
  nonce: string
  /** Of PKCE, sealed. */
  verifier_sealed: string
  /** From which it was begun. */
  network: string
  expires_at: string
}
