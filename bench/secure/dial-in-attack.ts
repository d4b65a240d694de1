/**
 * A process of the proof dial-in-flood: keeps so many connections to the port for agents under way, each from an
 * address of its own, and begins anew soon after one of them is closed. Its parent says of which kind they are.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { clientHello } from '@trunkline/api/hosts/dial-in/client-hello.fixture'
import { LINK_PATH } from '@trunkline/contract/agent/host-link.messages'
import { WebSocket } from 'ws'

/** PEM. */
export interface Shown {
  key: string
  cert: string
}

/**
 * silent: says nothing. half: half of what begins TLS. begun: all of that, and no more. wrong: has a certificate of another authority. revoked: had one. stuck: has
 * a good one, and asks for nothing. copied: has a good one, and links again and again.
 */
export type AttackKind = 'silent' | 'half' | 'begun' | 'wrong' | 'revoked' | 'stuck' | 'copied'

export interface AttackOrder {
  port: number
  atOnce: number
  shown: Readonly<Record<Exclude<AttackKind, 'silent' | 'half' | 'begun'>, Shown>>
  kinds: readonly AttackKind[]
}

export interface AttackCounts {
  begun: number
  /** Links that were opened, by kind. */
  links: Partial<Record<AttackKind, number>>
}

/** 127.10.x.y: of no host. */
const ADDRESSES_PER_NETWORK = 250
/** So that this process has time for what its connections need. */
const PAUSE_MS = 100
/** The first bytes of a ClientHello that never ends. */
const HALF_HELLO = Buffer.concat([
  Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]),
  randomBytes(64),
])

process.once('message', (order: AttackOrder) => attack(order))
process.on('disconnect', () => process.exit(0))

function attack({ port, atOnce, shown, kinds }: AttackOrder): void {
  const counts: AttackCounts = { begun: 0, links: {} }
  // Made once: each takes longer than a connection.
  const contexts = new Map(
    Object.entries(shown).map(([kind, each]) => [kind, createSecureContext(each)]),
  )
  process.on('message', () => process.send?.(counts))
  for (let number = 0; number < atOnce; number += 1) {
    const kind = kinds[number % kinds.length] ?? 'silent'
    const from = `127.10.${Math.floor(number / ADDRESSES_PER_NETWORK)}.${1 + (number % ADDRESSES_PER_NETWORK)}`
    const begin = () => {
      counts.begun += 1
      if (counts.begun === atOnce) process.send?.(counts)
      const socket = connectionOf(
        kind,
        { port, host: '127.0.0.1', localAddress: from },
        contexts.get(kind),
      )
      if (socket instanceof WebSocket) {
        socket.on('open', () => (counts.links[kind] = (counts.links[kind] ?? 0) + 1))
      }
      socket.on('error', () => undefined).on('close', () => setTimeout(begin, PAUSE_MS))
    }
    begin()
  }
}

function connectionOf(
  kind: AttackKind,
  where: { port: number; host: string; localAddress: string },
  secureContext: SecureContext | undefined,
): Socket | TLSSocket | WebSocket {
  if (kind === 'silent') return connect(where).resume()
  if (kind === 'half' || kind === 'begun') {
    const socket = connect(where).resume()
    socket.write(kind === 'half' ? HALF_HELLO : clientHello())
    return socket
  }
  const options = { ...where, secureContext, rejectUnauthorized: false, servername: '' }
  if (kind !== 'copied') return connectTls(options).resume()
  return new WebSocket(`wss://127.0.0.1:${where.port}${LINK_PATH}`, options)
}
