/** What an object runs on: the hop that it shares with all that is on the same host. */
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type { HostAddress } from '../hosts/host-address.ts'
import { byPlace, type HostRecord } from '../hosts/host-record.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Board } from './board.ts'
import type { ObjectKey } from './object-key.ts'

interface Known {
  hosts: Pick<Hosts, 'record' | 'recordsAt' | 'recordsOnMachine' | 'status' | 'health'>
  programs: Pick<Programs, 'wanted'>
  board: { streams: Pick<Board['streams'], 'ofChannel' | 'server'> }
}

/** Of thousands that were lost together the first stands for all, or the next whose alarm is not off. */
export const STANDING_AT_MOST = 5

/** Longer than from one question to a media server to the end of the next. */
const LOST_TOGETHER_MS = 20_000

/** What an object runs on, for an alarm by that rule. */
export function hostsOf(known: Known, object: ObjectKey, rule: AlarmRule): ObjectKey[] {
  const { kind, id } = object
  if (kind === 'console') return []
  if (rule === 'disk-full' || rule === 'supervisor-down') return sameDiskBefore(known, object)
  if (kind === 'server') {
    const record = known.hosts.record('server', id)
    const isSilent = rule === 'host-unreachable' || rule === 'media-server-silent'
    return record === undefined || !isSilent ? [] : sameMachineBefore(known, record)
  }
  if (kind === 'channel') {
    const stream = known.board.streams.ofChannel(id)
    return stream === null ? [] : [{ kind: 'server', id: stream.channel.serverId }]
  }
  const wanted = known.programs.wanted(programIdOf(kind, id))
  return wanted === undefined ? [] : hostsAt(known, wanted.address, object, rule)
}

/**
 * Its server; where there is none, of several encoders on one host the first stands for the host, and
 * only while the host itself is unreachable.
 */
function hostsAt(
  known: Known,
  address: HostAddress,
  { kind, id }: ObjectKey,
  rule: AlarmRule,
): ObjectKey[] {
  const records = known.hosts.recordsAt(address)
  const [first] = records
  if (first?.answerer !== 'agent') return []
  if (first.kind === 'server') return [hopOf(first)]
  if (rule !== 'host-unreachable') return []
  const own = kind === 'encoder' ? known.hosts.record('encoder', id) : undefined
  if (own !== undefined) return sameMachineBefore(known, own)
  const encoders = records
    .values()
    .filter((record) => record.kind === 'encoder' && mayBeMissed(known, record))
  return [...sameMachineBefore(known, first), ...encoders.take(STANDING_AT_MOST).map(hopOf)]
}

/**
 * Records of one machine with several ports, which were lost together: the first of them stands for
 * it. One that was lost earlier has a cause of its own, as behind a router with one address. One that
 * answers may be lost yet.
 */
function sameMachineBefore(known: Known, record: HostRecord): ObjectKey[] {
  const lostAtMs = lostAt(known, record) ?? 0
  const lost = firstBefore(known, record, (other) => {
    const otherLostAtMs = lostAt(known, other)
    const isTogether = otherLostAtMs !== null && lostAtMs - otherLostAtMs < LOST_TOGETHER_MS
    return isTogether && mayBeMissed(known, other)
  })
  if (lost.length === STANDING_AT_MOST) return lost
  const answering = firstBefore(
    known,
    record,
    (other) => lostAt(known, other) === null && mayBeMissed(known, other),
  )
  return [...lost, ...answering].slice(0, STANDING_AT_MOST)
}

/**
 * Records of one machine with the same data folder, of which the first stands for it: seats of one agent
 * see one disk, and have one supervisor. Behind a router with one address another machine has another folder, or a disk of another size.
 */
function sameDiskBefore(known: Known, { kind, id }: ObjectKey): ObjectKey[] {
  const record = kind === 'server' || kind === 'encoder' ? known.hosts.record(kind, id) : undefined
  const disk = record && known.hosts.health(record.address)?.disk
  if (record === undefined || disk === undefined) return []
  return firstBefore(known, record, (other) => seesDisk(known, other, disk))
}

/** Seats of one agent see the same. */
export function seesDisk(
  { hosts }: { hosts: Pick<Hosts, 'health'> },
  { answerer, address }: HostRecord,
  disk: HostHealth['disk'],
): boolean {
  const seen = answerer === 'agent' ? hosts.health(address)?.disk : undefined
  return seen?.path === disk.path && seen.totalBytes === disk.totalBytes
}

/** Of its machine, by place. */
function firstBefore(
  known: Known,
  record: HostRecord,
  stands: (other: HostRecord) => boolean,
): ObjectKey[] {
  const first: ObjectKey[] = []
  for (const other of known.hosts.recordsOnMachine(record.address.host)) {
    if (first.length === STANDING_AT_MOST || byPlace(other, record) >= 0) break
    if (stands(other)) first.push(hopOf(other))
  }
  return first
}

/** An encoder that is not to run raises no alarm that could cause others. */
function mayBeMissed({ programs }: Known, { kind, id }: HostRecord): boolean {
  return kind === 'server' || programs.wanted(programIdOf(kind, id))?.wanted === 'running'
}

/** null: it answers, or was never asked. */
function lostAt({ hosts, board }: Known, { answerer, address, id }: HostRecord): number | null {
  const status = answerer === 'agent' ? hosts.status(address) : board.streams.server(id)
  return status?.online === false ? status.sinceMs : null
}

function hopOf({ kind, id }: ObjectKey): ObjectKey {
  return { kind, id }
}
