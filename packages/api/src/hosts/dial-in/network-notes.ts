/**
 * Keeps where hosts connect from. Thousands come at once after an outage: what is new of them is written a few dozen
 * at a time, for each commit waits for the disk.
 */
import type { Context } from '../../context.ts'
import { networkOf } from '../../security/network.rules.ts'
import * as hostIdentityService from '../certificates/host-identity.service.ts'
import { addressText, type HostAddress } from '../host-address.ts'

/** Of a host that changes its network again and again, such as one whose identity was copied. */
const PAUSE_OF_HOST_MS = 60_000
const PAUSE_MS = 100
/** While the database does not take them. */
const RETRY_MS = 2000
const WRITTEN_AT_ONCE = 32

export class NetworkNotes implements Disposable {
  readonly #ctx: Context
  readonly #notedAtMs = new Map<string, number>()
  /** By address, in the order in which they came. */
  readonly #waiting = new Map<string, hostIdentityService.NetworkNote>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** What was not written is noted at the next link. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  note(address: HostAddress, ip: string): void {
    const [network, at] = [networkOf(ip), addressText(address)]
    if (this.#waiting.has(at)) {
      this.#waiting.set(at, { address, network })
      return
    }
    const isKnown = this.#ctx.hosts.identities.find(address)?.connectsFrom === network
    const sinceMs = performance.now() - (this.#notedAtMs.get(at) ?? -Infinity)
    if (isKnown || sinceMs < PAUSE_OF_HOST_MS) return
    this.#notedAtMs.set(at, performance.now())
    this.#waiting.set(at, { address, network })
    this.#timer ??= setTimeout(() => void this.#write(), PAUSE_MS)
  }

  async #write(): Promise<void> {
    const { hosts, log } = this.#ctx
    const batch = [...this.#waiting].slice(0, WRITTEN_AT_ONCE)
    for (const [at] of batch) this.#waiting.delete(at)
    let pauseMs = PAUSE_MS
    try {
      const notes = batch.map(([, note]) => note)
      // A host that another API process has linked since is noted by that one.
      const own = notes.filter(({ address }) => hosts.isOwn(address))
      await hostIdentityService.noteNetworks(this.#ctx, own)
    } catch (error) {
      log.warn({ err: error }, 'From where hosts connect could not be kept yet; it is tried again.')
      this.#putBack(batch)
      pauseMs = RETRY_MS
    }
    const isOver = this.#isClosed || this.#waiting.size === 0
    this.#timer = isOver ? undefined : setTimeout(() => void this.#write(), pauseMs)
  }

  /** What came meanwhile of the same host is newer. */
  #putBack(batch: readonly [string, hostIdentityService.NetworkNote][]): void {
    for (const [at, note] of batch) {
      if (!this.#waiting.has(at)) this.#waiting.set(at, note)
    }
  }
}
