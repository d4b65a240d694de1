/** A fleet that a test changes at will, for what counts it: answers what it is, and publishes each change. */
import { movingSince } from '../../testing/fake-host.ts'
import type { HostStatus, ProgramKind, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { HostRecord } from '../../hosts/host-record.ts'
import type { HostsEvent } from '../../hosts/hosts-event.ts'
import { kindAndId, programIdOf, type KnownProgram } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import { FleetCounts, type FleetCountsOptions } from './fleet-counts.ts'
import type { KnownStream, ServerAnswer, StreamKey } from '../streams/stream-board.ts'

export function actorOf(role: Actor['role'], groupIds: readonly string[], id = role as string) {
  return { id, email: '', fullName: '', role, groupIds, sessionId: '', ip: '' } satisfies Actor
}

export function recordOf(kind: HostRecord['kind'], id: string, groupIds: readonly string[]) {
  const address = { host: id, port: 1 }
  const plain = { id, kind, answerer: 'agent', address, baseUrl: '', apiKey: '' } as const
  return {
    ...plain,
    groupIds,
    editorIds: [] as readonly string[],
    createdAtMs: 0,
  } satisfies HostRecord
}

function statusOf(kind: ProgramKind, id: string, more: Partial<ProgramStatus>) {
  return {
    kind,
    id,
    state: 'running',
    wanted: 'running',
    sinceMs: 0,
    startedAtMs: 0,
    pid: 1,
    cause: '',
    restarts: 0,
    peer: kind === 'encoder' ? '' : 'connected',
    observed: movingSince(0),
    reading: null,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    readAtMs: 0,
    ...more,
  } satisfies ProgramStatus
}

export class CountedFleet implements FleetCountsOptions {
  readonly records = new Map<string, HostRecord>()
  readonly wantedById = new Map<string, KnownProgram>()
  readonly statuses = new Map<string, ProgramStatus>()
  readonly hostStatuses = new Map<string, HostStatus>()
  readonly streamsByKey = new Map<string, KnownStream>()
  /** Of media servers that were asked. */
  readonly serverAnswers = new Map<string, ServerAnswer>()
  readonly clock = Date.now
  readonly counts: FleetCounts
  #toHosts: (event: HostsEvent) => void = () => undefined
  #toStreams: (streams: readonly StreamKey[]) => void = () => undefined
  #toServers: (serverId: string) => void = () => undefined

  constructor() {
    this.counts = new FleetCounts(this)
  }

  readonly hosts: FleetCountsOptions['hosts'] = {
    listen: (listener) => {
      this.#toHosts = listener
      return () => true
    },
    record: (kind, id) => this.records.get(`${kind} ${id}`),
    recordsAt: ({ host }) =>
      [...this.records.values()].filter(({ address }) => address.host === host),
  }

  readonly programs: FleetCountsOptions['programs'] = {
    wanted: (programId) => this.wantedById.get(programId),
  }

  readonly board: FleetCountsOptions['board'] = {
    followStreams: (follower) => {
      this.#toStreams = follower
      return () => true
    },
    followServers: (follower) => {
      this.#toServers = follower
      return () => true
    },
    look: ({ programId, kind, id }) =>
      this.statuses.get(programId) ?? statusOf(kind, id, { state: 'absent' }),
    host: ({ kind, id }) => this.hostStatuses.get(`${kind} ${id}`) ?? awayHost(kind, id),
    streams: {
      known: ({ serverId, streamName }) =>
        this.streamsByKey.get(`${serverId} ${streamName}`) ?? null,
      server: (serverId) => this.serverAnswers.get(serverId) ?? null,
    },
  }

  /** An encoder with a configuration has a program; null takes it off. */
  want(kind: ProgramKind, id: string, wanted: Partial<KnownProgram> | null): void {
    const programId = programIdOf(kind, id)
    const plain = {
      programId,
      kind,
      id,
      groupId: 'north',
      editorIds: [],
      isEnabled: true,
      createdAtMs: 0,
    }
    if (wanted === null) this.wantedById.delete(programId)
    else this.wantedById.set(programId, { ...plain, ...wanted } as KnownProgram)
    this.#toHosts({ type: 'programs', programIds: [programId] })
    this.#toHosts({ type: 'scope', hosts: [], programIds: [programId] })
  }

  observe(kind: ProgramKind, id: string, status: Partial<ProgramStatus>): void {
    const programId = programIdOf(kind, id)
    this.statuses.set(programId, statusOf(kind, id, status))
    const isReading = Object.keys(status).join() === 'observed,reading'
    this.#toHosts({ type: isReading ? 'readings' : 'programs', programIds: [programId] })
  }

  record(kind: HostRecord['kind'], id: string, record: HostRecord | null): void {
    const before = this.records.get(`${kind} ${id}`) ?? null
    if (record === null) this.records.delete(`${kind} ${id}`)
    else this.records.set(`${kind} ${id}`, record)
    this.#toHosts({ type: 'scope', hosts: [{ kind, id, before }], programIds: [] })
  }

  /** All its programs are touched, as when a link comes or goes. */
  link(host: string, isOnline: boolean): void {
    const there = [...this.wantedById.values()].filter(({ address }) => address.host === host)
    for (const { programId, kind, id } of there) {
      this.statuses.set(
        programId,
        statusOf(kind, id, isOnline ? {} : { state: 'unreachable', cause: 'silent' }),
      )
    }
    const programIds = there.map(({ programId }) => programId)
    this.#toHosts({ type: 'programs', programIds })
  }

  /** A media server is heard by other means than the host of an agent. */
  host(record: HostRecord, status: Partial<HostStatus>): void {
    const data = { ...awayHost(record.kind, record.id), ...status }
    this.hostStatuses.set(`${record.kind} ${record.id}`, data)
    if (record.answerer === 'agent') this.#toHosts({ type: 'host', address: record.address })
    else this.#toServers(record.id)
  }

  stream(serverId: string, streamName: string, known: KnownStream | null): void {
    const key = `${serverId} ${streamName}`
    if (known === null) this.streamsByKey.delete(key)
    else this.streamsByKey.set(key, known)
    this.#toStreams([{ serverId, streamName }])
  }

  /** The programs of that kind, and encoders without one. */
  things(
    kind: ProgramKind,
  ): { id: string; wanted: KnownProgram | null; record: HostRecord | null }[] {
    const wanted = [...this.wantedById.values()].filter((program) => program.kind === kind)
    const records = kind === 'encoder' ? [...this.records.values()] : []
    const ids = new Set([
      ...wanted.map(({ id }) => id),
      ...records.filter((record) => record.kind === 'encoder').map(({ id }) => id),
    ])
    return [...ids].map((id) => ({
      id,
      wanted: this.wantedById.get(programIdOf(kind, id)) ?? null,
      record: kind === 'encoder' ? (this.records.get(`encoder ${id}`) ?? null) : null,
    }))
  }

  statusOf(programId: string): ProgramStatus {
    const { kind, id } = kindAndId(programId)
    return this.statuses.get(programId) ?? statusOf(kind, id, { state: 'absent' })
  }
}

function awayHost(kind: HostRecord['kind'], id: string): HostStatus {
  const unheard = { online: false, sinceMs: 0, heardAtMs: null, fault: null, cause: '' } as const
  return { id, kind, ...unheard }
}
