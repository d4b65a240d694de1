/**
 * Whose turn it is on the connections to PostgreSQL, in the order of asking. pg's pool refuses those
 * that wait for a connection as it refuses those that the server does not answer; so it never gets
 * more callers than it has connections, and who waits for others is not told that the server is away.
 */
import { DatabaseBusy } from '../faults.ts'

interface Waiting {
  begin: () => void
  refuse: (error: unknown) => void
}

export class ConnectionTurns {
  readonly #limitMs: number
  /** In the order of asking. */
  readonly #waiting = new Set<Waiting>()
  #free: number

  /** `limitMs`: how long a turn is waited for. */
  constructor(connections: number, limitMs: number) {
    this.#free = connections
    this.#limitMs = limitMs
  }

  /** Resolves when a connection may be used, until `end`. Throws DatabaseBusy. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { begin: resolve, refuse: reject }
    this.#waiting.add(waiting)
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting)
      reject(new DatabaseBusy(this.#limitMs))
    }, this.#limitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  end(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next.begin()
  }

  /** For all that wait: the server cannot be reached, and they would find out one after the other. */
  refuseWaiting(error: unknown): void {
    for (const { refuse } of this.#waiting) refuse(error)
    this.#waiting.clear()
  }
}
