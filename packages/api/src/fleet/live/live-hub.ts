/**
 * All browsers on the live stream, by what they show: an event costs work for the browsers that show
 * its program, host or stream, and for no other.
 */
import {
  hostKey,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import type { LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import type { Context } from '../../context.ts'
import type { Notice } from '../../notices.ts'
import { kindAndId } from '../../programs/wanted-program.ts'
import type { BoardEvent, ScopeChange, ThingEvent } from '../board.ts'
import type { LiveConnection } from './live-connection.ts'
import { TransportFollower } from './transport-follower.ts'

/** Counts change with every program; a person reads them no faster. */
const COUNTS_PACE_MS = 250

const hubs = new WeakMap<Context, LiveHub>()

/** Browsers and other clients that are on the live stream of this API. */
export function viewerCount(ctx: Context): number {
  return hubs.get(ctx)?.size ?? 0
}

export class LiveHub {
  readonly #ctx: Context
  readonly #connections = new Map<string, LiveConnection>()
  readonly #watchers = new Map<string, Set<LiveConnection>>()
  #stopHearing: (() => void)[] = []
  #countsTimer: NodeJS.Timeout | undefined
  #areCountsNew = false
  readonly #transports: TransportFollower

  constructor(ctx: Context) {
    this.#ctx = ctx
    hubs.set(ctx, this)
    this.#transports = new TransportFollower(ctx, (key, event) => {
      for (const connection of this.#watchers.get(key) ?? []) connection.sendEvent(key, event)
    })
  }

  add(connection: LiveConnection): void {
    if (this.#connections.size === 0) this.#hear()
    this.#connections.set(connection.id, connection)
  }

  remove(connection: LiveConnection): void {
    if (!this.#connections.delete(connection.id) || this.#connections.size > 0) return
    for (const stop of this.#stopHearing.splice(0)) stop()
    clearTimeout(this.#countsTimer)
    this.#countsTimer = undefined
  }

  /** undefined where it is not this person's, has ended, or is held by another API process. */
  find(connectionId: string, personId: string): LiveConnection | undefined {
    const found = this.#connections.get(connectionId)
    return found?.personId === personId ? found : undefined
  }

  get size(): number {
    return this.#connections.size
  }

  countOf(personId: string): number {
    return [...this.#connections.values()].filter((each) => each.personId === personId).length
  }

  watch(connection: LiveConnection, key: string, isWatched: boolean): void {
    const watchers = this.#watchers.get(key)
    if (isWatched) {
      if (watchers !== undefined) {
        watchers.add(connection)
        return
      }
      this.#watchers.set(key, new Set([connection]))
      this.#transports.show(key)
      return
    }
    watchers?.delete(connection)
    if (watchers?.size !== 0) return
    this.#watchers.delete(key)
    this.#transports.hide(key)
    this.#ctx.board.unwatch(key)
  }

  close(): void {
    this.#transports.close()
    for (const connection of this.#connections.values()) connection.close()
  }

  #hear(): void {
    const { board, notices, counts, alarms, onAir } = this.#ctx
    this.#stopHearing = [
      board.show({
        isWatching: (key) => this.#watchers.has(key),
        send: (event) => this.#send(event),
      }),
      notices.listen((notice) => this.#noticed(notice)),
      counts.listen(() => this.#countsChanged()),
      alarms.listen(() => this.#countsChanged()),
      onAir.listen(() => this.#countsChanged()),
    ]
  }

  #send(event: BoardEvent): void {
    if (event.event === 'scope') return this.#rescope(event.of)
    const key = keyOf(event)
    for (const connection of this.#watchers.get(key) ?? []) connection.sendEvent(key, event)
  }

  #rescope({ hosts, programIds, streams }: ScopeChange): void {
    this.#ctx.onAir.rescoped()
    const keys = [
      ...hosts.map(({ kind, id }) => hostKey(kind, id)),
      ...programIds
        .map(kindAndId)
        .flatMap(({ kind, id }) => [programKey(kind, id), transportKey(kind, id)]),
      ...streams.map(({ serverId, streamName }) => streamKey(serverId, streamName)),
    ]
    for (const key of keys) {
      for (const connection of this.#watchers.get(key) ?? []) connection.rescopeSoon([key])
    }
    for (const { kind, id, before } of hosts) {
      const editorsNow = this.#ctx.hosts.record(kind, id)?.editorIds ?? []
      const editorsBefore = before?.editorIds ?? []
      if (editorsNow.length === 0 && editorsBefore.length === 0) continue
      for (const connection of this.#connections.values()) {
        connection.sendAssignment(id, editorsBefore, editorsNow)
      }
    }
  }

  #noticed(notice: Notice): void {
    if (notice.kind === 'gone') {
      for (const connection of this.#connections.values()) {
        if (connection.personId === notice.userId) void connection.checkSession()
      }
      return
    }
    // Alarms are sent as counts: a flood of them must not be a flood of notices. What is on air has an
    // event of its own, and of an identity those who see the host get its new state.
    if (!('change' in notice)) return
    // The same object for all, so that it is serialised once.
    const { kind, id, change } = notice
    const data: ObjectData = { kind, id, change }
    for (const connection of this.#connections.values()) connection.sendObject(notice, data)
  }

  /** The first change is sent at once, those that follow shortly after it together. */
  #countsChanged(): void {
    if (this.#countsTimer !== undefined) {
      this.#areCountsNew = true
      return
    }
    this.#areCountsNew = false
    for (const connection of this.#connections.values()) connection.sendCounts()
    this.#countsTimer = setTimeout(() => {
      this.#countsTimer = undefined
      if (this.#areCountsNew) this.#countsChanged()
    }, COUNTS_PACE_MS)
  }
}

type ObjectData = Extract<LiveEvent, { event: 'object' }>['data']

function keyOf(event: ThingEvent): string {
  switch (event.event) {
    case 'program':
    case 'restart':
      return programKey(event.wanted.kind, event.wanted.id)
    case 'transport':
      return transportKey(event.wanted.kind, event.wanted.id)
    case 'host':
      return hostKey(event.record.kind, event.record.id)
    case 'stream':
      return streamKey(event.data.serverId, event.data.streamName)
  }
}
