/** What a new password must be; those that are stored already keep working. */

export const PASSWORD_MIN_CHARACTERS = 12

/** Shorter parts of a name stand in good passwords by chance. */
const PERSONAL_FROM = 3
/** So much must be left of a password without what others know of the person. */
const REST_FROM = 8

/** `personal`: names and e-mail of whose password it is. Whether it is little more than these. */
export function isPersonalPassword(password: string, personal: readonly string[]): boolean {
  const folded = fold(password)
  const rest = personal
    .flatMap((text) => [text, ...text.split(/[\s@._+-]+/)])
    .map(fold)
    .filter((part) => part.length >= PERSONAL_FROM)
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, part) => left.replaceAll(part, ''), folded)
  return rest !== folded && rest.length < REST_FROM
}

/** Case, spaces and marks make no other word of a name. */
function fold(text: string): string {
  return text.toLocaleLowerCase('en').replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const DISTINCT_MIN = 5
/** A password of so many sequences and repeats a character is guessed by their rules. */
const PIECES_PER_CHARACTER = 1 / 4
/** Digits, the alphabet, and keyboards by row and by column; each is read around its end, and backwards. */
const TRACKS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
].flatMap((track) => [track.repeat(3), track.repeat(3).split('').toReversed().join('')])

/** Why a password is simple whatever it means: null for others. */
export function simplicityOf(password: string): 'few characters' | 'sequence' | null {
  const folded = password.toLocaleLowerCase('en')
  if (new Set(folded).size < DISTINCT_MIN) return 'few characters'
  return piecesOf(folded) <= folded.length * PIECES_PER_CHARACTER ? 'sequence' : null
}

/** How many sequences and repeats of one character make up the text; a character alone is one. */
function piecesOf(text: string): number {
  let pieces = 0
  for (let at = 0; at < text.length; at += pieceLength(text.slice(at))) pieces += 1
  return pieces
}

function pieceLength(text: string): number {
  const first = text.charAt(0)
  let length = 1
  while (length < text.length && isPiece(text.slice(0, length + 1), first)) length += 1
  return length
}

function isPiece(text: string, first: string): boolean {
  return text === first.repeat(text.length) || TRACKS.some((track) => track.includes(text))
}
