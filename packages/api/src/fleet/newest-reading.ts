/**
 * What is held in memory of something that changes elsewhere, read again whenever somebody says that
 * it did. One reading after the other: a slow older one must not overwrite a newer one. Those who
 * say so while one waits to begin share it, since it will find what they mean.
 */
export class NewestReading {
  readonly #read: (ids: 'all' | readonly string[]) => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #waiting: { ids: Set<string>; reading: Promise<void> } | null = null

  constructor(read: (ids: 'all' | readonly string[]) => Promise<void>) {
    this.#read = read
  }

  /**
   * Resolves when a reading that began from now on is applied. Throws what that one throws.
   * @param id of what has changed; '' when it may be anything
   */
  async again(id: string): Promise<void> {
    if (this.#waiting !== null) {
      this.#waiting.ids.add(id)
      return this.#waiting.reading
    }
    const ids = new Set([id])
    const reading = this.#running.then(async () => {
      this.#waiting = null
      await this.#read(ids.has('') ? 'all' : [...ids])
    })
    this.#waiting = { ids, reading }
    this.#running = reading.catch(() => undefined)
    return reading
  }
}
