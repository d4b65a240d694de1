/**
 * Keeps the API from being sent into its own machine or network: hosts on loopback, private,
 * link-local and other special addresses are refused (quality.md T7, decisions.md 22).
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { hostOf } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'

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
  ['::', 127],
  // NAT64, Teredo and 6to4 carry an IPv4 address, which may be any of the above.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
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
 * resolve yet is taken: guardedLookup() looks again when it is connected to.
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

/** For `lookup` of sockets to hosts: what was public when saved may resolve to a local address later. */
export function guardedLookup(ctx: Pick<Context, 'config'>): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }).then(
      (found) => {
        const local = found.find(({ address }) => isLocalAddress(address))
        const [first] = found
        if (local !== undefined && !ctx.config.allowLocalHosts) {
          callback(new Error(`${hostname} resolves to the local address ${local.address}.`), '', 0)
        } else if (options.all === true || first === undefined) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    )
  }
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
