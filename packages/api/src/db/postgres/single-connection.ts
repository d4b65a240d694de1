/**
 * One connection to PostgreSQL for what must not wait behind other work, and whose silence must be
 * noticed: after a failure the next use opens another.
 */
import type { Connection } from '../open.ts'
import { openPostgres } from './postgres.ts'

export class SingleConnection implements AsyncDisposable {
  readonly #url: string
  readonly #answerMs: number
  #db: Connection | null = null

  /** `answerMs`: how long the server may take for an answer. */
  constructor(url: string, answerMs: number) {
    this.#url = url
    this.#answerMs = answerMs
  }

  /** Throws DatabaseAway, or what `work` throws. */
  async use<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    const db = (this.#db ??= openPostgres(this.#url, { connections: 1, answerMs: this.#answerMs }))
    try {
      return await work(db)
    } catch (error) {
      // It may be half open: nothing more is expected from it, not even an orderly end.
      if (this.#db === db) this.#db = null
      void db.destroy().catch(() => undefined)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db?.destroy()
    this.#db = null
  }
}
