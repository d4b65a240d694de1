/** Rows of API tokens. Times: ISO text. */
import type { Generated } from 'kysely'
import type { Role } from '@trunkline/contract/roles'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'

export interface ApiTokenRow {
  id: string
  title: string
  /** SHA-256 of the whole token, hexadecimal. */
  hash: string
  /** Its first characters, by which people recognise it. */
  start: string
  scope: TokenScope
  /** Of a person; null for a service, which has a role and groups of its own. */
  user_id: string | null
  /** The account's, when it was made. */
  token_version: number | null
  role: Role | null
  created_at: string
  /** Name of who made it. */
  created_by: string
  expires_at: string
  /** Written at most once a minute. */
  used_at: string | null
  used_address: string
  /** searchText() of its title and its first characters. */
  search: Generated<string>
  /** used_at, '' for never: so that those never used are the first on each database. */
  used_key: Generated<string>
}
