/** Long work in our own thread, in slices, so that other calls have their turn in between. */

/** A call that waits for a few slices is still answered at once. */
const SLICE_MS = 2

/** Lets whatever else has come have its turn. */
export async function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
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
