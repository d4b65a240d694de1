import type { Generated } from 'kysely'

/** What lists are sorted by where the column itself does not do (migrations 0032, 0038). */
export interface TitleOrder {
  /** titleKey(title). */
  title_key: Generated<string>
}

export interface AddressOrder {
  /** addressKey() of the host. */
  address_key: Generated<string>
}
