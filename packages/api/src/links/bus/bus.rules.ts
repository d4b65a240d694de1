/** Places on the local bus: a group of this installation's range, and a port of its own (decisions.md 1, 2). */

/** Where the groups of one installation come from: a /16 of 239/8, and the group that is given first. */
export interface BusRange {
  /** '239.141': the first two numbers of every group. */
  readonly network: string
  /** 1 to 65,024: groups are given from here upwards, then from the beginning of the network. */
  readonly first: number
}

/** Which every installation used before each had a range of its own; inputs keep the groups they have. */
const OLD_NETWORK = '239.255'
/** x.y.254.0: the agent's own probe of the local bus is sent beyond it. */
const LAST_GROUP = 254 * 256

/**
 * Ranges are drawn from 239.128 to 239.207; channel servers of host agents draw theirs from below
 * (agent/streams/definition/stream-bus.ts).
 */
const FIRST_NETWORK = 128
const NETWORKS = 80

/** Above the ports that operators name, below those of the channel servers (28000 to 31999). */
const FIRST_BUS_PORT = 20_000
const BUS_PORTS = 8000
/** How far apart the first ports of two neighbouring networks are. */
const PORTS_A_NETWORK = 31

/** Of a network that the settings name: '239.141'. */
export function namedRange(network: string): BusRange {
  return { network, first: 1 }
}

/** `random`: of 0 to below 1, twice. */
export function drawnRange(random: () => number): BusRange {
  const second = FIRST_NETWORK + Math.floor(random() * NETWORKS)
  return { network: `239.${second}`, first: 1 + Math.floor(random() * LAST_GROUP) }
}

/** As a text that is stored: the group that is given first, '239.141.12.7'. */
export function rangeText(range: BusRange): string {
  return groupOf(range, 0)
}

export function rangeFrom(text: string): BusRange {
  const [a = '', b = '', c = '', d = ''] = text.split('.')
  return { network: `${a}.${b}`, first: Number(c) * 256 + Number(d) }
}

/** Of the range that inputs are given their groups from, or were before. */
export function isOwnGroup({ network }: BusRange, ip: string): boolean {
  return [network, OLD_NETWORK].some((own) => ip.startsWith(`${own}.`))
}

/** The groups that no input has, in the order in which they are given; 65,000 in all. */
export function* freeGroups(range: BusRange, taken: ReadonlySet<string>): Generator<string> {
  for (let step = 0; step < LAST_GROUP; step++) {
    const ip = groupOf(range, step)
    if (!taken.has(ip)) yield ip
  }
}

function groupOf({ network, first }: BusRange, step: number): string {
  const number = ((first - 1 + step) % LAST_GROUP) + 1
  return `${network}.${number >> 8}.${number & 255}`
}

/**
 * The free bus ports of a host. Each range begins at a place of its own, so that two installations
 * with hosts on one machine do not both begin with the same port.
 */
export function* freeBusPorts(
  { network }: BusRange,
  taken: ReadonlySet<number>,
): Generator<number> {
  const begin = (255 - Number(network.split('.')[1])) * PORTS_A_NETWORK
  for (let step = 0; step < BUS_PORTS; step++) {
    const port = FIRST_BUS_PORT + ((begin + step) % BUS_PORTS)
    if (!taken.has(port)) yield port
  }
}
