/**
 * A disk that loses its power: what was synced is there; of what was written since then each write is there as a whole,
 * in some of its sectors, or not at all. Pure, so that each of these is shown by a test.
 */
import type { FileStep } from './write-trace.ts'

/** What a disk writes as a whole or not at all; the smallest there is. */
const SECTOR_BYTES = 512

export class PowerCutDisk {
  readonly #synced: Map<string, Buffer>
  /** Since the last sync of each file. */
  readonly #pending = new Map<string, FileStep[]>()
  readonly #obeysSync: boolean

  /** `files`: what is synced before the first step. `obeysSync` false: of a disk that only says so. */
  constructor(files: ReadonlyMap<string, Buffer>, obeysSync: boolean) {
    this.#synced = new Map(files)
    this.#obeysSync = obeysSync
  }

  take(step: FileStep): void {
    const pending = this.#pending.get(step.file) ?? []
    this.#pending.set(step.file, pending)
    if (step.kind !== 'sync') {
      pending.push(step)
      return
    }
    if (!this.#obeysSync) return
    const bytes = new GrowingBytes(this.#synced.get(step.file) ?? Buffer.alloc(0))
    for (const done of pending.splice(0)) carryOut(bytes, done)
    this.#synced.set(step.file, bytes.whole())
  }

  /** Steps that a loss of power may undo. */
  get unsynced(): number {
    return [...this.#pending.values()].reduce((sum, steps) => sum + steps.length, 0)
  }

  /** What each file holds when the power is back. `random`: 0 to 1. */
  afterCut(random: () => number): Map<string, Buffer> {
    const left = new Map(this.#synced)
    for (const [file, steps] of this.#pending) {
      const bytes = new GrowingBytes(left.get(file) ?? Buffer.alloc(0))
      // Some losses keep most, some nearly nothing.
      const kept = random()
      for (const step of steps) {
        const chance = random()
        if (chance < kept) carryOut(bytes, step)
        else if (step.kind === 'write' && chance > (1 + kept) / 2) tear(bytes, step, random)
      }
      left.set(file, bytes.whole())
    }
    return left
  }
}

function carryOut(bytes: GrowingBytes, step: FileStep): void {
  if (step.kind === 'write') bytes.write(step.bytes, step.offset)
  if (step.kind === 'cut') bytes.cut(step.size)
}

/** Sectors are those of the disk, not of the write. */
function tear(bytes: GrowingBytes, step: FileStep & { kind: 'write' }, random: () => number): void {
  let at = 0
  while (at < step.bytes.length) {
    const inSector = (step.offset + at) % SECTOR_BYTES
    const end = Math.min(step.bytes.length, at + SECTOR_BYTES - inSector)
    if (random() < 0.5) bytes.write(step.bytes.subarray(at, end), step.offset + at)
    at = end
  }
}

/** A file: written behind its end, what lies between reads as zeros. */
class GrowingBytes {
  #bytes: Buffer
  #size: number

  constructor(bytes: Buffer) {
    this.#bytes = Buffer.from(bytes)
    this.#size = bytes.length
  }

  write(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.length
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#bytes.length))
      this.#bytes.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, offset)
    this.#size = Math.max(this.#size, end)
  }

  cut(size: number): void {
    if (size > this.#size) this.write(Buffer.alloc(size - this.#size), this.#size)
    this.#bytes.fill(0, size)
    this.#size = size
  }

  whole(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#size))
  }
}
