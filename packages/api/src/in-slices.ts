/** Long work in our own thread, in slices, so that other calls have their turn in between. */

/** A call that waits for a few slices is still answered at once. */
const SLICE_MS = 1

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

/** Lets whatever else has come have its turn. */
export async function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** So many rows make a part, of which each is read or computed at once. */
export const PART_ROWS = 25

/** `map` of each row, in order, when its part is asked for. */
export async function* mapInParts<T, R>(rows: readonly T[], map: (row: T) => R): InParts<R> {
  for (let from = 0; from < rows.length; from += PART_ROWS) {
    yield await mapInSlices(rows.slice(from, from + PART_ROWS), map)
  }
}

/** `map` of each row, in order. */
export async function mapInSlices<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  const mapped: R[] = []
  let startedAt = performance.now()
  for (const row of rows) {
    mapped.push(map(row))
    if (performance.now() - startedAt < SLICE_MS) continue
    await giveWay()
    startedAt = performance.now()
  }
  return mapped
}
