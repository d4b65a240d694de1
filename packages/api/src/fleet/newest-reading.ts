/**
 * What is held in memory of something that changes elsewhere, read again whenever somebody says that
 * it did. One reading after the other: a slow older one must not overwrite a newer one. Those who
 * say so while one waits to begin share it, since it will find what they mean.
 */
export class NewestReading {
  readonly #read: () => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | null = null

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Resolves when a reading that began from now on is applied. Throws what that one throws. */
  async again(): Promise<void> {
    if (this.#waiting !== null) return this.#waiting
    const reading = this.#running.then(async () => {
      this.#waiting = null
      await this.#read()
    })
    this.#waiting = reading
    this.#running = reading.catch(() => undefined)
    return reading
  }
}
