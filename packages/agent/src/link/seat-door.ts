/**
 * Who comes in at the port of a seat: with the seat's key while it is not enrolled, and with a
 * certificate of its console from then on. It changes while the port is open: no stream notices.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:crypto'
import { createServer as createTlsServer, TLSSocket, type Server as TlsServer } from 'node:tls'
import {
  DIALS_OUT,
  LINK_CLOCK_HEADER,
  LINK_REFUSAL_HEADER,
  TLS_ONLY,
} from '@trunkline/contract/agent/host-link.messages'
import type { SeatIdentity } from '../identity/seat-identity.ts'
import { isSameSecret } from '../secret.ts'

export interface Refusal {
  status: 401 | 403
  sentence: string
  headers: Readonly<Record<string, string>>
}

const WRONG_KEY =
  'The key is not the one of this seat. Compare the API key of the record with the agent’s configuration.'
const NO_CERTIFICATE =
  'This seat accepts connections only from the console that it is enrolled at, over TLS.'
const TAKES_NONE =
  'This seat connects to its console by itself, and accepts no connections. Enrol it again to have the console dial it.'
/** First byte of what a TLS client says. */
const TLS_HANDSHAKE = 0x16
/** Whoever connects and says nothing. */
const SILENT_MS = 10_000

/** From now on the server takes TLS too, once the seat is enrolled. Dispose it after the server. */
export function takeTls(server: Server, identity: SeatIdentity): Disposable {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  const serveHttp = (socket: Socket) => {
    for (const listener of serve) listener.call(server, socket)
  }
  const secure = openTls(serveHttp)
  const renew = () => {
    const { tlsOptions } = identity
    if (tlsOptions !== null) secure.setSecureContext({ ...tlsOptions, ...TLS_ONLY_1_3 })
  }
  renew()
  const stopListening = identity.listen(renew)
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!identity.isEnrolled || identity.dialTo !== null) serveHttp(socket)
    else if (identity.tlsOptions === null) socket.destroy()
    else bySort(socket, { secure, serveHttp })
  })
  return { [Symbol.dispose]: stopListening }
}

const TLS_ONLY_1_3 = {
  minVersion: 'TLSv1.3',
  // A session that goes on is one whose certificate is not looked at again.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const

/** Who shows no certificate of the console gets a sentence, over TLS, in place of a cut connection. */
function openTls(serveHttp: (socket: Socket) => void): TlsServer {
  const options = { ...TLS_ONLY_1_3, requestCert: true, rejectUnauthorized: false }
  const secure = createTlsServer({ ...options, handshakeTimeout: SILENT_MS }, serveHttp)
  secure.on('tlsClientError', (_error, socket) => socket.destroy())
  return secure
}

/** Without TLS too: whoever asks so is answered why it is refused. */
function bySort(
  socket: Socket,
  { secure, serveHttp }: { secure: TlsServer; serveHttp: (socket: Socket) => void },
): void {
  const giveUp = () => socket.destroy()
  socket.on('error', giveUp)
  socket.setTimeout(SILENT_MS, giveUp)
  socket.once('readable', () => {
    const first = socket.read() as Buffer | null
    if (first === null) {
      giveUp()
      return
    }
    socket.setTimeout(0)
    socket.off('timeout', giveUp)
    socket.unshift(first)
    if (first[0] === TLS_HANDSHAKE) secure.emit('connection', socket)
    else serveHttp(socket)
  })
}

/** Null for whoever may ask this seat. */
export function refusalOf(
  request: IncomingMessage,
  key: string,
  identity: SeatIdentity | null,
): Refusal | null {
  // Clients of its authority are hosts like this one: none of them is its console.
  if (identity !== null && identity.dialTo !== null) return refusedFor(DIALS_OUT, TAKES_NONE)
  if (identity?.isEnrolled === true) return certificateRefusal(request.socket)
  return hasKey(request, key) ? null : { status: 401, sentence: WRONG_KEY, headers: {} }
}

function certificateRefusal(socket: Socket): Refusal | null {
  const isTls = socket instanceof TLSSocket
  if (isTls && socket.authorized) return null
  return refusedFor(isTls ? String(socket.authorizationError) : TLS_ONLY, NO_CERTIFICATE)
}

function refusedFor(why: string, sentence: string): Refusal {
  const headers = { [LINK_REFUSAL_HEADER]: why, [LINK_CLOCK_HEADER]: String(Date.now()) }
  return { status: 403, sentence, headers }
}

/** `Authorization: Bearer <key>`. */
function hasKey(request: IncomingMessage, key: string): boolean {
  return isSameSecret(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '', key)
}
