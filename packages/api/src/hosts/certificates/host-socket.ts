/** Opens the WebSocket of a link: with the record's key, or over TLS with certificates. */
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { WebSocket } from 'ws'
import type { DialGuard } from '../../security/host-guard.ts'
import type { HostAccess } from './host-access.ts'
import { noCertificateYet, revoked } from './certificate-fault.ts'
import { tlsOptions, type ShownCertificate } from './tls-dial.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import { faultOfError, type LinkFault } from '../link-fault.ts'

export interface SocketOptions {
  address: HostAddress
  access: HostAccess
  guard: DialGuard
  handshakeMs: number
  /** By the key all the same, while the host has not used its certificate yet. */
  withKey: boolean
  /** Once the host has shown a certificate that it may have. */
  onShown: (shown: ShownCertificate) => void
}

/** A host with thousands of programs says hello in a few megabytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** The fault of a host that is not dialled at all. */
export function openSocket(options: SocketOptions): WebSocket | LinkFault {
  const { address, access, guard, handshakeMs } = options
  const at = addressText(address)
  const refusal = guard.refusalOf(address.host, address.port)
  if (refusal !== null) return faultOfError(at, refusal, 'agent')
  const common = {
    handshakeTimeout: handshakeMs,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    lookup: guard.lookup,
  }
  const key = keyFor(options)
  if (key !== null) {
    const headers = { authorization: `Bearer ${key}` }
    return new WebSocket(`ws://${at}${LINK_PATH}`, { ...common, headers })
  }
  if (access.by !== 'certificate') return revoked(at)
  const secureContext = access.secureContext()
  if (secureContext === null) return noCertificateYet(at)
  const tls = tlsOptions(secureContext, access.pins, options.onShown)
  return new WebSocket(`wss://${at}${LINK_PATH}`, { ...common, ...tls })
}

function keyFor({ access, withKey }: SocketOptions): string | null {
  if (access.by === 'key') return access.key
  return access.by === 'certificate' && withKey ? access.keyMeanwhile : null
}
