/** One task after the other, in the order in which they came; a failed one does not hold up the next. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve()

  async add<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

/** A queue for each key, as long as there is something to do. */
export class TaskQueues {
  readonly #queues = new Map<string, { queue: TaskQueue; open: number }>()

  async add<T>(key: string, task: () => Promise<T>): Promise<T> {
    const place = this.#queues.get(key) ?? { queue: new TaskQueue(), open: 0 }
    this.#queues.set(key, place)
    place.open += 1
    try {
      return await place.queue.add(task)
    } finally {
      place.open -= 1
      if (place.open === 0) this.#queues.delete(key)
    }
  }

  /** Whether there is something to do. */
  has(key: string): boolean {
    return this.#queues.has(key)
  }

  /** Those with something to do. */
  keys(): string[] {
    return [...this.#queues.keys()]
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(async ({ queue }) => queue.add(nothing)))
  }
}

async function nothing(): Promise<void> {}
