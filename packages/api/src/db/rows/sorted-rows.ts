import type { Generated } from 'kysely'

/** What lists are sorted by where the column itself does not do (migration 0032). */
export interface TitleOrder {
  /** foldCase(title). */
  title_key: Generated<string>
}

export interface AddressOrder {
  /** addressKey() of the host. */
  address_key: Generated<string>
}
