/**
 * Sets up TLS for a few connections at a time: each takes about a millisecond of the processor, and a crowd of them at
 * once would hold up everybody else.
 */
import type { Socket } from 'node:net'

/** Up to 400 a second. */
const AT_ONCE = 4
const PAUSE_MS = 10

export class TlsTurns {
  readonly #setUp: (socket: Socket) => void
  #waiting: Socket[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(setUp: (socket: Socket) => void) {
    this.#setUp = setUp
  }

  /** Its turn comes at once while few are under way. */
  add(socket: Socket): void {
    // Until TLS takes it over, nobody else hears how it ends.
    socket.on('error', () => socket.destroy())
    this.#waiting.push(socket)
    if (this.#timer === undefined) this.#next()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #next(): void {
    const open = this.#waiting.filter((socket) => !socket.destroyed)
    this.#waiting = open.slice(AT_ONCE)
    for (const socket of open.slice(0, AT_ONCE)) this.#setUp(socket)
    this.#timer = open.length === 0 ? undefined : setTimeout(() => this.#next(), PAUSE_MS)
  }
}
