/**
 * Keeps where hosts connect from. Thousands come at once after an outage: what is new of them is written a few dozen
 * at a time, for each commit waits for the disk.
 */
import type { Context } from '../../context.ts'
import * as hostIdentityService from '../certificates/host-identity.service.ts'
import { networkOf } from '../../security/network.rules.ts'
import { addressText, type HostAddress } from '../host-address.ts'

/** Of a host that changes its network again and again, such as one whose identity was copied. */
const PAUSE_OF_HOST_MS = 60_000
const PAUSE_MS = 100
const WRITTEN_AT_ONCE = 32

export class NetworkNotes implements Disposable {
  readonly #ctx: Context
  readonly #notedAtMs = new Map<string, number>()
  #waiting: hostIdentityService.NetworkNote[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** What was not written is noted at the next link. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  note(address: HostAddress, ip: string): void {
    const [network, at] = [networkOf(ip), addressText(address)]
    const isKnown = this.#ctx.hosts.identities.find(address)?.connectsFrom === network
    const sinceMs = performance.now() - (this.#notedAtMs.get(at) ?? -Infinity)
    if (isKnown || sinceMs < PAUSE_OF_HOST_MS) return
    this.#notedAtMs.set(at, performance.now())
    this.#waiting.push({ address, network })
    this.#timer ??= setTimeout(() => void this.#write(), PAUSE_MS)
  }

  async #write(): Promise<void> {
    const { log } = this.#ctx
    try {
      await hostIdentityService.noteNetworks(this.#ctx, this.#waiting.splice(0, WRITTEN_AT_ONCE))
    } catch (error) {
      log.warn({ err: error }, 'From where a host connects could not be kept.')
    }
    this.#timer =
      this.#waiting.length > 0 ? setTimeout(() => void this.#write(), PAUSE_MS) : undefined
  }
}
