/**
 * By the id of a program or the key of an object, which begin with its kind. One map for each kind: of a
 * large site a single one would stand still for too long whenever it grows.
 */
export class KindMap<T> {
  /** By the first letter of the kind. */
  readonly #maps = new Map<number, Map<string, T>>()

  get size(): number {
    let size = 0
    for (const map of this.#maps.values()) size += map.size
    return size
  }

  has(key: string): boolean {
    return this.#maps.get(key.charCodeAt(0))?.has(key) === true
  }

  get(key: string): T | undefined {
    return this.#maps.get(key.charCodeAt(0))?.get(key)
  }

  set(key: string, value: T): void {
    const letter = key.charCodeAt(0)
    const map = this.#maps.get(letter)
    if (map === undefined) this.#maps.set(letter, new Map([[key, value]]))
    else map.set(key, value)
  }

  delete(key: string): boolean {
    return this.#maps.get(key.charCodeAt(0))?.delete(key) === true
  }

  clear(): void {
    this.#maps.clear()
  }

  *keys(): Generator<string> {
    for (const map of this.#maps.values()) yield* map.keys()
  }

  *values(): Generator<T> {
    for (const map of this.#maps.values()) yield* map.values()
  }

  *entries(): Generator<[string, T]> {
    for (const map of this.#maps.values()) yield* map.entries()
  }
}
