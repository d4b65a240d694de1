/** Items kept in order while they come and go: in chunks, so that a change moves a few hundred and not all. */
const CHUNK_ITEMS = 256

export class SortedItems<T> {
  readonly #compare: (a: T, b: T) => number
  /** None is empty. */
  readonly #chunks: T[][] = []
  #size = 0

  /** `compare` answers 0 for an item and itself only. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  add(item: T): void {
    const at = Math.max(0, this.#chunkOf(item))
    const chunk = this.#chunks[at]
    this.#size += 1
    if (chunk === undefined) {
      this.#chunks.push([item])
      return
    }
    chunk.splice(this.#placeIn(chunk, item), 0, item)
    if (chunk.length > 2 * CHUNK_ITEMS) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_ITEMS))
  }

  /** Does nothing for an item that is not there. */
  remove(item: T): void {
    const at = this.#chunkOf(item)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const place = this.#placeIn(chunk, item)
    const found = chunk[place]
    if (found === undefined || this.#compare(found, item) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    this.#size -= 1
  }

  /** At most `count` of them, from the one at `offset`. */
  slice(offset: number, count: number): T[] {
    const found: T[] = []
    let skip = offset
    for (const chunk of this.#chunks) {
      if (found.length >= count) break
      if (skip >= chunk.length) {
        skip -= chunk.length
        continue
      }
      for (const item of chunk.slice(skip, skip + count - found.length)) found.push(item)
      skip = 0
    }
    return found
  }

  /** The last chunk that does not begin behind the item; -1 when all of them do. */
  #chunkOf(item: T): number {
    return firstBehind(this.#chunks, (chunk) => this.#isBehind(chunk[0], item)) - 1
  }

  /** Where the item stands, or would stand. */
  #placeIn(chunk: readonly T[], item: T): number {
    return firstBehind(chunk, (other) => this.#compare(other, item) >= 0)
  }

  #isBehind(first: T | undefined, item: T): boolean {
    return first !== undefined && this.#compare(first, item) > 0
  }
}

/** The index of the first for which `isBehind` holds, which holds for all after it. */
function firstBehind<T>(items: readonly T[], isBehind: (item: T) => boolean): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isBehind(items[middle] as T)) to = middle
    else from = middle + 1
  }
  return from
}
