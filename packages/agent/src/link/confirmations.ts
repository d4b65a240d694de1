/**
 * Asks the API whether a call of its link still stands. A call can be read long after it was sent:
 * this process was stopped, the network held it back, or the program was busy with another command.
 */
import type { HostConfirmation, HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { CallExpired } from '../programs/confirm.ts'

export class Confirmations {
  readonly #send: (message: HostMessage) => void
  readonly #waiting = new Map<number, (remainingMs: number) => void>()
  #isClosed = false

  constructor(send: (message: HostMessage) => void) {
    this.#send = send
  }

  /** Throws CallExpired when the API does not wait for the call any more, or is gone. */
  async ask(id: number): Promise<void> {
    if (this.#isClosed) throw new CallExpired()
    const askedAtMs = performance.now()
    const { promise, resolve } = Promise.withResolvers<number>()
    // An id that is sent again: no reply can tell the two apart, and the earlier would wait for ever.
    this.#waiting.get(id)?.(0)
    this.#waiting.set(id, resolve)
    this.#send({ type: 'confirm', id })
    const remainingMs = await promise
    // Counted from the question on: the reply itself may have been read late.
    if (performance.now() - askedAtMs >= remainingMs) throw new CallExpired()
  }

  take({ confirmed, remainingMs }: HostConfirmation): void {
    this.#waiting.get(confirmed)?.(remainingMs)
    this.#waiting.delete(confirmed)
  }

  /** The link is closed: nobody waits for any of its calls. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    for (const resolve of this.#waiting.values()) resolve(0)
    this.#waiting.clear()
  }
}
