/** Opens the WebSocket of a link, with the record's key or over TLS with certificates, and listens to it. */
import type { IncomingHttpHeaders } from 'node:http'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { WebSocket } from 'ws'
import type { DialGuard } from '../../security/host-guard.ts'
import type { HostAccess } from './host-access.ts'
import { noCertificateYet, revoked } from './certificate-fault.ts'
import { notConnected } from '../dial-in/dial-in-fault.ts'
import { tlsOptions, type ShownCertificate } from './tls-dial.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import type { TasksInSlices } from '../../in-slices.ts'
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
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** The fault of a host that is not dialled at all. */
export function openSocket(options: SocketOptions): WebSocket | LinkFault {
  const { address, access, guard, handshakeMs } = options
  const at = addressText(address)
  const refusal = guard.refusalOf(address.host, address.port)
  // The address of a host that connects by itself is a name, and is not dialled.
  if (refusal !== null && access.by !== 'host') return faultOfError(at, refusal, 'agent')
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
  if (access.by === 'host') return notConnected(at)
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

export interface SocketEvents {
  onOpen(): void
  /** In place of a link, with an HTTP status. */
  onRefused(answer: { status: number | undefined; headers: IncomingHttpHeaders }): void
  onError(error: Error): void
  onClose(code: number): void
  onMessage(text: string): void
  /** A ping or its answer. */
  onSign(): void
}

export interface Listening {
  /** A socket that was hung up still speaks, of a dial that is over: only so long it is listened to. */
  isCurrent: () => boolean
  turns: TasksInSlices
}

export function listenTo(
  socket: WebSocket,
  { isCurrent, turns }: Listening,
  on: SocketEvents,
): void {
  const mine = (act: () => void) => {
    if (isCurrent()) act()
  }
  socket.on('open', () => mine(() => on.onOpen()))
  socket.on('unexpected-response', (request, { statusCode, headers }) => {
    request.destroy()
    mine(() => on.onRefused({ status: statusCode, headers }))
  })
  socket.on('error', (error) => mine(() => on.onError(error)))
  socket.on('close', (code) => turns.add(() => mine(() => on.onClose(code))))
  socket.on('message', (data: Buffer) => mine(() => on.onMessage(data.toString('utf8'))))
  for (const sign of ['ping', 'pong'] as const) socket.on(sign, () => mine(() => on.onSign()))
}
