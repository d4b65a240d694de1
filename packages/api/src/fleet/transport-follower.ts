/**
 * Transport streams that a browser shows: their hosts are asked again and again to measure them
 * without gaps, and the reports are sent to those browsers only.
 */
import type { TransportStatus } from '@trunkline/contract/fleet/fleet.schema'
import { transportKey } from '@trunkline/contract/fleet/watch-key.rules'
import { watchedOf } from '@trunkline/contract/fleet/watch-key.schema'
import type { Context } from '../context.ts'
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { programIdOf, type KnownProgram } from '../programs/wanted-program.ts'
import type { ThingEvent } from './board.ts'

export interface FollowPace {
  /** How often a host is asked again, and for how long it then measures. */
  againMs: number
  forMs: number
}
const PACE: FollowPace = { againMs: 10_000, forMs: 25_000 }
/** Of one call; nobody opens more rows of one host. */
const MAX_PROGRAMS = 100

type Send = (key: string, event: Extract<ThingEvent, { event: 'transport' }>) => void

export class TransportFollower {
  readonly #ctx: Context
  readonly #send: Send
  readonly #pace: FollowPace
  readonly #shown = new Map<string, string>()
  #stopHearing: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Context, send: Send, pace: FollowPace = PACE) {
    this.#ctx = ctx
    this.#send = send
    this.#pace = pace
  }

  close(): void {
    this.#shown.clear()
    this.#stop()
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
    this.#timer ??= setInterval(() => this.#ask([...this.#shown.values()]), this.#pace.againMs)
    this.#ask([programId])
  }

  /** The host stops by itself when it is not asked again. */
  hide(key: string): void {
    this.#shown.delete(key)
    if (this.#shown.size === 0) this.#stop()
  }

  #stop(): void {
    this.#stopHearing?.()
    this.#stopHearing = undefined
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

export function transportOf(hosts: Hosts, wanted: KnownProgram): TransportStatus {
  return { kind: wanted.kind, id: wanted.id, report: hosts.transport(wanted) }
}
