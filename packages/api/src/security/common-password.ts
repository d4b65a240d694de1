/** The commonest passwords, from those that became known: what every guess begins with. */

/** Shorter words stand between digits by chance. */
const WORD_FROM = 4
/** Around a common password; with more than that others are too many to try. */
const ADDED_LIMIT = 64

let known: Promise<ReadonlySet<string>> | undefined

/** Without case, and with nothing but digits and punctuation before or after it. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readKnown()
  const all = await known
  const folded = password.toLowerCase()
  return all.has(folded) || wordsIn(folded).some((word) => all.has(word))
}

/** What is left without some of the digits and punctuation at both ends; always with a letter. */
function wordsIn(password: string): string[] {
  const first = password.search(/\p{L}/u)
  if (first === -1) return []
  const after = password.length - (/[^\p{L}]*$/u.exec(password)?.[0].length ?? 0)
  const starts = range(Math.max(0, first - ADDED_LIMIT), first)
  const ends = range(after, Math.min(password.length, after + ADDED_LIMIT))
  return starts
    .flatMap((start) => ends.map((end) => password.slice(start, end)))
    .filter((word) => word.length >= WORD_FROM)
}

/** Both included. */
function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** Read when the first password is set: most processes never need it. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'] as readonly string[])
}
