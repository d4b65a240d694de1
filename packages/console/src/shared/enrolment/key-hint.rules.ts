/** Below the API key of a record: what it is worth. */
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'

/** `stored`: what the field says by itself. */
export function keyHint(host: HostStatus | null, stored: string): string {
  if (host?.isEncrypted === undefined) return stored
  return host.isEncrypted
    ? `${stored} Not used: the host is enrolled, and is reached by its certificate.`
    : `${stored} Connection is not encrypted: enrol the host under “Secure connection” in its row.`
}
