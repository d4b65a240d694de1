/** One browser on the live stream: what it shows, as far as this person may see it, and what is new. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  LIVE_BEAT_MS,
  OBJECT_KINDS,
  type LiveEvent,
  type UnseenThings,
  type WatchedSet,
} from '@trunkline/contract/fleet/fleet.schema'
import { watchedOf, type Watched } from '@trunkline/contract/fleet/watch-key.schema'
import type { Context } from '../../context.ts'
import { AppError, REVOKED } from '../../errors.ts'
import type { ObjectNotice } from '../../notices.ts'
import type { Actor } from '../../security/actor.ts'
import type { ThingEvent } from '../board.ts'
import { forRole } from '../visible.rules.ts'
import { maySeeNotice } from '../scope.rules.ts'
import { maySee, seenBy } from './watched-thing.ts'

/** A client that has so much unread is disconnected: it connects again and gets the current state. */
const MAX_WAITING_BYTES = 1024 * 1024
/** Changes of scope come in bursts; they are handled together. */
const RESCOPE_MS = 50
/** How often the token is checked, in beats: it may expire while nothing is sent. */
const TOKEN_CHECK_BEATS = 30
/** So many items of a large set are serialised at once: some milliseconds of work. */
const SENT_AT_ONCE = 250

export interface LiveConnectionOptions {
  ctx: Context
  response: ServerResponse
  actor: Actor
  /** The actor as of now; throws when the session has ended. */
  readActor: () => Promise<Actor>
  /** The browser starts or stops showing what this key names. */
  onWatch: (key: string, isWatched: boolean) => void
}

interface Shown {
  readonly watched: Watched
  /** Its last state was sent to the browser, and has not been withdrawn. */
  isSeen: boolean
  /** It was sent for another role: an admin reads more of a host than a manager does. */
  isOutdated: boolean
}

/** They are about many objects: sent again only where they differ for this person. */
const SENT_WHEN_CHANGED: ReadonlySet<LiveEvent['event']> = new Set(['counts', 'alarms', 'air'])

/** What a person may see of these lists depends on their role and groups. */
const SCOPED_KINDS = OBJECT_KINDS.filter((kind) => kind !== 'user' && kind !== 'group')

export class LiveConnection {
  readonly id = randomUUID()
  readonly #ctx: Context
  readonly #response: ServerResponse
  readonly #readActor: () => Promise<Actor>
  readonly #onWatch: (key: string, isWatched: boolean) => void
  readonly #shown = new Map<string, Shown>()
  /** As last sent, by key. */
  readonly #counts = new Map<string, string>()
  #actor: Actor
  #beat: NodeJS.Timeout | undefined
  #sequence = -1
  /** Keys that are still to be sent, and the sequences of the sets that they end. */
  #waiting: (string | number)[] = []
  #isSendingLater = false
  /** Of the last set: it must not exceed its own allowance. */
  #setBytes = 0
  #beats = 0
  /** The last look at the session failed, for no reason of the session's. */
  #isCheckDue = false
  #rescopeTimer: NodeJS.Timeout | undefined
  /** What may have come into sight or gone out of it since that was last looked at. */
  #rescoped = new Set<string>()
  #isOpen = true

  constructor(options: LiveConnectionOptions) {
    this.#ctx = options.ctx
    this.#response = options.response
    this.#actor = options.actor
    this.#readActor = options.readActor
    this.#onWatch = options.onWatch
  }

  get personId(): string {
    return this.#actor.id
  }

  /** Says hello, sends what the first set names, then everything new of it until either side ends. */
  open(first: WatchedSet): void {
    this.#beat = setInterval(() => this.#sendBeat(), LIVE_BEAT_MS)
    this.#response.on('close', () => this.close())
    this.#send({ event: 'hello', data: { atMs: this.#ctx.clock(), connection: this.id } })
    this.watch(first)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearInterval(this.#beat)
    clearTimeout(this.#rescopeTimer)
    this.#waiting = []
    for (const key of this.#shown.keys()) this.#onWatch(key, false)
    this.#shown.clear()
    this.#response.end()
  }

  /** From now on this and nothing else. A set that comes late is older than what is watched already. */
  watch({ sequence, keys }: WatchedSet): void {
    if (!this.#isOpen || sequence <= this.#sequence) return
    this.#sequence = sequence
    this.#setBytes = 0
    const next = new Set(keys)
    for (const key of this.#shown.keys()) if (!next.has(key)) this.#hide(key)
    for (const key of next) if (!this.#shown.has(key)) this.#show(key)
    this.#waiting.push(sequence)
    if (!this.#isSendingLater) this.#sendWaiting()
  }

  #show(key: string): void {
    const watched = watchedOf(key)
    if (watched === null) return
    this.#shown.set(key, { watched, isSeen: false, isOutdated: false })
    this.#onWatch(key, true)
    this.#waiting.push(key)
  }

  #hide(key: string): void {
    this.#shown.delete(key)
    this.#counts.delete(key)
    this.#onWatch(key, false)
  }

  #sendWaiting(): void {
    this.#isSendingLater = false
    if (!this.#isOpen) return
    const frames = this.#waiting.splice(0, SENT_AT_ONCE).map((item) => {
      if (typeof item === 'number') {
        return frameOf({ event: 'watching', data: { sequence: item } })
      }
      const event = this.#look(item)
      return event === null ? '' : frameOf(event)
    })
    const text = frames.join('')
    this.#setBytes += text.length
    this.#write(text)
    if (this.#waiting.length === 0) return
    this.#isSendingLater = true
    setImmediate(() => this.#sendWaiting())
  }

  /** null when there is nothing that this person may see, or nothing new to count. */
  #look(key: string): LiveEvent | null {
    const shown = this.#shown.get(key)
    if (shown === undefined) return null
    const event = seenBy(this.#ctx, this.#actor, shown.watched)
    shown.isSeen = event !== null
    if (event === null || !SENT_WHEN_CHANGED.has(event.event)) return event
    const frame = frameOf(event)
    if (this.#counts.get(key) === frame) return null
    this.#counts.set(key, frame)
    return event
  }

  /** Sends the event if it is shown, and this person may see it. */
  sendEvent(key: string, event: ThingEvent): void {
    const shown = this.#shown.get(key)
    if (shown === undefined || !maySee(this.#actor, event)) return
    shown.isSeen = true
    if (event.event !== 'host') this.#send(event)
    else this.#send({ event: 'host', data: forRole(this.#actor, event.data) })
  }

  /** Sends the counts that have changed, alarms and what is on air too. */
  sendCounts(): void {
    if (this.#counts.size === 0) return
    for (const key of this.#counts.keys()) {
      const event = this.#look(key)
      if (event !== null) this.#send(event)
    }
  }

  sendObject(notice: ObjectNotice, data: Extract<LiveEvent, { event: 'object' }>['data']): void {
    if (this.#isOfInterest(notice)) this.#send({ event: 'object', data })
    // Roles and memberships decide what is seen, the person's own and those of encoders.
    if (notice.kind === 'user' || notice.kind === 'group') void this.checkSession()
  }

  #isOfInterest(notice: ObjectNotice): boolean {
    // Of any encoder: an editor's own may be among them.
    const isOfOne = notice.kind === 'encoder' && notice.id !== ''
    if (!isOfOne || this.#actor.role !== 'editor') return maySeeNotice(this.#actor, notice)
    const record = this.#ctx.hosts.record('encoder', notice.id)
    return record?.editorIds.includes(this.#actor.id) === true
  }

  /** An editor who was assigned an encoder, or lost it, is not sent the change itself. */
  sendAssignment(encoderId: string, before: readonly string[], now: readonly string[]): void {
    const { id, role } = this.#actor
    if (role !== 'editor' || before.includes(id) === now.includes(id)) return
    this.#send({ event: 'object', data: { kind: 'encoder', id: encoderId, change: 'changed' } })
  }

  /**
   * Only a revoked session gets 'gone', whoever revoked it. A session whose token is too old just
   * ends: the browser comes back with its newer token by itself. While the database does not answer
   * the stream goes on, and the next beat asks again.
   */
  async checkSession(): Promise<void> {
    try {
      const before = this.#actor
      this.#actor = await this.#readActor()
      this.#isCheckDue = false
      if (!seesAlike(before, this.#actor)) this.#seeAnew()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') {
        this.#isCheckDue = true
        return
      }
      if (error.message === REVOKED) this.#send({ event: 'gone', data: { error: REVOKED } })
      this.close()
    }
  }

  /** The person's role or groups have changed: what is shown may differ, and every list. */
  #seeAnew(): void {
    for (const kind of SCOPED_KINDS) {
      const notice = { kind, id: '', change: 'changed', groupIds: this.#actor.groupIds } as const
      if (!maySeeNotice(this.#actor, notice)) continue
      this.#send({ event: 'object', data: { kind, id: '', change: 'changed' } })
    }
    for (const shown of this.#shown.values()) shown.isOutdated = true
    this.rescopeSoon(this.#shown.keys())
  }

  /** The person may see some of these now and not before, or the other way round. */
  rescopeSoon(keys: Iterable<string>): void {
    for (const key of keys) this.#rescoped.add(key)
    if (this.#rescoped.size === 0) return
    this.#rescopeTimer ??= setTimeout(() => {
      this.#rescopeTimer = undefined
      this.#rescope()
    }, RESCOPE_MS)
  }

  #rescope(): void {
    const keys = [...this.#rescoped]
    this.#rescoped.clear()
    const lost: UnseenThings = { programs: [], hosts: [], streams: [] }
    const gained: LiveEvent[] = []
    for (const key of keys) {
      const shown = this.#shown.get(key)
      if (shown === undefined) continue
      const { isSeen: wasSeen, isOutdated } = shown
      const event = this.#look(key)
      shown.isOutdated = false
      if (event !== null && (isOutdated || !wasSeen)) gained.push(event)
      else if (!shown.isSeen && wasSeen) addTo(lost, shown.watched)
    }
    if (Object.values(lost).some((things) => things.length > 0)) {
      this.#send({ event: 'unseen', data: lost })
    }
    for (const event of gained) this.#send(event)
  }

  #sendBeat(): void {
    this.#beats++
    this.#send({ event: 'beat', data: { atMs: this.#ctx.clock() } })
    if (this.#isCheckDue || this.#beats % TOKEN_CHECK_BEATS === 0) void this.checkSession()
  }

  #send(event: LiveEvent): void {
    this.#write(frameOf(event))
  }

  #write(text: string): void {
    if (!this.#isOpen || text === '') return
    this.#response.write(text)
    if (this.#response.writableLength > MAX_WAITING_BYTES + 2 * this.#setBytes) {
      this.#ctx.log.info(
        { userId: this.#actor.id },
        'a live client does not keep up and is cut off',
      )
      this.#response.destroy()
      this.close()
    }
  }
}

function addTo(lost: UnseenThings, watched: Watched): void {
  switch (watched.of) {
    case 'program':
      lost.programs.push({ kind: watched.kind, id: watched.id })
      return
    case 'host':
      lost.hosts.push({ kind: watched.kind, id: watched.id })
      return
    case 'stream':
      lost.streams.push({ serverId: watched.serverId, streamName: watched.streamName })
      return
    // It is withdrawn together with its program.
    case 'transport':
    case 'counts':
    case 'alarms':
    case 'air':
      return
  }
}

/** What a person may see depends on these alone. */
function seesAlike(a: Actor, b: Actor): boolean {
  return a.role === b.role && a.groupIds.join(' ') === b.groupIds.join(' ')
}

/** An event goes to every browser that may see it: it is serialised once. */
const frames = new WeakMap<object, string>()

/** One Server-Sent Event. JSON has no raw line break, so one data line is enough. */
function frameOf(event: LiveEvent): string {
  const known = frames.get(event.data)
  if (known !== undefined) return known
  const frame = `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  frames.set(event.data, frame)
  return frame
}
