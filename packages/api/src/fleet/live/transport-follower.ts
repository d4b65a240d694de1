/**
 * Transport streams that a browser shows, and those of what is on air and of all hops before it: their
 * hosts are asked again and again to measure them without gaps. Reports are sent to those browsers only
 * that show them.
 */
import type { TransportStatus } from '@trunkline/contract/fleet/fleet.schema'
import { transportKey } from '@trunkline/contract/fleet/watch-key.rules'
import { watchedOf } from '@trunkline/contract/fleet/watch-key.schema'
import type { Context } from '../../context.ts'
import { addressText, type HostAddress } from '../../hosts/host-address.ts'
import type { Hosts } from '../../hosts/hosts.ts'
import { programIdOf, type KnownProgram } from '../../programs/wanted-program.ts'
import { upstreamOf } from '../../paths/path-graph.service.ts'
import type { ThingEvent } from '../board.ts'
import type { ObjectKey } from '../object-key.ts'

export interface FollowPace {
  /** How often a host is asked again, and for how long it then measures. */
  againMs: number
  forMs: number
  /** What feeds what is on air may be another by then. */
  pathsMs: number
}
const PACE: FollowPace = { againMs: 10_000, forMs: 25_000, pathsMs: 60_000 }
/** Of one call; nobody opens more rows of one host. */
const MAX_PROGRAMS = 100

type Send = (key: string, event: Extract<ThingEvent, { event: 'transport' }>) => void

export class TransportFollower {
  readonly #ctx: Context
  readonly #send: Send
  readonly #pace: FollowPace
  readonly #shown = new Map<string, string>()
  readonly #stopMarks: () => void
  /** Programs on air, and those before them. */
  #onAir: readonly string[] = []
  #marks = ''
  #pathsAtMs = 0
  #reading: Promise<void> = Promise.resolve()
  #isClosed = false
  #stopHearing: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Context, send: Send, pace: FollowPace = PACE) {
    this.#ctx = ctx
    this.#send = send
    this.#pace = pace
    this.#stopMarks = ctx.onAir.listen(() => this.#marksChanged())
    this.#marksChanged()
  }

  close(): void {
    this.#isClosed = true
    this.#stopMarks()
    this.#shown.clear()
    this.#onAir = []
    this.#stopUnneeded()
  }

  /** Ignores keys of anything but a transport stream. */
  show(key: string): void {
    const watched = watchedOf(key)
    if (watched?.of !== 'transport') return
    const programId = programIdOf(watched.kind, watched.id)
    this.#shown.set(key, programId)
    this.#stopHearing ??= this.#ctx.hosts.listen((event) => {
      if (event.type === 'transports') this.#heard(event.programIds)
    })
    this.#askAgainLater()
    this.#ask([programId])
  }

  #askAgainLater(): void {
    this.#timer ??= setInterval(() => this.#askAgain(), this.#pace.againMs)
  }

  #askAgain(): void {
    this.#ask([
      ...new Set([...this.#shown.values(), ...this.#onAir.filter((id) => this.#isOurs(id))]),
    ])
    if (this.#onAir.length > 0 && this.#ctx.clock() - this.#pathsAtMs >= this.#pace.pathsMs) {
      this.#readPaths()
    }
  }

  /** Of several API processes the one that links its host asks. */
  #isOurs(programId: string): boolean {
    const { programs, hosts } = this.#ctx
    const address = programs.wanted(programId)?.address
    return address !== undefined && hosts.isAssigned(address)
  }

  /** Other people than before may see the marks: their paths are the same. */
  #marksChanged(): void {
    const marks = [...this.#ctx.onAir.onAir().keys()].toSorted().join()
    if (marks === this.#marks) return
    this.#marks = marks
    this.#readPaths()
  }

  #readPaths(): void {
    this.#pathsAtMs = this.#ctx.clock()
    this.#reading = this.#reading.then(async () => this.#followPaths())
  }

  async #followPaths(): Promise<void> {
    const { onAir, log } = this.#ctx
    try {
      const marks = [...onAir.onAir().values()]
      const before = marks.length === 0 ? [] : [...(await upstreamOf(this.#ctx, marks)).values()]
      if (this.#isClosed) return
      const known = new Set(this.#onAir)
      this.#onAir = [...new Set([...marks, ...before.flat()].flatMap(programOf))]
      this.#ask(this.#onAir.filter((id) => !known.has(id) && this.#isOurs(id)))
    } catch (error) {
      log.warn({ err: error }, 'The paths of what is on air could not be read.')
    }
    if (this.#onAir.length > 0) this.#askAgainLater()
    this.#stopUnneeded()
  }

  /** The host stops by itself when it is not asked again. */
  hide(key: string): void {
    this.#shown.delete(key)
    this.#stopUnneeded()
  }

  /** Ends what neither a browser nor what is on air needs any more. */
  #stopUnneeded(): void {
    if (this.#shown.size > 0) return
    this.#stopHearing?.()
    this.#stopHearing = undefined
    if (this.#onAir.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #heard(programIds: readonly string[]): void {
    for (const programId of programIds) {
      const wanted = this.#ctx.programs.wanted(programId)
      if (wanted === undefined) continue
      const key = transportKey(wanted.kind, wanted.id)
      if (!this.#shown.has(key)) continue
      const data = transportOf(this.#ctx.hosts, wanted)
      this.#send(key, { event: 'transport', wanted, data })
    }
  }

  #ask(programIds: readonly string[]): void {
    const byHost = new Map<string, { address: HostAddress; programIds: string[] }>()
    for (const programId of programIds) {
      const address = this.#ctx.programs.wanted(programId)?.address
      if (address === undefined) continue
      const at = addressText(address)
      const host = byHost.get(at) ?? { address, programIds: [] }
      host.programIds.push(programId)
      byHost.set(at, host)
    }
    for (const { address, programIds: own } of byHost.values()) void this.#askHost(address, own)
  }

  /** An older agent would end the link over a call that it does not know. */
  async #askHost(address: HostAddress, programIds: readonly string[]): Promise<void> {
    const { hosts, log } = this.#ctx
    if (hosts.capabilities(address)?.checksTransports !== true) return
    const asked = { programIds: programIds.slice(0, MAX_PROGRAMS), forMs: this.#pace.forMs }
    try {
      await hosts.call(address, 'followTransports', asked)
    } catch (error) {
      // Away, or busy: it is asked again, and says what it has sampled until then.
      log.debug({ err: error, host: addressText(address) }, 'transport streams are not followed')
    }
  }
}

/** A channel runs no program that the API knows, the console none. */
function programOf({ kind, id }: ObjectKey): string[] {
  if (kind === 'server' || kind === 'channel' || kind === 'console') return []
  return [programIdOf(kind, id)]
}

export function transportOf(hosts: Hosts, wanted: KnownProgram): TransportStatus {
  return { kind: wanted.kind, id: wanted.id, report: hosts.transport(wanted) }
}
