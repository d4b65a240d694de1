/** For tests: a host that speaks the link over TLS, with whatever certificate the test gives it. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { DAY_MS } from '@trunkline/contract/durations'
import {
  HostRequest,
  LINK_CLOCK_HEADER,
  LINK_PATH,
  LINK_REFUSAL_HEADER,
} from '@trunkline/contract/agent/host-link.messages'
import { vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Context } from '../../context.ts'
import type { Purpose } from '../../security/certificates/certificate.ts'
import { keyHashOf } from '../../security/certificates/public-key.ts'
import { siteAuthorityOf, type SiteAuthority } from '../../security/certificates/site-authority.ts'
import { OK_CAPABILITIES } from '../../testing/fake-host.ts'
import { listenAsAsked } from '../../testing/process/own-port.ts'

export interface TestIdentity {
  /** PEM. */
  key: string
  certificate: string
  authority: string
  keyHash: string
}

export interface IdentityWish {
  purpose?: Purpose
  fromMs?: number
  untilMs?: number
  /** Of another console. */
  authority?: SiteAuthority
  /** PEM; a new one else. */
  key?: string
}

/** Of the site's authority, valid now, unless `wish` says otherwise. */
export async function testIdentity(ctx: Context, wish: IdentityWish = {}): Promise<TestIdentity> {
  const own = await siteAuthorityOf(ctx)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const nowMs = Date.now()
  const certificate = await (wish.authority ?? own).issue({
    purpose: wish.purpose ?? 'agent',
    subject: 'A host of a test',
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    notBeforeMs: wish.fromMs ?? nowMs - DAY_MS,
    notAfterMs: wish.untilMs ?? nowMs + 30 * DAY_MS,
  })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyHash = keyHashOf(new X509Certificate(certificate))
  return { key, certificate, authority: own.certificate, keyHash }
}

/** Only ends what hangs. */
const LIMIT_MS = 60_000

export class TlsHost implements AsyncDisposable {
  /** Certificates that it was given over the link. */
  readonly given: string[] = []
  readonly sockets = new Set<WebSocket>()
  /** Where it goes away in the middle of a renewal, if it does. */
  goesAwayAt: 'key' | 'certificate' | 'answer' | null = null
  /** The word of its refusal, in place of a link. */
  refusal: string | null = null
  clockMs = Date.now()
  readonly #server: Server
  #identity: TestIdentity
  #nextKey: { key: string; publicKey: string } | null = null

  private constructor(identity: TestIdentity) {
    this.#identity = identity
    this.#server = createServer({
      ...this.#context(),
      requestCert: true,
      rejectUnauthorized: false,
    })
    const links = new WebSocketServer({ noServer: true })
    this.#server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const refusal = this.refusal ?? refusalOf(request.socket as TLSSocket)
      if (refusal === null && request.url === LINK_PATH) {
        links.handleUpgrade(request, socket, head, (link) => this.#linked(link))
        return
      }
      const headers = `${LINK_REFUSAL_HEADER}: ${refusal}\r\n${LINK_CLOCK_HEADER}: ${this.clockMs}`
      socket.end(`HTTP/1.1 403 Forbidden\r\n${headers}\r\nconnection: close\r\n\r\n`)
    })
  }

  /** `port`: of a host that is back. */
  static async open(identity: TestIdentity, port?: number): Promise<TlsHost> {
    const host = new TlsHost(identity)
    await listenAsAsked(host.#server, port)
    return host
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get keyHash(): string {
    return this.#identity.keyHash
  }

  /** From the next connection on. */
  use(identity: TestIdentity): void {
    this.#identity = identity
    this.#server.setSecureContext(this.#context())
  }

  cut(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  async linked(): Promise<void> {
    await vi.waitFor(() => {
      if (this.sockets.size === 0) throw new Error('It is not linked.')
    }, LIMIT_MS)
  }

  async unlinked(): Promise<void> {
    await vi.waitFor(() => {
      if (this.sockets.size > 0) throw new Error('It is still linked.')
    }, LIMIT_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #context() {
    const { key, certificate, authority } = this.#identity
    return { key, cert: certificate, ca: authority, minVersion: 'TLSv1.3' as const }
  }

  #linked(socket: WebSocket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('message', (data: Buffer) => this.#asked(socket, data.toString('utf8')))
    const hello = { type: 'hello', seatKind: 'acants', nowMs: Date.now(), programs: [] }
    socket.send(JSON.stringify({ ...hello, capabilities: OK_CAPABILITIES }))
  }

  #asked(socket: WebSocket, text: string): void {
    const { id, call, params } = HostRequest.parse(JSON.parse(text))
    const answer = (result: object) => socket.send(JSON.stringify({ type: 'answer', id, result }))
    if (call === 'makeCertificateKey') {
      if (this.goesAwayAt === 'key') return socket.terminate()
      return answer({ publicKey: this.#makeKey() })
    }
    if (call === 'useCertificate') {
      if (this.goesAwayAt === 'certificate') return socket.terminate()
      this.#useGiven((params as { certificate: string }).certificate)
      if (this.goesAwayAt === 'answer') return socket.terminate()
      return answer({ used: true })
    }
    answer({ free: true, followed: 0 })
  }

  #makeKey(): string {
    if (this.#nextKey === null) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      this.#nextKey = {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      }
    }
    return this.#nextKey.publicKey
  }

  #useGiven(certificate: string): void {
    this.given.push(certificate)
    const { authority, key } = this.#identity
    const keyHash = keyHashOf(new X509Certificate(certificate))
    this.use({ authority, certificate, keyHash, key: this.#nextKey?.key ?? key })
    this.#nextKey = null
  }
}

function refusalOf({ authorized, authorizationError }: TLSSocket): string | null {
  return authorized ? null : String(authorizationError)
}
