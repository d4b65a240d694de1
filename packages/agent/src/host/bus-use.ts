/**
 * Who on this host uses the local bus beside us: programs of another agent, or anybody's that send
 * where we do. Only looks, and listens.
 */
import { createSocket, type Socket } from 'node:dgram'
import { isMulticast } from '@trunkline/contract/text.schema'
import { programNameOf, supervisorOf } from '../supervisor/process-identity.ts'
import { boundSockets, joinedGroups, ownersOf, socketsOf, type UdpAddress } from './free-port.ts'

export interface BusUser {
  what: 'reads' | 'sends'
  /** 0: a process of another user. */
  pid: number
  command: string
  /** '' when no agent's supervisord started it. */
  program: string
}

/** What is ours: the socket of our supervisord, and processes that are known to be its children. */
interface OurPrograms {
  supervisorSocket: string
  pids: readonly number[]
}

const ANY = '0.0.0.0'
const LOOPBACK = '127.0.0.1'
/** A stream of 250 kbit/s sends a datagram every 42 ms. */
const LISTEN_MS = 100

/**
 * A program of another agent that reads there: it would get our stream. Whoever else reads there, a
 * media server or somebody who looks, means to.
 */
export function foreignReader({ ip, port }: UdpAddress, ours: OurPrograms): BusUser | null {
  const bound = boundSockets().filter(
    (socket) => socket.port === port && (socket.ip === ip || socket.ip === ANY),
  )
  // We read there ourselves, to measure the stream.
  const known = { ...ours, pids: [...ours.pids, process.pid] }
  const inodes = notOurs(new Set(bound.map(({ inode }) => inode)), known)
  for (const { pid, command } of inodes.size === 0 ? [] : ownersOf(inodes)) {
    const supervisor = supervisorOf(pid)
    if (supervisor === '' || supervisor === ours.supervisorSocket) continue
    return { what: 'reads', pid, command, program: programNameOf(pid) }
  }
  return null
}

/** Whoever sends to that group and is not ours: streams would mix. Listens for a tenth of a second. */
export async function foreignSender(leg: UdpAddress, ours: OurPrograms): Promise<BusUser | null> {
  if (!isMulticast(leg.ip)) return null
  const ears = createSocket({ type: 'udp4', reuseAddr: true })
  const { promise, resolve } = Promise.withResolvers<BusUser | null>()
  const seenPorts = new Set<number>()
  const timer = setTimeout(() => resolve(null), LISTEN_MS)
  // A group that cannot be listened to is no reason to refuse a start.
  ears.on('error', () => resolve(null))
  ears.on('message', (_bytes, { port }) => {
    if (seenPorts.has(port)) return
    seenPorts.add(port)
    const sender = senderFrom(port, ours)
    if (sender) resolve(sender)
  })
  listen(ears, leg)
  const sender = await promise
  clearTimeout(timer)
  ears.close()
  return sender
}

function listen(ears: Socket, { ip, port }: UdpAddress): void {
  ears.bind(port, ip, () => {
    try {
      ears.addMembership(ip, LOOPBACK)
    } catch (error) {
      ears.emit('error', error)
    }
  })
}

/** Of a packet that came from this port of this host; null when it is ours, or has ended since. */
function senderFrom(port: number, ours: OurPrograms): BusUser | null {
  const bound = boundSockets().filter((socket) => socket.port === port)
  const inodes = notOurs(new Set(bound.map(({ inode }) => inode)), ours)
  if (inodes.size < bound.length || inodes.size === 0) return null
  const owners = ownersOf(inodes)
  if (owners.some(({ pid }) => supervisorOf(pid) === ours.supervisorSocket)) return null
  const [owner = { pid: 0, command: '' }] = owners
  const program = owner.pid === 0 ? '' : programNameOf(owner.pid)
  return { what: 'sends', pid: owner.pid, command: owner.command, program }
}

/** Without a look at every process of the host, which takes some hundredths of a second. */
function notOurs(inodes: Set<string>, { pids }: OurPrograms): Set<string> {
  for (const pid of inodes.size === 0 ? [] : pids) {
    for (const inode of socketsOf(pid)) inodes.delete(inode)
  }
  return inodes
}

/** Multicast groups that programs of this host use and that are not only our supervisord's. */
export function foreignGroups(supervisorSocket: string): ReadonlySet<string> {
  const bound = boundSockets().filter(({ ip }) => isMulticast(ip))
  const groups = new Set([...joinedGroups(), ...bound.map(({ ip }) => ip)])
  if (bound.length === 0) return groups
  const owners = ownersOf(new Set(bound.map(({ inode }) => inode)))
  const ours = new Set(
    owners.filter(({ pid }) => supervisorOf(pid) === supervisorSocket).map(({ inode }) => inode),
  )
  for (const ip of groups) {
    const sockets = bound.filter((socket) => socket.ip === ip)
    if (sockets.length > 0 && sockets.every(({ inode }) => ours.has(inode))) groups.delete(ip)
  }
  return groups
}
