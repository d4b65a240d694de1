/** One sign-in, until it is signed out. */
export interface SessionRow {
  id: string
  user_id: string
  /** The account's, when it began. */
  token_version: number
  signed_in_at: string
  /** Written every few minutes while the session is used. */
  used_at: string
  /** Where it was used last. */
  address: string
  /** As the browser names itself, cut. */
  user_agent: string
  /** The issuer, a space, and its ID token, sealed; null: it began with a password. */
  id_token_sealed: string | null
  /** When the person proved to the provider who they are; null: it does not say, or there is none. */
  authenticated_at: string | null
}
