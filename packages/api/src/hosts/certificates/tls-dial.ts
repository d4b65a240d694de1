/** How a link is dialled over TLS, and what the host showed. */
import { X509Certificate } from 'node:crypto'
import type { PeerCertificate, SecureContext } from 'node:tls'
import { keyHashOf } from '../../security/certificates/public-key.ts'
import { OtherHost } from './certificate-fault.ts'
import type { Pin } from './host-access.ts'

/** What the host on the other end showed. */
export interface ShownCertificate {
  keyHash: string
  /** Of its validity, milliseconds since 1970. */
  endsAtMs: number
}

/**
 * Options of a WebSocket: TLS checks authority, dates and purpose, and the host must be the one that
 * was enrolled. Its name is not looked at: a host is known by its key, wherever it is.
 */
export function tlsOptions(
  secureContext: SecureContext,
  pins: readonly Pin[],
  onShown: (shown: ShownCertificate) => void,
) {
  return {
    secureContext,
    minVersion: 'TLSv1.3' as const,
    rejectUnauthorized: true,
    servername: '',
    checkServerIdentity(_host: string, { raw }: PeerCertificate): Error | undefined {
      const certificate = new X509Certificate(raw)
      const keyHash = keyHashOf(certificate)
      if (!pins.some((pin) => pin.keyHash === keyHash)) return new OtherHost('Another host.')
      onShown({ keyHash, endsAtMs: certificate.validToDate.getTime() })
      return undefined
    },
  }
}
