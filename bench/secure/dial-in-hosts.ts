/** The right hosts of the proofs dial-in-flood and dial-in-fleet, connecting as agents do; those of the first are enrolled by calls. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from 'node:crypto'
import { once } from 'node:events'
import { createSecureContext, type SecureContext } from 'node:tls'
import { connectToConsole } from '@trunkline/agent/link/console-connection'
import { enrolmentRequest, testKey } from '@trunkline/api/enrolment/enrolment.fixture'
import { issueCertificate } from '@trunkline/api/security/certificates/certificate'
import { keyHashOf } from '@trunkline/api/security/certificates/public-key'
import { OK_CAPABILITIES } from '@trunkline/api/testing/fake-host'
import { gatewayDraft } from '@trunkline/api/testing/server.fixture'
import {
  HostRequest,
  LINK_PATH,
  serverNameOf,
  type HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import { DAY_MS } from '@trunkline/contract/durations'
import { addEnrolmentCode, enrolHost } from '@trunkline/contract/enrolment/enrolment.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { WebSocket } from 'ws'
import type { Shown } from './dial-in-attack.ts'

export interface EnrolledHost {
  serverId: string
  shown: Shown
  /** PEM. */
  authority: string
}

/** Of the records; the links come from elsewhere. */
export const SEAT_PORT = 8010
const NETWORK_HOSTS = 250
const ENROLLED_AT_ONCE = 4
/** As an agent's. */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
const DIAL_LIMIT_MS = 5000
/** Of the machine of a bench, which is as busy as thousands of hosts: an agent has its own. */
const SILENT_LIMIT_MS = 30_000

/** Each has a record of its own. */
export async function enrolHosts(admin: Client, count: number): Promise<EnrolledHost[]> {
  const person = { firstName: 'Mana', lastName: 'Ger', email: 'manager@trunkline.example' }
  const manager = await callApi(admin, addUser, {
    body: { ...person, password: 'correct-horse-battery', mode: 'manager' },
  })
  const group = await callApi(admin, addGroup, {
    body: { title: 'Flooded', description: 'Of a proof', manager: manager.id },
  })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const enrolled: EnrolledHost[] = []
  while (numbers.length > 0) {
    const some = numbers.splice(0, ENROLLED_AT_ONCE)
    const enrol = async (number: number) => enrolHostOf(admin, group.data.id, number)
    enrolled.push(...(await Promise.all(some.map(enrol))))
  }
  return enrolled
}

async function enrolHostOf(admin: Client, groupId: string, number: number): Promise<EnrolledHost> {
  const named = { title: `Gateway ${number}`, host: addressIn(30, number), port: SEAT_PORT }
  const { data } = await callApi(admin, addServer, { body: gatewayDraft([groupId], named) })
  const params = { kind: 'server' as const, id: data.id }
  const { code } = await callApi(admin, addEnrolmentCode, { params })
  const { key, publicKey } = testKey()
  const seats = [`acants:${SEAT_PORT}`]
  const body = enrolmentRequest(code, { publicKey, seats, dialsOut: true })
  const answer = await callApi({ ...admin, token: '' }, enrolHost, { body })
  const { certificate, authority } = answer.data
  return { serverId: data.id, shown: { key, cert: certificate }, authority }
}

/** 127.x.y.z */
export function addressIn(network: number, number: number): string {
  const [third, fourth] = [Math.floor(number / NETWORK_HOSTS), 1 + (number % NETWORK_HOSTS)]
  return `127.${network}.${third}.${fourth}`
}

/** As a host has that was enrolled at another console. */
export function foreignCertificate(): Shown {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { key } = testKey()
  const cert = issueCertificate(
    {
      purpose: 'agent that dials',
      subject: 'A host of another console',
      publicKey: createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' }),
      notBeforeMs: Date.now() - DAY_MS,
      notAfterMs: Date.now() + DAY_MS,
    },
    { subject: 'Trunkline authority for hosts that connect', key: authority.privateKey },
  )
  return { key, cert }
}

/**
 * known: comes back from where it was. moved: from an address where no host was. older: so does this, and its agent
 * does not ask by its name yet.
 */
export type HostKind = 'known' | 'moved' | 'older'

/** 127.x; of hosts that move a new one each time. */
const NETWORKS: Record<HostKind, number> = { known: 20, older: 40, moved: 80 }

export class RightHost {
  /** Of all hosts of this process. */
  static dials = 0
  /** Of the next connection. */
  kind: HostKind
  readonly #connect: () => WebSocket
  readonly #secureContext: SecureContext
  readonly #serverName: string
  readonly #number: number
  #cuts = 0
  #socket: WebSocket | null = null
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #linkedAtMs = -Infinity
  #waiting: (() => void)[] = []
  #isClosed = false

  /** It connects once it is told to. */
  constructor(port: number, kind: HostKind, number: number, { shown, authority }: EnrolledHost) {
    this.kind = kind
    const name = serverNameOf(keyHashOf(new X509Certificate(shown.cert)))
    // Once: for each of thousands in one process it would take that process seconds at each dial.
    const secureContext = createSecureContext({ ...shown, ca: authority })
    this.#secureContext = secureContext
    this.#serverName = name
    this.#number = number
    this.#connect = () => {
      const network = NETWORKS[this.kind] + (this.kind === 'known' ? 0 : this.#cuts)
      const where = { host: '127.0.0.1', port, localAddress: addressIn(network, number) }
      const servername = kind === 'older' ? '' : name
      const tls = { ...where, secureContext, servername, checkServerIdentity: () => undefined }
      const url = `wss://127.0.0.1:${port}${LINK_PATH}`
      if (kind === 'older') return new WebSocket(url, { ...tls, handshakeTimeout: DIAL_LIMIT_MS })
      const { socket, stopWatching } = connectToConsole(tls, SILENT_LIMIT_MS)
      const link = new WebSocket(url, { createConnection: () => socket })
      return link.once('open', stopWatching)
    }
  }

  connect(): void {
    this.#again(0)
  }

  /** TLS alone, with a server that closes it then. */
  async shakeHands(port: number): Promise<void> {
    const { socket } = connectToConsole({
      port,
      host: '127.0.0.1',
      localAddress: addressIn(NETWORKS[this.kind], this.#number),
      secureContext: this.#secureContext,
      servername: this.#serverName,
      checkServerIdentity: () => undefined,
    })
    await once(socket.resume(), 'close')
  }

  cut(): void {
    this.#cuts += 1
    this.#failures = 0
    this.#linkedAtMs = -Infinity
    this.#socket?.terminate()
  }

  /** From now on it comes from where no host was. */
  move(): void {
    this.kind = 'moved'
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#socket?.terminate()
  }

  /** Resolves once it has a link that was opened after that moment. */
  async linkedSince(sinceMs: number): Promise<void> {
    while (this.#linkedAtMs < sinceMs) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** From that moment on; Infinity for a host without a link. */
  backAfterMs(sinceMs: number): number {
    return this.#linkedAtMs < sinceMs ? Infinity : this.#linkedAtMs - sinceMs
  }

  #dial(): void {
    RightHost.dials += 1
    const socket = this.#connect()
    this.#socket = socket
    socket.on('open', () => {
      this.#failures = 0
      this.#linkedAtMs = performance.now()
      socket.send(JSON.stringify(hello()))
      socket.on('message', (data: Buffer) => socket.send(JSON.stringify(answerTo(data))))
      for (const resolve of this.#waiting.splice(0)) resolve()
    })
    socket.on('error', () => undefined).on('close', () => this.#again(this.#nextPauseMs()))
  }

  #nextPauseMs(): number {
    const grownMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#failures += 1
    return grownMs * (0.5 + Math.random() / 2)
  }

  #again(pauseMs: number): void {
    const dial = () => inTurn(() => !this.#isClosed && this.#dial())
    if (!this.#isClosed) this.#timer = setTimeout(dial, pauseMs)
  }
}

/** One in each turn of the event loop, so that those that have begun do not wait for the dials of thousands. */
const waitingDials: (() => void)[] = []

function inTurn(dial: () => void): void {
  if (waitingDials.push(dial) === 1) setImmediate(dialNext)
}

function dialNext(): void {
  waitingDials.shift()?.()
  if (waitingDials.length > 0) setImmediate(dialNext)
}

/** It has counted nothing: the one question that a host without programs is asked. */
function answerTo(request: Buffer): HostMessage {
  const { id } = HostRequest.pick({ id: true }).parse(JSON.parse(request.toString()))
  return { type: 'answer', id, result: { run: 'of a proof', upTo: 0, hasMore: false, minutes: [] } }
}

function hello(): HostMessage {
  const capabilities = OK_CAPABILITIES
  return { type: 'hello', seatKind: 'acants', nowMs: Date.now(), capabilities, programs: [] }
}
