/**
 * Connections that have begun TLS and wait for their turn. Whoever leaves meanwhile takes nobody's turn; a host that
 * left because its agent waits no longer, and comes back, has its place again. Each hears that it is waited for: TLS
 * ignores a warning before the server's first message, of which a byte is sent from time to time.
 */
import type { Socket } from 'node:net'

export interface LineLimits {
  /** So often each hears something; null: never. */
  signEveryMs: number | null
}

export interface Peer {
  socket: Socket
  /** What came of it, which TLS has not read yet. */
  heard: Buffer
  /** A host whose place is kept; null: nobody's is. */
  host: string | null
}

interface Waiting extends Peer {
  /** When its host came first. */
  sinceMs: number
  /** Those that hear something together. */
  part: Set<Waiting> | undefined
  signs: number
  isOver: boolean
  stop: () => void
}

/** A warning that nobody asked for (RFC 8446 section 6: user_canceled). */
const WARNING = Buffer.from([21, 3, 3, 0, 2, 1, 90])
/** OpenSSL takes no fifth one in a row. */
const MOST_SIGNS = 4 * WARNING.length
/** The same as an error, which ends it. */
const COME_LATER = Buffer.from([21, 3, 3, 0, 2, 2, 90])
/** A host that waits no longer comes back within seconds. */
const PLACE_KEPT_MS = 15_000
/** So many parts hear it one after another. */
const PARTS = 40

export class WaitingLine {
  readonly #limits: LineLimits
  /** Those that wait, and some that are over, in the order of their turns. */
  #order: Waiting[] = []
  #size = 0
  /** Of hosts that have left: when they came first, and until when that counts; in the order of the latter. */
  readonly #left = new Map<string, { sinceMs: number; untilMs: number }>()
  readonly #parts = Array.from({ length: PARTS }, () => new Set<Waiting>())
  #partOfNext = 0
  #partDue = 0
  #partDueAtMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  /** How many wait. */
  get size(): number {
    return this.#size
  }

  add(peer: Peer): void {
    const { socket, host } = peer
    const nowMs = performance.now()
    const sinceMs = (host === null ? undefined : this.#placeOf(host, nowMs)) ?? nowMs
    // A client has nothing to say before it is answered.
    const onReadable = () => {
      if (socket.read() !== null) socket.destroy()
    }
    const onEnd = () => socket.destroy()
    const onClose = () => this.#leave(waiting)
    const stop = () =>
      void socket.off('readable', onReadable).off('end', onEnd).off('close', onClose)
    const part = this.#parts[this.#partOfNext]
    this.#partOfNext = (this.#partOfNext + 1) % PARTS
    const waiting: Waiting = { ...peer, sinceMs, part, signs: 0, isOver: false, stop }
    part?.add(waiting)
    socket.on('readable', onReadable).on('end', onEnd).on('close', onClose)
    this.#size += 1
    const behind = this.#order.findLastIndex((other) => other.sinceMs <= sinceMs)
    this.#order.splice(behind + 1, 0, waiting)
    this.#watch()
  }

  /** The next one, as if it had just begun TLS; null: nobody waits. */
  take(): Socket | null {
    const next = this.#shift()
    if (next === undefined) return null
    this.#remove(next)
    const { socket, heard, signs, host } = next
    if (host !== null) this.#left.delete(host)
    const begun = signs % WARNING.length
    if (begun > 0) socket.write(WARNING.subarray(begun))
    socket.unshift(heard)
    return socket
  }

  close(): void {
    clearInterval(this.#timer)
    for (const { stop } of this.#order) stop()
    for (const part of this.#parts) part.clear()
    this.#order = []
    this.#size = 0
  }

  #shift(): Waiting | undefined {
    for (;;) {
      const first = this.#order.shift()
      if (first === undefined || (!first.isOver && !first.socket.destroyed)) return first
      if (!first.isOver) this.#leave(first)
    }
  }

  #placeOf(host: string, nowMs: number): number | undefined {
    const left = this.#left.get(host)
    this.#left.delete(host)
    return left !== undefined && left.untilMs > nowMs ? left.sinceMs : undefined
  }

  #leave(waiting: Waiting): void {
    this.#remove(waiting)
    const { host, sinceMs } = waiting
    if (host === null) return
    this.#left.delete(host)
    this.#left.set(host, { sinceMs, untilMs: performance.now() + PLACE_KEPT_MS })
  }

  #remove(waiting: Waiting): void {
    waiting.stop()
    waiting.isOver = true
    waiting.part?.delete(waiting)
    this.#size -= 1
    // Seldom: to take one out of the middle moves all that stand behind it.
    if (this.#order.length > this.#size * 2)
      this.#order = this.#order.filter((each) => !each.isOver)
  }

  #watch(): void {
    const { signEveryMs } = this.#limits
    if (this.#timer !== undefined || signEveryMs === null) return
    const eachMs = signEveryMs / PARTS
    this.#partDueAtMs = performance.now() + eachMs
    this.#timer = setInterval(() => this.#look(eachMs), eachMs)
    this.#timer.unref()
  }

  #look(eachMs: number): void {
    const nowMs = performance.now()
    // After a while without a turn all of them are due.
    this.#partDueAtMs = Math.max(this.#partDueAtMs, nowMs - eachMs * (PARTS - 1))
    for (; this.#partDueAtMs <= nowMs; this.#partDueAtMs += eachMs) {
      for (const waiting of this.#parts[this.#partDue] ?? []) this.#sign(waiting)
      this.#partDue = (this.#partDue + 1) % PARTS
    }
    for (const [host, { untilMs }] of this.#left) {
      if (untilMs > nowMs) break
      this.#left.delete(host)
    }
    if (this.#size > 0 || this.#left.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sign(waiting: Waiting): void {
    const { socket, signs } = waiting
    waiting.signs += 1
    if (signs < MOST_SIGNS) {
      const at = signs % WARNING.length
      socket.write(WARNING.subarray(at, at + 1))
      return
    }
    this.#leave(waiting)
    comeLater(socket)
  }
}

/** Its agent dials again after its longest pause. */
export function comeLater(socket: Socket): void {
  socket.end(COME_LATER, () => socket.destroy())
}
