/**
 * Keeps the API from being sent into its own machine or network: hosts on loopback, private,
 * link-local and other special addresses are refused (quality.md T7, decisions.md 22).
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { hostOf } from '@trunkline/contract/servers/server.schema'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { isPortAllowed } from './host-port.rules.ts'

/** Asked each time that a host is dialled: a record may be older than the settings. */
export interface DialGuard {
  /** For sockets: resolves a name, and refuses one that is out of bounds. */
  readonly lookup: LookupFunction
  /** Sockets look up no address that is none of a name: ask this first. Null when it may be dialled. */
  refusalOf(host: string, port: number): OutOfBounds | null
}

/** Its message is a sentence with the fix. */
export class OutOfBounds extends Error {}

type Bounds = Pick<Config, 'allowLocalHosts' | 'hostPorts'>

const FORBIDDEN = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  FORBIDDEN.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  // These carry an IPv4 address, which may be any of the above: IPv4-compatible (with :: and ::1),
  // SIIT, NAT64, Teredo and 6to4.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  // Site-local: deprecated, but still routed inside networks that have them.
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  FORBIDDEN.addSubnet(network, bits, 'ipv6')
}

/** A name server that is slow must not hold up a save; the address is checked again at connect. */
const LOOKUP_MS = 2000

export function isLocalAddress(ip: string): boolean {
  return FORBIDDEN.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Checked when a host is saved. `host` as typed, with or without scheme. A name that does not
 * resolve yet is taken: dialGuard() looks again when it is connected to.
 */
export async function assertHostAllowed(
  ctx: Pick<Context, 'config'>,
  field: string,
  host: string,
): Promise<void> {
  if (ctx.config.allowLocalHosts) return
  const addresses = await addressesOf(hostOf(host) ?? host)
  if (!addresses.some(isLocalAddress)) return
  throw invalid(
    field,
    'is an address of this machine or of a private network, which this installation does not manage. Use a public address, or set TRUNKLINE_ALLOW_LOCAL_HOSTS=1.',
  )
}

/** Checked when a port of a host is saved. */
export function assertPortAllowed(ctx: Pick<Context, 'config'>, port: number): void {
  if (isPortAllowed(ctx.config.hostPorts, port)) return
  throw invalid(
    'port',
    'is not for agents or media servers. Use another, or name it in TRUNKLINE_HOST_PORTS.',
  )
}

/** As sockets take an IPv6 address; in URLs it has brackets. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** For every connection to a host: what was allowed when it was saved may be out of bounds now. */
export function dialGuard(bounds: Bounds): DialGuard {
  return {
    lookup: guardedLookup(bounds),
    refusalOf(host, port) {
      const at = `${host}:${port}`
      const known = knownAddressOf(withoutBrackets(host))
      if (known !== null && isLocalAddress(known) && !bounds.allowLocalHosts)
        return local(at, known)
      if (isPortAllowed(bounds.hostPorts, port)) return null
      return new OutOfBounds(
        `The host ${at} is not dialled: its port is not for agents or media servers. Change the port, or name it in TRUNKLINE_HOST_PORTS.`,
      )
    },
  }
}

/** For targets of notifications: any port, and the same addresses as hosts. */
export function addressGuard(bounds: Pick<Config, 'allowLocalHosts'>): {
  readonly lookup: LookupFunction
  refusalOf(host: string): OutOfBounds | null
} {
  return {
    lookup: guardedLookup(bounds),
    refusalOf(host) {
      const known = knownAddressOf(withoutBrackets(host))
      const isRefused = known !== null && isLocalAddress(known) && !bounds.allowLocalHosts
      return isRefused ? local(host, known) : null
    },
  }
}

/** The address of a host that may be sent to. Throws OutOfBounds, or what the name server says. */
export async function allowedAddressOf(
  { allowLocalHosts }: Pick<Config, 'allowLocalHosts'>,
  host: string,
): Promise<string> {
  const known = knownAddressOf(host)
  const found = known === null ? await systemLookup(host, { all: true }) : [{ address: known }]
  const forbidden = found.find(({ address }) => isLocalAddress(address))
  if (forbidden !== undefined && !allowLocalHosts) throw local(host, forbidden.address)
  return found[0]?.address ?? host
}

function guardedLookup({ allowLocalHosts }: Pick<Bounds, 'allowLocalHosts'>): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }).then(
      (found) => {
        const forbidden = found.find(({ address }) => isLocalAddress(address))
        const [first] = found
        if (forbidden !== undefined && !allowLocalHosts) {
          callback(local(hostname, forbidden.address), '', 0)
        } else if (options.all === true || first === undefined) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    )
  }
}

function local(at: string, ip: string): OutOfBounds {
  return new OutOfBounds(
    `The host ${at} is not dialled: ${ip} is an address of this machine or of a private network. Use a public address, or set TRUNKLINE_ALLOW_LOCAL_HOSTS=1.`,
  )
}

async function addressesOf(host: string): Promise<string[]> {
  const known = knownAddressOf(host)
  if (known !== null) return [known]
  const { promise: late, resolve } = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => resolve([]), LOOKUP_MS)
  try {
    const found = systemLookup(host, { all: true }).then((all) => all.map(({ address }) => address))
    return await Promise.race([found.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * What needs no name server: an address in any of its spellings (`127.1`, `0x7f.1`), and localhost,
 * which is this machine whatever a name server says (RFC 6761, 6.3).
 */
export function knownAddressOf(host: string): string | null {
  if (isIP(host) !== 0) return host
  if (/^(.+\.)?localhost\.?$/i.test(host)) return '127.0.0.1'
  const spelled = URL.parse(`http://${host}`)?.hostname ?? ''
  return isIP(spelled) === 0 ? null : spelled
}
