/** One browser on the live stream: its scope, its snapshot, and what is new since. */
import type { ServerResponse } from 'node:http'
import { LIVE_BEAT_MS, type LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import type { Context } from '../context.ts'
import { AppError, REVOKED } from '../errors.ts'
import type { Notice, ObjectNotice } from '../notices.ts'
import type { Actor } from '../security/actor.ts'
import { forRole, type BoardEvent } from './board.ts'
import { maySeeHost, maySeeNotice, maySeeProgram, maySeeStream } from './scope.rules.ts'
import { changeOfSight, sightOf, type Sight } from './sight.ts'
import { frameOf } from './sse-frame.ts'

/** Beyond this a client does not read what it is sent: it is cut off and asks anew when it is back. */
const MAX_WAITING_BYTES = 1024 * 1024
/** Changes of scope come in bursts; they are looked at together. */
const RESCOPE_MS = 50
/** How often the token itself is looked at again, in beats: it may expire while nothing is told. */
const TOKEN_CHECK_BEATS = 12

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
  #sight: Sight = sightOf({ atMs: 0, programs: [], hosts: [], streams: [] })
  #snapshotBytes = 0
  #beats = 0
  #rescopeTimer: NodeJS.Timeout | undefined
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
      this.#ctx.board.listen((event) => this.#told(event)),
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
    this.#sight = sightOf(snapshot)
    const frame = frameOf({ event: 'snapshot', data: snapshot })
    // Set before the write: a large snapshot must not exceed its own allowance.
    this.#snapshotBytes = frame.length
    this.#write(frame)
  }

  #told(event: BoardEvent): void {
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
        this.#rescopeSoon()
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
    return isAssigned || this.#sight.hosts.has(notice.id)
  }

  /**
   * Only a revoked session is told 'gone', whoever revoked it. One whose token is too old just ends: the browser comes
   * back with its newer token by itself.
   */
  async #checkSession(): Promise<void> {
    try {
      this.#actor = await this.#readActor()
      this.#rescopeSoon()
    } catch (error) {
      const isRevoked = error instanceof AppError && error.message === REVOKED
      if (isRevoked) this.#send({ event: 'gone', data: { error: REVOKED } })
      this.close()
    }
  }

  #rescopeSoon(): void {
    this.#rescopeTimer ??= setTimeout(() => {
      this.#rescopeTimer = undefined
      this.#rescope()
    }, RESCOPE_MS)
  }

  /** What is out of sight is forgotten by a new snapshot; what came into sight is simply told. */
  #rescope(): void {
    if (!this.#isOpen) return
    const snapshot = this.#ctx.board.snapshot(this.#actor)
    const { lost, gained, turned } = changeOfSight(this.#sight, snapshot)
    // An editor who was given an encoder, or lost one, heard nothing of the change itself.
    for (const { kind, id } of turned) {
      this.#send({ event: 'object', data: { kind, id, change: 'changed' } })
    }
    if (lost) return this.#sendSnapshot()
    for (const event of gained) this.#send(event)
    this.#sight = sightOf(snapshot)
  }

  #beat(): void {
    this.#beats++
    this.#send({ event: 'beat', data: { atMs: this.#ctx.clock() } })
    if (this.#beats % TOKEN_CHECK_BEATS === 0) void this.#checkSession()
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
