/** Where a host's agent listens. Records with the same host and port share one link. */

export interface HostAddress {
  /** Bare host name or IPv4 address, small letters. */
  host: string
  port: number
}

/** 'host:port', the key of maps and the words of sentences. */
export function addressText(address: HostAddress): string {
  return `${address.host}:${address.port}`
}

export function isSameAddress(a: HostAddress, b: HostAddress): boolean {
  return a.port === b.port && a.host === b.host
}
