/** How many encoders, feeders, inputs and outputs are in which state, as each person may see it. */
import { viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import {
  PROGRAM_KINDS,
  WORST_LISTED,
  type CountedKind,
  type FleetCounts as Counts,
  type HostStatus,
  type ProgramKind,
} from '@trunkline/contract/fleet/fleet.schema'
import { FIRST_HELLO_MS, isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import { familyOfHost } from '@trunkline/contract/fleet/host-family.rules'
import { noFamilies, shownCount, type Show } from '@trunkline/contract/fleet/show.rules'
import {
  FAMILIES,
  overdueAtMs,
  stateView,
  viewOfEncoder,
  type Family,
  type Freshness,
} from '@trunkline/contract/fleet/state-view.rules'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { HostRecord } from '../../hosts/host-record.ts'
import type { Hosts } from '../../hosts/hosts.ts'
import type { HostsEvent } from '../../hosts/hosts-event.ts'
import type { Programs } from '../../programs/programs.ts'
import { kindAndId, programIdOf, type KnownProgram } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import type { Board } from '../board.ts'
import { FamilyIndex, type Part } from './family-index.ts'
import { OverdueTimer } from './overdue-timer.ts'
import { readerByGroups, readerOf, visibleTo } from './reader.rules.ts'
import type { StreamKey } from '../streams/stream-board.ts'

export interface FleetCountsOptions {
  hosts: Pick<Hosts, 'listen' | 'record' | 'recordsAt'>
  programs: Pick<Programs, 'wanted'>
  board: Pick<Board, 'followStreams' | 'followServers' | 'look' | 'host'> & {
    streams: Pick<Board['streams'], 'known' | 'server'>
  }
  clock: () => number
}

/** Which of a list is asked for. */
interface Shown {
  show: Exclude<Show, 'all'>
  /** '' for all groups. */
  group: string
  offset: number
  count: number
}

/** Answers kept between two changes; more than that is somebody who makes up groups. */
const ANSWERS_KEPT = 2000

export class FleetCounts {
  readonly #options: FleetCountsOptions
  /** As lists show them: an encoder that is disabled or not configured is there too. */
  readonly #lists: Record<ProgramKind, FamilyIndex>
  /** As the tally counts them: what nobody wants to run is off. */
  readonly #tally = {
    encoder: new FamilyIndex(false),
    feeder: new FamilyIndex(false),
    input: new FamilyIndex(false),
    output: new FamilyIndex(false),
    servers: new FamilyIndex(false),
    /** Why a server is away is for admins, and so is what follows from it. */
    serversForAdmins: new FamilyIndex(false),
    streams: new FamilyIndex(false),
  }
  /** Hosts of an older agent say by their readings alone whether media moves. */
  readonly #readByFigures = new Set<string>()
  readonly #onlyGroups = new Map<string, readonly string[]>()
  readonly #overdue: OverdueTimer
  /** Of streams, by the text of their keys. */
  readonly #overdueStreams: OverdueTimer
  readonly #answers = new Map<string, Counts>()
  readonly #listeners = new Set<() => void>()
  readonly #stopHearing: readonly (() => void)[]
  #publishing: NodeJS.Immediate | undefined

  constructor(options: FleetCountsOptions) {
    this.#options = options
    const list = () => new FamilyIndex(true)
    this.#lists = { encoder: list(), feeder: list(), input: list(), output: list() }
    this.#overdue = new OverdueTimer(options.clock, (programId) => this.#countProgram(programId))
    this.#overdueStreams = new OverdueTimer(options.clock, (text) =>
      this.#countStream(streamKeyOf(text)),
    )
    this.#stopHearing = [
      options.hosts.listen((event) => this.#heard(event)),
      options.board.followStreams((streams) => {
        for (const key of streams) this.#countStream(key)
      }),
      options.board.followServers((serverId) => this.#countServer(serverId)),
    ]
  }

  /** Calls when counts may have changed, once for all changes of a turn of the event loop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Of what this person may see. Costs their groups, not the site; the same object until a change. */
  of(actor: Actor, kind: CountedKind, group: string): Counts {
    this.#overdue.turn()
    this.#overdueStreams.turn()
    const key = `${kind} ${group} ${visibleTo(actor)}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    if (this.#answers.size >= ANSWERS_KEPT) this.#answers.clear()
    const counts = kind === 'all' ? this.#all(actor, group) : this.#ofKind(actor, kind, group)
    this.#answers.set(key, counts)
    return counts
  }

  /** Of these ids, which the person who asks may see. */
  ofIds(kind: ProgramKind, ids: readonly string[]): Omit<Counts, 'kind' | 'group'> {
    this.#overdue.turn()
    const picked = this.#lists[kind].pick(ids, 'all')
    const families = noFamilies()
    for (const { family } of picked) families[family] += 1
    const worst = this.#lists[kind].pick(ids, 'attention').slice(0, WORST_LISTED)
    return { families, total: picked.length, worst: worst.map(({ id }) => id) }
  }

  /** Ids of a page of those in certain states, and how many there are: trouble worst first, else as they were created. */
  page(actor: Actor, kind: ProgramKind, { show, group, offset, count }: Shown) {
    this.#overdue.turn()
    const part = partOf(actor, kind, group)
    if (part === null) return { ids: [], total: 0 }
    const families = noFamilies()
    this.#lists[kind].addTo(families, part)
    const ids = this.#lists[kind].page(part, show, offset, count)
    return { ids, total: shownCount(show, families) }
  }

  /**
   * As the tally counts it; null of what is not known. Whoever asks for thousands does not look for
   * overdue ones each time: the timer turns those within half a second.
   */
  familyOfProgram(kind: ProgramKind, id: string): Family | null {
    return this.#tally[kind].get(id)?.family ?? null
  }

  /** Of these ids those in such states, in the order of `page`. */
  pick(kind: ProgramKind, ids: readonly string[], show: Show): string[] {
    this.#overdue.turn()
    return this.#lists[kind].pick(ids, show).map(({ id }) => id)
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stopHearing) stop()
    this.#overdue[Symbol.dispose]()
    this.#overdueStreams[Symbol.dispose]()
    clearImmediate(this.#publishing)
    this.#listeners.clear()
  }

  #ofKind(actor: Actor, kind: ProgramKind, group: string): Counts {
    const families = noFamilies()
    const part = partOf(actor, kind, group)
    const list = this.#lists[kind]
    if (part !== null) list.addTo(families, part)
    const worst = part === null ? [] : list.worst(part, WORST_LISTED)
    return { kind, group, families, total: totalOf(families), worst }
  }

  #all(actor: Actor, group: string): Counts {
    const families = noFamilies()
    const tally = this.#tally
    for (const kind of PROGRAM_KINDS) {
      const part = partOf(actor, kind, group)
      if (part !== null) tally[kind].addTo(families, part)
    }
    const places: Part = { group, reader: readerByGroups(actor) }
    const servers = isAdminLevel(actor.role) ? tally.serversForAdmins : tally.servers
    servers.addTo(families, places)
    tally.streams.addTo(families, places)
    return { kind: 'all', group, families, total: totalOf(families), worst: [] }
  }

  #heard(event: HostsEvent): void {
    switch (event.type) {
      case 'programs':
        for (const programId of event.programIds) this.#countProgram(programId)
        return
      case 'readings':
        for (const programId of event.programIds) {
          if (this.#readByFigures.has(programId)) this.#countProgram(programId)
        }
        return
      case 'host':
        for (const { kind, id } of this.#options.hosts.recordsAt(event.address)) {
          if (kind === 'server') this.#countServer(id)
        }
        return
      case 'scope':
        // Its programs come as an event of their own.
        for (const { kind, id } of event.hosts) {
          if (kind === 'server') this.#countServer(id)
          else this.#countBareEncoder(id)
        }
        return
      case 'transports':
      case 'restart':
    }
  }

  #countProgram(programId: string): void {
    const wanted = this.#options.programs.wanted(programId)
    if (wanted === undefined) this.#dropProgram(programId)
    else this.#judge(wanted)
  }

  /** One that has a program is counted by that. */
  #countBareEncoder(id: string): void {
    const programId = programIdOf('encoder', id)
    if (this.#options.programs.wanted(programId) === undefined) this.#dropProgram(programId)
  }

  /** Nothing of it is to run; an encoder without a configuration is counted nevertheless. */
  #dropProgram(programId: string): void {
    const { kind, id } = kindAndId(programId)
    const record = kind === 'encoder' ? this.#options.hosts.record('encoder', id) : undefined
    this.#overdue.set(programId, null)
    this.#readByFigures.delete(programId)
    const freshness = this.#freshness()
    const bare = { isEnabled: true, isConfigured: false, status: null, freshness }
    const { family } = viewOfEncoder(bare)
    const counted =
      record === undefined ? null : { id, order: record.createdAtMs, family, ...audienceOf(record) }
    const isNews = this.#lists[kind].put(id, counted)
    if (this.#tally[kind].put(id, null) || isNews) this.#publishSoon()
  }

  #judge(wanted: KnownProgram): void {
    const { programId, kind, id, groupId, editorIds, createdAtMs: order } = wanted
    const status = this.#options.board.look(wanted)
    // A Local input runs no program, so it is not here.
    const known = { isEnabled: true, isConfigured: true, inputType: null }
    const view = stateView({ ...known, kind, status, freshness: this.#freshness() })
    this.#overdue.set(programId, overdueAtMs(view))
    if (status.state === 'running' && status.observed === null) this.#readByFigures.add(programId)
    else this.#readByFigures.delete(programId)
    const family = wanted.isEnabled ? view.family : 'off'
    const listed = { id, order, family, groupIds: this.#only(groupId), editorIds }
    const isNews = this.#lists[kind].put(id, listed)
    // Mostly alike: held once.
    const tallied = view.family === family ? listed : { ...listed, family: view.family }
    if (this.#tally[kind].put(id, tallied) || isNews) this.#publishSoon()
  }

  /** The list of this group alone, the same for all that are in it. */
  #only(groupId: string): readonly string[] {
    const known = this.#onlyGroups.get(groupId) ?? [groupId]
    this.#onlyGroups.set(groupId, known)
    return known
  }

  /** An encoder's host is not counted beside its encoder, which may be off on purpose. */
  #countServer(id: string): void {
    const { servers, serversForAdmins } = this.#tally
    const record = this.#options.hosts.record('server', id)
    if (record === undefined) {
      if (servers.put(id, null)) this.#publishSoon()
      serversForAdmins.put(id, null)
      return
    }
    const { groupIds } = record
    const status: HostStatus = this.#options.board.host(record)
    const freshness = this.#freshness()
    const counted = { id, order: 0, groupIds, editorIds: NOBODY }
    const family = familyOfHost({ ...status, fault: null }, freshness)
    const forAdmins = familyOfHost(status, freshness)
    const isNews = servers.put(id, { ...counted, family })
    if (serversForAdmins.put(id, { ...counted, family: forAdmins }) || isNews) this.#publishSoon()
  }

  #countStream({ serverId, streamName }: StreamKey): void {
    const known = this.#options.board.streams.known({ serverId, streamName })
    const id = textOf({ serverId, streamName })
    const stream = known?.status.stream ?? null
    const view = stream && viewOfStream(stream, this.#freshness())
    const awaitedMs = stream === null ? this.#awaitedUntilMs(serverId) : null
    this.#overdueStreams.set(id, awaitedMs ?? (view && overdueAtMs(view)))
    const counted = known && {
      id,
      order: 0,
      // Of none it is not known why.
      family: view?.family ?? (awaitedMs === null ? 'blind' : 'move'),
      groupIds: known.channel.groupIds,
      editorIds: NOBODY,
    }
    if (this.#tally.streams.put(id, counted)) this.#publishSoon()
  }

  /** Null of a media server that has answered, or had time to. */
  #awaitedUntilMs(serverId: string): number | null {
    const server = this.#options.board.streams.server(serverId)
    const isAwaited = server !== null && isUndecided(server, this.#options.clock())
    return isAwaited ? server.sinceMs + FIRST_HELLO_MS : null
  }

  #freshness(): Freshness {
    return { nowMs: this.#options.clock(), isLoaded: true, brokenSinceMs: null }
  }

  #publishSoon(): void {
    this.#answers.clear()
    this.#publishing ??= setImmediate(() => {
      this.#publishing = undefined
      for (const listener of this.#listeners) listener()
    })
  }
}

/** Ids have no space in them. */
function textOf({ serverId, streamName }: StreamKey): string {
  return `${serverId} ${streamName}`
}

function streamKeyOf(text: string): StreamKey {
  const at = text.indexOf(' ')
  return { serverId: text.slice(0, at), streamName: text.slice(at + 1) }
}

const NOBODY: readonly string[] = []

function audienceOf({ groupIds, editorIds }: HostRecord) {
  return { groupIds, editorIds }
}

function partOf(actor: Actor, kind: ProgramKind, group: string): Part | null {
  const reader = readerOf(actor, kind)
  return reader === null ? null : { group, reader }
}

function totalOf(families: Readonly<Record<Family, number>>): number {
  return FAMILIES.reduce((sum, family) => sum + families[family], 0)
}
