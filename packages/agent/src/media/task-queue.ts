/** One task after the other, in the order in which they came; a failed one does not hold up the next. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve()

  async add<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.#last
  }
}
