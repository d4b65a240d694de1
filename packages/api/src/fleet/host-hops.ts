/** What an object runs on: the hop that it shares with all that is on the same host. */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type { HostAddress } from '../hosts/host-address.ts'
import type { HostRecord } from '../hosts/host-record.ts'
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

/** Longer than from one question to a media server to the end of the next. */
const LOST_TOGETHER_MS = 20_000

/** What an object runs on, for an alarm by that rule. */
export function hostsOf(known: Known, object: ObjectKey, rule: AlarmRule): ObjectKey[] {
  const { kind, id } = object
  if (kind === 'console') return []
  if (rule === 'disk-full') return sameDiskBefore(known, object)
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
  const agents = known.hosts.recordsAt(address).filter(({ answerer }) => answerer === 'agent')
  const servers = agents.filter((record) => record.kind === 'server').slice(0, 1)
  if (servers.length > 0 || rule !== 'host-unreachable') return servers.map(hopOf)
  const encoders = agents.toSorted(byPlace)
  const own = encoders.find((record) => kind === 'encoder' && record.id === id)
  if (own !== undefined) return sameMachineBefore(known, own)
  const [first] = encoders
  return first === undefined ? [] : [...sameMachineBefore(known, first), ...encoders.map(hopOf)]
}

/**
 * Records of one machine with several ports, which were lost together: the first of them stands for
 * it. One that was lost earlier has a cause of its own, as behind a router with one address.
 */
function sameMachineBefore(known: Known, record: HostRecord): ObjectKey[] {
  const lostAtMs = lostAt(known, record)
  return known.hosts
    .recordsOnMachine(record.address.host)
    .filter((other) => byPlace(other, record) < 0)
    .filter((other) => (lostAtMs ?? 0) - (lostAt(known, other) ?? Infinity) < LOST_TOGETHER_MS)
    .toSorted(byPlace)
    .map(hopOf)
}

/**
 * Records of one machine with the same data folder, of which the first stands for it: seats of one agent
 * see one disk. Behind a router with one address another machine has another folder, or a disk of another size.
 */
function sameDiskBefore(known: Known, { kind, id }: ObjectKey): ObjectKey[] {
  const record = kind === 'server' || kind === 'encoder' ? known.hosts.record(kind, id) : undefined
  const disk = record && known.hosts.health(record.address)?.disk
  if (record === undefined || disk === undefined) return []
  return known.hosts
    .recordsOnMachine(record.address.host)
    .filter((other) => other.answerer === 'agent' && byPlace(other, record) < 0)
    .filter((other) => {
      const seen = known.hosts.health(other.address)?.disk
      return seen?.path === disk.path && seen.totalBytes === disk.totalBytes
    })
    .toSorted(byPlace)
    .map(hopOf)
}

/** null: it answers, or was never asked. */
function lostAt({ hosts, board }: Known, { answerer, address, id }: HostRecord): number | null {
  const status = answerer === 'agent' ? hosts.status(address) : board.streams.server(id)
  return status?.online === false ? status.sinceMs : null
}

/** Gateways, then encoders, then media servers; the same in every API process. */
function byPlace(a: HostRecord, b: HostRecord): number {
  return (
    rankOf(a) - rankOf(b) ||
    a.createdAtMs - b.createdAtMs ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  )
}

function rankOf({ answerer, kind }: HostRecord): number {
  if (answerer === 'media server') return 2
  return kind === 'server' ? 0 : 1
}

function hopOf({ kind, id }: ObjectKey): ObjectKey {
  return { kind, id }
}
