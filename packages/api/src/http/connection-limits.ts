/**
 * How long a client may take for its request, and how many connections there may be: in all, so that memory and file
 * descriptors last, and from one address, so that one machine cannot have them all.
 */
import type { Server } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { networkOf } from '../security/network.rules.ts'

/** Times are in milliseconds. */
export interface RequestLimits {
  headersMs: number
  /** Headers and body. An answer may take any time, as long as the client goes on reading it. */
  requestMs: number
  /** A client that takes nothing of a long answer for so long sleeps, or has gone: it is cut off. */
  stalledMs: number
  /** How often Node looks for those who are too slow: they are cut off so much later at most. */
  checkMs: number
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  stalledMs: 10_000,
  checkMs: 500,
}

/** A flood is no flood of lines. */
const LOG_PAUSE_MS = 60_000
/** Before an IPv4 address, where the API listens on IPv6 too. */
const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i

type ConnectionLimits = Pick<
  Config,
  'connectionLimit' | 'addressConnectionLimit' | 'trustedProxies'
>

/**
 * Connections beyond a limit are closed at once, unread: an answer would keep them open. A trusted proxy brings the
 * connections of all its guests, so the limit of an address is not for it.
 */
export function limitConnections(
  server: Server,
  { connectionLimit, addressConnectionLimit, trustedProxies }: ConnectionLimits,
  log: FastifyBaseLogger,
): void {
  const proxies = blockListOf(trustedProxies)
  const open = new Map<string, number>()
  const warnInAll = warner(log)
  const warnOfAddress = warner(log)
  server.maxConnections = connectionLimit
  server.on('drop', () => {
    warnInAll(
      `${connectionLimit} connections are open and more are refused. Close some, or raise TRUNKLINE_CONNECTION_LIMIT.`,
    )
  })
  server.on('connection', (socket) => {
    const address = (socket.remoteAddress ?? '').replace(IPV4_IN_IPV6, '')
    if (proxies.check(address, familyOf(address))) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > addressConnectionLimit) {
      socket.destroy()
      warnOfAddress(
        `${network} has ${addressConnectionLimit} connections open and more are refused. Name it in TRUNKLINE_TRUSTED_PROXIES if it is a proxy of yours, or raise TRUNKLINE_PER_ADDRESS_LIMIT.`,
      )
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}

/** What nobody reads would hold the memory of the answer, and the turn of the person who asked. */
export function endStalledAnswers(app: FastifyInstance, { stalledMs }: RequestLimits): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable) reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
    done(null, payload)
  })
}

function warner(log: FastifyBaseLogger): (sentence: string) => void {
  let lastMs = -Infinity
  return (sentence) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < LOG_PAUSE_MS) return
    lastMs = nowMs
    log.warn(sentence)
  }
}

function blockListOf(addressesAndNetworks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const each of addressesAndNetworks) {
    const [address = '', bits] = each.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
