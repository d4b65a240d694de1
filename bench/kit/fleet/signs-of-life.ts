/**
 * What thousands of agents say unasked. Each real agent has a process and a clock of its own; here they
 * share one, so they have their places in a round: a fleet that was held up must not speak at once.
 */
import { SIGN_OF_LIFE_MS } from '@trunkline/contract/agent/host-link.messages'
import type { WebSocket } from 'ws'

const PLACES = 50
const PLACE_MS = SIGN_OF_LIFE_MS / PLACES

export class SignsOfLife implements Disposable {
  readonly #places = Array.from({ length: PLACES }, () => new Set<WebSocket>())
  readonly #timer = setInterval(() => this.#next(), PLACE_MS)
  #turn = turnNow()
  #given = 0

  /** Until it is closed; while it is paused it is silent, as a host that hangs. */
  give(socket: WebSocket): void {
    const place = this.#places[this.#given++ % PLACES]
    place?.add(socket)
    socket.once('close', () => place?.delete(socket))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** By the clock: an interval of 20 ms is longer than that on the average. */
  #next(): void {
    for (const now = turnNow(); this.#turn < now; this.#turn++) {
      for (const socket of this.#places[this.#turn % PLACES] ?? []) {
        if (!socket.isPaused) socket.pong()
      }
    }
  }
}

function turnNow(): number {
  return Math.floor(performance.now() / PLACE_MS)
}
