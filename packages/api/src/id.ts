import { createHash, randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** 36^16 is 83 bits: nobody guesses one, and no two meet. */
const ID_CHARACTERS = 16

/** An object's id: fits a URL, a file name and a supervisord section as it is. */
export function newId(): string {
  let id = ''
  for (let at = 0; at < ID_CHARACTERS; at++) id += ALPHABET[randomInt(ALPHABET.length)]
  return id
}

/** Milliseconds since 1970 in base 36, until the year 5188. */
const TIME_CHARACTERS = 9

/**
 * As `newId`, and in the order of time. For rows that are only ever added: in the index of the ids
 * they stand beside each other, so that those of one commit are written to the same page.
 */
export function newTimedId(atMs: number): string {
  const time = atMs.toString(36).padStart(TIME_CHARACTERS, '0')
  return time + newId().slice(TIME_CHARACTERS)
}

/** Always the same of that text, and of no other. */
export function idOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, ID_CHARACTERS)
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
