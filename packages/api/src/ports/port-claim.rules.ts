/** Which claims of ports exclude each other, and how a taken port is named. */

export const CLAIM_OWNERS = ['encoder', 'feeder', 'input', 'output'] as const
export type ClaimOwner = (typeof CLAIM_OWNERS)[number]

export interface PortClaim {
  /** Of the host that the port is on; see targetKey for ports that are sent to. */
  hostKey: string
  port: number
  /** What the port is to its owner: 'outer', 'bus', 'local', 'target' … */
  leg: string
}

/** One target has one sender on a host (decisions.md 11): claimed like a port, under this key. */
export function targetKey(hostKey: string, targetIp: string): string {
  return `${hostKey} to ${targetIp}`
}

/** What `targetKey` joins; the target of a port of the host itself is ''. */
export function partsOfKey(hostKey: string): { host: string; target: string } {
  const [host = '', target = ''] = hostKey.split(' to ')
  return { host, target }
}

const LOOPBACK = '127.0.0.1'

/** Under which keys a port of this host is in use when somebody on the host sends to it. */
export function ownTargetKeys(hostKey: string): string[] {
  return [...new Set([targetKey(hostKey, LOOPBACK), targetKey(hostKey, hostKey)])]
}

/** What is there to read a sender of its own host; everything else would read what is not meant for it. */
const READERS: ReadonlySet<string> = new Set(['local', 'target'])

/** The keys under which somebody else's claim of the same port excludes this claim. */
export function excludingKeys({ hostKey, leg }: Pick<PortClaim, 'hostKey' | 'leg'>): string[] {
  return READERS.has(leg) ? [hostKey] : [hostKey, ...ownTargetKeys(hostKey)]
}

/** A feeder goes by its encoder's title. */
const NAMED: Readonly<Record<ClaimOwner, string>> = {
  encoder: 'encoder',
  feeder: 'a feeder of encoder',
  input: 'input',
  output: 'output',
}

export function ownerName(kind: ClaimOwner, title: string): string {
  return `${NAMED[kind]} '${title}'`
}

/** `who`: as `ownerName` says it, or in general words to those who may not see the owner. */
export function takenSentence({ hostKey, port, leg }: PortClaim, who: string): string {
  return leg === 'target'
    ? `Target ${partsOfKey(hostKey).target}:${port} is fed by ${who} already. Choose another target.`
    : `Port ${port} of host ${hostKey} is taken by ${who}. Choose another port.`
}

export function feederPortTaken(port: number): string {
  return `Input port ${port} is already taken`
}
