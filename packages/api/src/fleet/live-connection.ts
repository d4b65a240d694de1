/** One browser on the live stream: its scope, its snapshot, and what is new since. */
import type { ServerResponse } from 'node:http'
import { LIVE_BEAT_MS, type LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import type { Context } from '../context.ts'
import { AppError, REVOKED } from '../errors.ts'
import type { Notice, ObjectNotice } from '../notices.ts'
import type { Actor } from '../security/actor.ts'
import { forRole, type BoardEvent, type ScopeChange } from './board.ts'
import { maySeeHost, maySeeNotice, maySeeProgram, maySeeStream } from './scope.rules.ts'
import { VisibleSet } from './visible-set.ts'
import { frameOf } from './sse-frame.ts'

/** Beyond this a client does not read what it is sent: it is cut off and asks anew when it is back. */
const MAX_WAITING_BYTES = 1024 * 1024
/** Changes of scope come in bursts; they are looked at together. */
const RESCOPE_MS = 50
/** How often the token itself is looked at again, in beats: it may expire while nothing is told. */
const TOKEN_CHECK_BEATS = 30

const NOTHING: ScopeChange = { hosts: [], programIds: [], streams: [] }

export interface LiveConnectionOptions {
  ctx: Context
  response: ServerResponse
  actor: Actor
  /** The actor as of now; throws when the session has ended. */
  readActor: () => Promise<Actor>
}

export class LiveConnection {
  readonly #ctx: Context
  readonly #response: ServerResponse
  readonly #readActor: () => Promise<Actor>
  readonly #releases: (() => void)[] = []
  #actor: Actor
  readonly #visible = new VisibleSet()
  #snapshotBytes = 0
  #beats = 0
  /** The last look at the session failed, for no reason of the session's. */
  #isCheckDue = false
  #rescopeTimer: NodeJS.Timeout | undefined
  /** Of what sight may have changed since it was last looked at. */
  #rescoped: ScopeChange | 'all' = NOTHING
  #isOpen = true

  constructor(options: LiveConnectionOptions) {
    this.#ctx = options.ctx
    this.#response = options.response
    this.#actor = options.actor
    this.#readActor = options.readActor
  }

  /** Sends the snapshot, then everything new until either side ends. */
  open(): void {
    const beat = setInterval(() => this.#beat(), LIVE_BEAT_MS)
    this.#releases.push(
      () => clearInterval(beat),
      () => clearTimeout(this.#rescopeTimer),
      this.#ctx.board.listen((event) => this.#onBoardEvent(event)),
      this.#ctx.notices.listen((notice) => this.#noticed(notice)),
    )
    this.#response.on('close', () => this.close())
    this.#sendSnapshot()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const release of this.#releases.splice(0)) release()
    this.#response.end()
  }

  #sendSnapshot(): void {
    const snapshot = this.#ctx.board.snapshot(this.#actor)
    this.#visible.become(snapshot)
    const frame = frameOf({ event: 'snapshot', data: snapshot })
    // Set before the write: a large snapshot must not exceed its own allowance.
    this.#snapshotBytes = frame.length
    this.#write(frame)
  }

  #onBoardEvent(event: BoardEvent): void {
    const actor = this.#actor
    switch (event.event) {
      case 'program':
      case 'restart':
        if (maySeeProgram(actor, event.wanted)) this.#send(event)
        return
      case 'host':
        if (!maySeeHost(actor, event.record)) return
        this.#send({ event: 'host', data: forRole(actor, event.data) })
        return
      case 'stream':
        if (maySeeStream(actor, event.channel.groupIds)) this.#send(event)
        return
      case 'scope':
        this.#rescopeSoon(event.of)
    }
  }

  #noticed(notice: Notice): void {
    if (notice.kind === 'gone') {
      if (notice.userId === this.#actor.id) void this.#checkSession()
      return
    }
    const { kind, id, change } = notice
    if (this.#isOfInterest(notice)) this.#send({ event: 'object', data: { kind, id, change } })
    // Roles and memberships decide what is seen, the person's own and those of encoders.
    if (kind === 'user' || kind === 'group') void this.#checkSession()
  }

  #isOfInterest(notice: ObjectNotice): boolean {
    if (notice.kind !== 'encoder' || this.#actor.role !== 'editor') {
      return maySeeNotice(this.#actor, notice)
    }
    const record = this.#ctx.hosts.record('encoder', notice.id)
    const isAssigned = record?.editorIds.includes(this.#actor.id) === true
    return isAssigned || this.#visible.seesHost({ kind: 'encoder', id: notice.id })
  }

  /**
   * Only a revoked session is told 'gone', whoever revoked it. One whose token is too old just ends: the browser comes
   * back with its newer token by itself. While the database does not answer the stream goes on, and the next beat
   * asks again.
   */
  async #checkSession(): Promise<void> {
    try {
      const before = this.#actor
      this.#actor = await this.#readActor()
      this.#isCheckDue = false
      if (!seesAlike(before, this.#actor)) this.#rescopeSoon('all')
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') {
        this.#isCheckDue = true
        return
      }
      if (error.message === REVOKED) this.#send({ event: 'gone', data: { error: REVOKED } })
      this.close()
    }
  }

  #rescopeSoon(of: ScopeChange | 'all'): void {
    this.#rescoped = both(this.#rescoped, of)
    this.#rescopeTimer ??= setTimeout(() => {
      this.#rescopeTimer = undefined
      this.#rescope()
    }, RESCOPE_MS)
  }

  /** The cost follows what has changed, unless it is the person's own role or groups. */
  #rescope(): void {
    if (!this.#isOpen) return
    const of = this.#rescoped
    this.#rescoped = NOTHING
    const { board } = this.#ctx
    const seen = of === 'all' ? board.snapshot(this.#actor) : board.excerpt(this.#actor, of)
    const { lost, gained, turned } = this.#visible.change(seen, of)
    // An editor who was given an encoder, or lost one, heard nothing of the change itself.
    for (const { kind, id } of turned) {
      this.#send({ event: 'object', data: { kind, id, change: 'changed' } })
    }
    const isLost = Object.values(lost).some((things) => things.length > 0)
    if (isLost && of === 'all') return this.#sendSnapshot()
    if (isLost) this.#send({ event: 'unseen', data: lost })
    for (const event of gained) this.#send(event)
  }

  #beat(): void {
    this.#beats++
    this.#send({ event: 'beat', data: { atMs: this.#ctx.clock() } })
    if (this.#isCheckDue || this.#beats % TOKEN_CHECK_BEATS === 0) void this.#checkSession()
  }

  #send(event: LiveEvent): void {
    this.#write(frameOf(event))
  }

  #write(frame: string): void {
    if (!this.#isOpen) return
    this.#response.write(frame)
    if (this.#response.writableLength > MAX_WAITING_BYTES + 2 * this.#snapshotBytes) {
      this.#ctx.log.info(
        { userId: this.#actor.id },
        'a live client does not keep up and is cut off',
      )
      this.#response.destroy()
      this.close()
    }
  }
}

function both(a: ScopeChange | 'all', b: ScopeChange | 'all'): ScopeChange | 'all' {
  if (a === 'all' || b === 'all') return 'all'
  return {
    hosts: [...a.hosts, ...b.hosts],
    programIds: [...a.programIds, ...b.programIds],
    streams: [...a.streams, ...b.streams],
  }
}

/** What somebody may see follows from these alone. */
function seesAlike(a: Actor, b: Actor): boolean {
  return a.role === b.role && a.groupIds.join(' ') === b.groupIds.join(' ')
}
