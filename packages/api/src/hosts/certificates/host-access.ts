/** By what a host is reached: its record's key, or certificates, or not at all. */
import type { SecureContext } from 'node:tls'
import type { HostSecurity, LinkOpener } from '@trunkline/contract/enrolment/enrolment.schema'

/** As the database has it, for one address. */
export interface HostIdentity {
  security: Exclude<HostSecurity, 'key'>
  /** When this began, ISO. */
  since: string
  openedBy: LinkOpener
  /** The network of its last link (networkOf()), of a host that connects by itself; null: not known. */
  connectsFrom: string | null
  pins: readonly Pin[]
}

/** A public key that this host may show. */
export interface Pin {
  /** SHA-256, hexadecimal. */
  keyHash: string
  /** When its certificate was issued, ISO. */
  issuedAt: string
  /** Of its certificate, ISO. */
  endsAt: string
}

export type HostAccess =
  | { by: 'key'; key: string }
  | {
      by: 'certificate'
      pins: readonly Pin[]
      /** For a host that has not used its certificate yet; null: never without TLS. */
      keyMeanwhile: string | null
      /** Null while this process has no certificate. */
      secureContext: () => SecureContext | null
    }
  /** Not dialled: the host connects by itself. */
  | { by: 'host'; pins: readonly Pin[] }
  | { by: 'nothing' }

/** Whether what is there goes on; else the link is made anew. `shownKeyHash`: what the host showed. */
export function goesOn(before: HostAccess, now: HostAccess, shownKeyHash: string | null): boolean {
  if (before.by === 'nothing' || now.by === 'nothing') return before.by === now.by
  if (before.by === 'key' && now.by === 'key') return before.key === now.key
  if (now.by === 'key') return false
  if (now.by === 'host' || before.by === 'host') {
    return now.by === before.by && (shownKeyHash === null || isPinned(now.pins, shownKeyHash))
  }
  // A link without TLS ends by itself as soon as the host uses its certificate.
  if (shownKeyHash === null) return now.keyMeanwhile !== null
  return isPinned(now.pins, shownKeyHash)
}

function isPinned(pins: readonly Pin[], shown: string): boolean {
  return pins.some(({ keyHash }) => keyHash === shown)
}
