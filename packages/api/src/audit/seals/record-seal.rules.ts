/**
 * Seals of the record of activity. Each is made of the lines of a stretch and of the seal before it,
 * with a key from the secret file: whoever may write to the database, and has no secret file, cannot
 * change, add or remove a line of it unnoticed.
 */
import { createHash, createHmac } from 'node:crypto'
import { eachInSlices } from '../../in-slices.ts'

export interface RecordSeal {
  /** ISO with milliseconds; the lines from this moment on. */
  from: string
  /** And before that one. */
  to: string
  lines: number
  /** The digest of the seal before it; '' of the first. */
  previous: string
  digest: string
}

/** What was counted and hashed of a stretch as it is now. */
export interface StretchContent {
  lines: number
  hash: string
}

/** Its meaning: a column more in a line is a new format. */
const FORMAT = 'record seal 1'
const SEALED = [
  'id',
  'at',
  'actor_id',
  'actor_name',
  'token',
  'role',
  'ip',
  'call',
  'object_kind',
  'object_id',
  'object_title',
  'result',
  'reason',
  'before',
  'after',
] as const

/** A line as it is stored. */
export type SealedLine = Readonly<Record<(typeof SEALED)[number], string | null>>

/** Takes lines in any order: each database has an order of its own for texts. */
export class StretchHash {
  /** By their first characters: a day of a busy site is not sorted in one piece of work. */
  readonly #hashes = new Map<string, string[]>()

  add(line: SealedLine): void {
    const text = JSON.stringify(SEALED.map((column) => line[column]))
    const hash = createHash('sha256').update(text).digest('base64url')
    const beginning = hash.slice(0, 2)
    const alike = this.#hashes.get(beginning)
    if (alike === undefined) this.#hashes.set(beginning, [hash])
    else alike.push(hash)
  }

  /** Others have their turn between. */
  async content(): Promise<StretchContent> {
    const hash = createHash('sha256')
    let lines = 0
    await eachInSlices([...this.#hashes.keys()].toSorted(byCode), (beginning) => {
      const alike = this.#hashes.get(beginning) ?? []
      for (const each of alike.toSorted(byCode)) hash.update(each)
      lines += alike.length
    })
    return { lines, hash: hash.digest('base64url') }
  }
}

function byCode(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function digestOf(
  key: Buffer,
  { from, to, previous }: Pick<RecordSeal, 'from' | 'to' | 'previous'>,
  { lines, hash }: StretchContent,
): string {
  const text = JSON.stringify([FORMAT, from, to, lines, hash, previous])
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** What is wrong with this seal behind that one, in a sentence; null when nothing is. */
export function faultOf(
  key: Buffer,
  seal: RecordSeal,
  before: RecordSeal | null,
  content: StretchContent,
): string | null {
  const stretch = `from ${seal.from} to ${seal.to}`
  if (before !== null && (seal.from !== before.to || seal.previous !== before.digest)) {
    return `Seals were removed or changed between ${before.to} and ${seal.from}.`
  }
  if (digestOf(key, seal, content) === seal.digest) return null
  return seal.lines === content.lines
    ? `A line ${stretch} was changed, or the seal of it.`
    : `There were ${seal.lines} lines ${stretch} when they were sealed, and there are ${content.lines}.`
}
