/** Damages what a parser usually gets, in the ways in which a peer, a disk or an attacker may. Pure. */

/** Repeatable numbers of 0 to 1, by mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed
  /* oxlint-disable no-bitwise */
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /* oxlint-enable no-bitwise */
}

type Random = () => number

/** Pieces that mean something to one parser or another. */
const PIECES = [
  '\0',
  '\n',
  '\r\n',
  '"',
  "'",
  '{',
  '}',
  '[[[[',
  '<value>',
  '</value>',
  '<![CDATA[',
  '&#x110000;',
  '&lol;',
  '-1',
  '1e999',
  'NaN',
  '99999999999999999999',
  '__proto__',
  'null',
  '\u001b[31m',
  '\ud83d',
  '://',
  '?passphrase=',
  '#EXTINF:',
  'URI="',
  '%25252525',
].map((text) => new TextEncoder().encode(text))
const MOST_REPEATS = 4000
/** What a pipe holds: more is not read at once, unless a tool floods its log. */
const MOST_BYTES = 65_536

/** With one to four damages. */
export function damaged(samples: readonly Uint8Array[], random: Random): Uint8Array {
  let bytes = pick(samples, random)
  const count = 1 + Math.floor(random() * 4)
  for (let at = 0; at < count; at += 1) bytes = pick(DAMAGES, random)(bytes, random, samples)
  return bytes.subarray(0, MOST_BYTES)
}

type Damage = (bytes: Uint8Array, random: Random, samples: readonly Uint8Array[]) => Uint8Array

const DAMAGES: readonly Damage[] = [flip, cut, remove, insert, repeat, splice, swapDigits]

function pick<T>(list: readonly T[], random: Random): T {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

function placeIn(bytes: Uint8Array, random: Random): number {
  return Math.floor(random() * bytes.length)
}

function flip(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice()
  for (let at = 0; at < 3; at += 1) copy[placeIn(copy, random)] = Math.floor(random() * 256)
  return copy
}

function cut(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.subarray(0, placeIn(bytes, random))
}

function remove(bytes: Uint8Array, random: Random): Uint8Array {
  const at = placeIn(bytes, random)
  return joined(bytes.subarray(0, at), bytes.subarray(at + Math.floor(random() * 40)))
}

function insert(bytes: Uint8Array, random: Random): Uint8Array {
  const at = placeIn(bytes, random)
  return joined(bytes.subarray(0, at), pick(PIECES, random), bytes.subarray(at))
}

/** A part of it, or a piece, again and again: what costs time by the square of a length shows here. */
function repeat(bytes: Uint8Array, random: Random): Uint8Array {
  const at = placeIn(bytes, random)
  const part =
    random() < 0.5 ? pick(PIECES, random) : bytes.subarray(at, at + 1 + Math.floor(random() * 60))
  const times = Math.floor(random() ** 3 * MOST_REPEATS)
  return joined(bytes.subarray(0, at), ...Array<Uint8Array>(times).fill(part), bytes.subarray(at))
}

function splice(bytes: Uint8Array, random: Random, samples: readonly Uint8Array[]): Uint8Array {
  const other = pick(samples, random)
  return joined(bytes.subarray(0, placeIn(bytes, random)), other.subarray(placeIn(other, random)))
}

const [ZERO, NINE] = [0x30, 0x39]

function swapDigits(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.map((byte) =>
    byte >= ZERO && byte <= NINE && random() < 0.2 ? ZERO + Math.floor(random() * 10) : byte,
  )
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
