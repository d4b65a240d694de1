/**
 * Who has a UDP port of this host. The tools bind with SO_REUSEADDR, so that a second one starts
 * without a word and steals the first one's packets (dataplane.md 0.1 rule 9). Only looks.
 */
import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { namesIn, textOf } from './files.ts'

export interface UdpAddress {
  ip: string
  port: number
}
export interface BoundSocket extends UdpAddress {
  inode: string
}

const ANY = '0.0.0.0'

/** True when no socket of this host has the port, whatever the address. */
export function isUdpPortFree(port: number): boolean {
  return !boundSockets().some((socket) => socket.port === port)
}

/** True when no program of this host has joined the group or is bound to it. */
export function isGroupFree(ip: string): boolean {
  return !joinedGroups().includes(ip) && !boundSockets().some((socket) => socket.ip === ip)
}

/** The process that stands in the way of a bind, or null. `ip` '' or 0.0.0.0: any address. */
export function holderOf(wanted: UdpAddress): { pid: number; command: string } | 'unknown' | null {
  const ip = wanted.ip === '' ? ANY : wanted.ip
  const socket = boundSockets().find(
    (bound) => bound.port === wanted.port && (ip === ANY || bound.ip === ANY || bound.ip === ip),
  )
  return socket ? (processWith(socket.inode) ?? 'unknown') : null
}

export function boundSockets(): BoundSocket[] {
  return [
    ...readTable('/proc/net/udp', readIpv4),
    // A socket bound to [::] takes IPv4 packets too.
    ...readTable('/proc/net/udp6', () => ANY),
  ]
}

/** Datagrams that the kernel had no room for, since the socket was opened; null when it is closed. */
export function droppedBy(inode: string): number | null {
  for (const line of textOf('/proc/net/udp').split('\n')) {
    if (!line.includes(inode)) continue
    const fields = line.trim().split(/\s+/)
    if (fields[9] === inode) return Number(fields[12] ?? 0)
  }
  return null
}

/** Multicast groups that some program of this host has joined, on any interface. */
export function joinedGroups(): string[] {
  return textOf('/proc/net/igmp')
    .split('\n')
    .flatMap((line) => /^\t+([0-9A-F]{8}) /.exec(line)?.[1] ?? [])
    .map(readIpv4)
}

/** Lines such as `12: 0100007F:1F90 00000000:0000 07 … inode …`; the tenth field is the inode. */
function readTable(file: string, readIp: (hex: string) => string): BoundSocket[] {
  return textOf(file)
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/)
      const [address, port] = (fields[1] ?? '').split(':')
      const inode = fields[9]
      if (address === undefined || port === undefined || inode === undefined) return []
      return [{ ip: readIp(address), port: Number.parseInt(port, 16), inode }]
    })
}

/** Four bytes in the machine's order, which is little endian wherever these tools run. */
function readIpv4(hex: string): string {
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.')
}

/** Null when it is another user's, whose files we may not look at. */
function processWith(inode: string): { pid: number; command: string } | null {
  return ownersOf(new Set([inode]))[0] ?? null
}

interface SocketOwner {
  inode: string
  pid: number
  command: string
}

/** The processes that have these sockets, as far as they are of our own user. */
export function ownersOf(inodes: ReadonlySet<string>): SocketOwner[] {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    const inode = openSockets(name).find((socket) => inodes.has(socket))
    if (inode === undefined) return []
    return [{ inode, pid: Number(name), command: commandOf(name) }]
  })
}

/**
 * The kernel keeps 15 characters of a name; the command line has it whole, of a script as its second
 * word. A name that stands in neither was given by the program to its thread, as Node does.
 */
function commandOf(pid: string): string {
  const name = textOf(`/proc/${pid}/comm`).trim()
  const words = textOf(`/proc/${pid}/cmdline`).split('\0').slice(0, 2)
  const [program = '', script = ''] = words.map((word) => basename(word))
  return [program, script].find((word) => word.startsWith(name)) ?? (program || name)
}

/** The sockets of a process and of those that it started. */
export function socketsOf(pid: number): string[] {
  const started = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ')
  return [`${pid}`, ...started].filter((name) => name !== '').flatMap(openSockets)
}

function openSockets(pid: string): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
  )
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
