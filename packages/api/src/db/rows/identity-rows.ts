/** Rows of hosts that are reached over TLS. Times: ISO text. */

/** Of the host at an address; one that has none is reached by its key. */
export interface HostIdentityRow {
  host_key: string
  port: number
  security: 'waiting' | 'enrolled' | 'revoked'
  since: string
  opened_by: 'console' | 'host'
  /** The network of its last link, of a host that connects by itself; null: not known. */
  connects_from: string | null
}

/** A public key that the host may show. */
export interface HostPinRow {
  host_key: string
  port: number
  /** SHA-256, hexadecimal. */
  key_hash: string
  issued_at: string
  ends_at: string
}

export interface EnrolmentCodeRow {
  /** Follows from the code, and says nothing about it. */
  id: string
  kind: 'server' | 'encoder'
  object_id: string
  host_key: string
  port: number
  proof_key_sealed: string
  /** Who answers for what it does: id of a user. */
  made_by: string
  ends_at: string
  used_at: string | null
}
