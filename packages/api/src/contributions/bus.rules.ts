/** Places on the local bus: a group of our own range, and a port of its own (decisions.md 1, 2). */

/** The site-local part of 239/8 (RFC 2365): never routed between sites. */
const GROUP_PREFIX = '239.255'
const LAST_GROUP = 254 * 256
/** Above the ports that operators name, below the ones that the kernel gives out by itself. */
const FIRST_BUS_PORT = 20_000
const LAST_BUS_PORT = 29_999

/** Of the range that our own groups are picked from. */
export function isOwnGroup(ip: string): boolean {
  return ip.startsWith(`${GROUP_PREFIX}.`)
}

/** The lowest group that no input has; null when all 65,000 are taken. */
export function freeGroup(taken: ReadonlySet<string>): string | null {
  for (let number = 1; number <= LAST_GROUP; number++) {
    const ip = `${GROUP_PREFIX}.${number >> 8}.${number & 255}`
    if (!taken.has(ip)) return ip
  }
  return null
}

/** The free bus ports of a host, lowest first. */
export function* freeBusPorts(taken: ReadonlySet<number>): Generator<number> {
  for (let port = FIRST_BUS_PORT; port <= LAST_BUS_PORT; port++) {
    if (!taken.has(port)) yield port
  }
}
