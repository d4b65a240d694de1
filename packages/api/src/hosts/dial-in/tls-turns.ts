/**
 * Sets up TLS for a few connections at a time. Each takes about a millisecond of the processor when it begins and
 * another when its peer answers, and peers may answer all at once: so few begin at a time, and few are under way.
 */
import type { Socket } from 'node:net'

export interface TurnLimits {
  /** Begun every 10 ms. */
  atOnce: number
  /** Begun and not ended. */
  underWay: number
  /** How long one may take while others wait. */
  patienceMs: number
}

const PAUSE_MS = 10

export class TlsTurns {
  readonly #setUp: (socket: Socket) => void
  readonly #limits: TurnLimits
  /** Since when, in that order. */
  readonly #underWay = new Map<Socket, number>()
  #waiting: Socket[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(setUp: (socket: Socket) => void, limits: TurnLimits) {
    this.#setUp = setUp
    this.#limits = limits
  }

  /** Its turn comes at once while few are under way. */
  add(socket: Socket): void {
    // Until TLS takes it over, nobody else hears how it ends.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#underWay.delete(socket))
    this.#waiting.push(socket)
    if (this.#timer === undefined) this.#next()
  }

  /** TLS is set up, or has failed. */
  end(socket: Socket): void {
    this.#underWay.delete(socket)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #next(): void {
    const { atOnce, underWay } = this.#limits
    const open = this.#waiting.filter((socket) => !socket.destroyed)
    if (open.length > 0) this.#closeSlow()
    const free = Math.max(0, Math.min(atOnce, underWay - this.#underWay.size))
    this.#waiting = open.slice(free)
    for (const socket of open.slice(0, free)) {
      this.#underWay.set(socket, performance.now())
      this.#setUp(socket)
    }
    this.#timer = open.length === 0 ? undefined : setTimeout(() => this.#next(), PAUSE_MS)
  }

  #closeSlow(): void {
    const beganBeforeMs = performance.now() - this.#limits.patienceMs
    for (const [socket, sinceMs] of this.#underWay) {
      if (sinceMs > beganBeforeMs) return
      this.#underWay.delete(socket)
      socket.destroy()
    }
  }
}
