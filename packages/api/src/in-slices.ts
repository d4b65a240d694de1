/** Long work in our own thread, in slices, so that other calls have their turn in between. */

/** A call that waits for a few slices is still answered at once. */
const SLICE_MS = 1

/** Of what comes from outside, which is handled before long work goes on. */
const TASKS_MS = 4

/** A list that is read part by part, so that it is never held as a whole. */
export type InParts<T> = AsyncIterable<readonly T[]>

/** A reply, of which each list may come in parts. */
export type WithParts<Reply> = Reply extends object
  ? {
      [Name in keyof Reply]: Reply[Name] extends readonly (infer Row)[]
        ? Reply[Name] | InParts<Row>
        : WithParts<Reply[Name]>
    }
  : Reply

/** Long work that waits for its next slice, in order. */
const waiting: (() => void)[] = []

/**
 * Lets whatever else has come have its turn. Of all long work one slice is done in a turn: when many
 * hosts are lost at once, the slices of all of them together would block for long.
 */
export async function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(nextSlice)
  })
}

function nextSlice(): void {
  const resolve = waiting.shift()
  if (waiting.length > 0) setImmediate(nextSlice)
  resolve?.()
}

/** So many rows make a part, of which each is read or computed at once. */
export const PART_ROWS = 25

/**
 * Rows of a table that may be as long as the site is large. `read` answers the first `limit` rows
 * behind this id, in order of their ids; '' stands for the beginning. Others have their turn between.
 */
export async function* inPartsById<T extends { id: string }>(
  read: (behindId: string, limit: number) => Promise<readonly T[]>,
  limit = PART_ROWS,
): InParts<T> {
  let behindId = ''
  for (;;) {
    const rows = await read(behindId, limit)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    behindId = last.id
    await giveWay()
  }
}

/** `map` of each row, in order, when its part is asked for. */
export async function* mapInParts<T, R>(rows: readonly T[], map: (row: T) => R): InParts<R> {
  for (let from = 0; from < rows.length; from += PART_ROWS) {
    yield await mapInSlices(rows.slice(from, from + PART_ROWS), map)
  }
}

/** `act` with each row, in order; others have their turn after each part. A short list is done at once. */
export async function eachInParts<T>(rows: readonly T[], act: (row: T) => unknown): Promise<void> {
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % PART_ROWS === 0) await giveWay()
    act(row)
  }
}

/** A list in parts of that size; others have their turn between them. Throws between them once `ending` is aborted. */
export async function* partsOf<T>(
  rows: readonly T[],
  size: number,
  ending: AbortSignal,
): InParts<T> {
  for (let from = 0; from < rows.length; from += size) {
    if (from > 0) await giveWay()
    ending.throwIfAborted()
    yield rows.slice(from, from + size)
  }
}

/** `map` of each row, in order. Throws between two slices once `ending` is aborted. */
export async function mapInSlices<T, R>(
  rows: readonly T[],
  map: (row: T) => R,
  ending?: AbortSignal,
): Promise<R[]> {
  const mapped: R[] = []
  await eachInSlices(rows, (row) => mapped.push(map(row)), ending)
  return mapped
}

/**
 * Short tasks, in the order in which they come. Each is done at once; where many come in one turn of
 * the event loop, such as the loss of a thousand hosts, some milliseconds of them are done in each turn.
 */
export class TasksInSlices implements Disposable {
  readonly #waiting = new Set<() => void>()
  #nextTurn: NodeJS.Immediate | undefined
  /** When the slice of this turn ends, of performance.now(). */
  #untilMs = 0
  #isActing = false

  add(task: () => void): void {
    this.#waiting.add(task)
    if (this.#nextTurn === undefined) this.#beginSlice()
    this.#act()
  }

  /** What still waits is dropped. */
  [Symbol.dispose](): void {
    clearImmediate(this.#nextTurn)
    this.#waiting.clear()
  }

  #beginSlice(): void {
    this.#untilMs = performance.now() + TASKS_MS
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined
      if (this.#waiting.size === 0) return
      this.#beginSlice()
      this.#act()
    })
  }

  #act(): void {
    // What a task adds is done after it.
    if (this.#isActing) return
    this.#isActing = true
    try {
      for (const task of this.#waiting) {
        if (performance.now() >= this.#untilMs) return
        this.#waiting.delete(task)
        task()
      }
    } finally {
      this.#isActing = false
    }
  }
}

/**
 * `act` with each row, in order. The first slice is done at once. Throws between two slices once `ending`
 * is aborted.
 */
export async function eachInSlices<T>(
  rows: Iterable<T>,
  act: (row: T) => unknown,
  ending?: AbortSignal,
): Promise<void> {
  let startedAt = performance.now()
  for (const row of rows) {
    act(row)
    if (performance.now() - startedAt < SLICE_MS) continue
    await giveWay()
    ending?.throwIfAborted()
    startedAt = performance.now()
  }
}
