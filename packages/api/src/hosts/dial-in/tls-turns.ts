/**
 * Sets up TLS for a few connections at a time. Each takes about half a millisecond of the processor when it begins and
 * another half when its peer answers, and peers may answer all at once: so few begin at a time, and few are under way.
 */
import type { Socket } from 'node:net'
import { WaitingLine, type LineLimits, type Peer } from './waiting-line.ts'

export interface TurnLimits extends LineLimits {
  /** Begun every 10 ms. */
  atOnce: number
  /** Begun at once after the event loop was late. */
  atOnceLate: number
  /** Begun and not ended. */
  underWay: number
  /** How long one may take while others wait. */
  patienceMs: number
}

const PAUSE_MS = 10

export class TlsTurns {
  readonly #setUp: (socket: Socket) => void
  readonly #limits: TurnLimits
  /** Since when; Infinity once it has answered. */
  readonly #underWay = new Map<Socket, number>()
  readonly #line: WaitingLine
  #timer: NodeJS.Timeout | undefined
  #lastTurnAtMs = -Infinity

  constructor(setUp: (socket: Socket) => void, limits: TurnLimits) {
    this.#setUp = setUp
    this.#limits = limits
    this.#line = new WaitingLine(limits)
  }

  /** Its turn comes at once while few are under way. */
  add(peer: Peer): void {
    const { socket } = peer
    // Until TLS takes it over, nobody else hears how it ends.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#underWay.delete(socket))
    this.#line.add(peer)
    if (this.#timer === undefined) this.#next()
  }

  /** TLS is set up: what is left to do for it is ours, and does not count as its time. */
  answered(socket: Socket): void {
    if (this.#underWay.has(socket)) this.#underWay.set(socket, Infinity)
  }

  /** All is done for it. */
  end(socket: Socket): void {
    this.#underWay.delete(socket)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#line.close()
  }

  #next(): void {
    const wereWaiting = this.#line.size > 0
    if (wereWaiting) this.#closeSlow()
    for (let left = this.#countOfTurn(); left > 0; left -= 1) {
      const socket = this.#line.take()
      if (socket === null) break
      this.#underWay.set(socket, performance.now())
      this.#setUp(socket)
    }
    this.#timer = wereWaiting ? setTimeout(() => this.#next(), PAUSE_MS) : undefined
  }

  /** A busy event loop makes turns fewer: then more begin in each, or those that wait would wait for the clock. */
  #countOfTurn(): number {
    const { atOnce, atOnceLate, underWay } = this.#limits
    const nowMs = performance.now()
    const pauses = (nowMs - this.#lastTurnAtMs) / PAUSE_MS
    this.#lastTurnAtMs = nowMs
    const due = this.#timer === undefined ? atOnce : Math.max(atOnce, Math.round(atOnce * pauses))
    return Math.min(due, atOnceLate, underWay - this.#underWay.size)
  }

  #closeSlow(): void {
    const beganBeforeMs = performance.now() - this.#limits.patienceMs
    for (const [socket, sinceMs] of this.#underWay) {
      if (sinceMs > beganBeforeMs) continue
      this.#underWay.delete(socket)
      socket.destroy()
    }
  }
}
