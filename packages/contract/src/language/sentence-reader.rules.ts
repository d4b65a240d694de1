/**
 * Reads the sentences of the API and the agents in another language. They are made of texts that a
 * catalogue names: `The host {0} does not answer.` is known whatever stands for `{0}`.
 */

interface Pattern {
  readonly begin: string
  readonly form: RegExp
  /** Of the texts between its holes: the most exact pattern counts. */
  readonly fixedLength: number
  readonly translation: string
  /** A whole sentence, which counts before a part of one. */
  readonly isEnded: boolean
}

const SENTENCE_END = /(?<=[.!?])\s+/
const HOLE = /\{(\d+)\}/g
/** In a translation: `{0!}` stands for words of ours, never for what people name. */
const FILLED = /\{(\d+)(!?)\}/g
/** What is put in ends no sentence, save at the end. */
const WITHIN = String.raw`((?:(?![.!?]\s)[^])*?)`
const WITH_STOPS = '([^]*?)'
const AT_THE_END = '([^]*)'
/** Of sentences that were read: a state that is reported again is not read again. */
const KEPT = 2000
/** Characters. What is longer is the output of a tool. */
const LONGEST = 1000

/**
 * @param texts translation by English text; one that begins with a small letter goes on from the name
 *   of a field or an object
 * @param words translation of the words that stand for `{0!}`, as kinds of objects and units of time
 * @returns reads a sentence, or several in a row; what is not known stays as it is
 */
export function sentenceReader(
  texts: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>>,
): (text: string) => string {
  const patterns = Object.entries(texts)
    .flatMap(([english, translation]) => patternsOf(english, translation))
    .toSorted((a, b) => b.fixedLength - a.fixedLength)
  const ofSentences = patterns.filter(({ isEnded }) => isEnded)
  const ofParts = patterns.filter(({ isEnded }) => !isEnded)
  const wholes = wholesOf(texts)
  const mostSentences = Math.max(
    ...Object.keys(texts).map((english) => english.split(SENTENCE_END).length),
  )
  const kept = new Map<string, string>()

  /** A cause alone has no full stop; in a row of sentences it has. */
  function wholeOf(text: string): string | null {
    const whole = wholes.get(text)
    if (whole !== undefined || !text.endsWith('.')) return whole ?? null
    const bare = wholes.get(text.slice(0, -1))
    return bare === undefined ? null : `${bare}.`
  }

  function matchOf({ begin, form, translation }: Pattern, text: string): string | null {
    const found = text.startsWith(begin) ? form.exec(text) : null
    if (found === null) return null
    return translation.replaceAll(FILLED, (_, at: string, mark: string) => {
      const filling = found[Number(at) + 1] ?? ''
      return mark === '' ? part(filling) : byWords(filling, words)
    })
  }

  /** What stands in a hole: a title, a number, another text of several words, or the sentences behind. */
  function part(text: string): string {
    return /\s/.test(text.trim()) ? read(text) : text
  }

  function read(text: string): string {
    const sentences = text.split(SENTENCE_END)
    const firstOnes = beginningsOf(sentences, mostSentences)
    for (const { first, rest } of firstOnes) {
      const known = wholeOf(first) ?? firstFound(ofSentences, (pattern) => matchOf(pattern, first))
      if (known !== null) return followedBy(known, rest)
    }
    // The shortest: what follows is read by itself.
    for (const { first, rest } of firstOnes.toReversed()) {
      const known = firstFound(ofSentences, (pattern) => matchOf(withStops(pattern, first), first))
      if (known !== null) return followedBy(known, rest)
    }
    const known = firstFound(ofParts, (pattern) => {
      const whole = matchOf(pattern, text)
      if (whole !== null) return whole
      return firstFound(firstOnes, ({ first, rest }) => {
        const bare = first.endsWith('.') ? matchOf(pattern, first.slice(0, -1)) : null
        return bare === null ? null : followedBy(`${bare}.`, rest)
      })
    })
    if (known !== null) return known
    const [first = '', ...others] = sentences
    return others.length === 0 ? text : followedBy(first, others.join(' '))
  }

  function followedBy(known: string, rest: string): string {
    return rest === '' ? known : `${known} ${read(rest)}`
  }

  return (text) => {
    if (text.length > LONGEST) return text
    const before = kept.get(text)
    if (before !== undefined) return before
    if (kept.size >= KEPT) kept.clear()
    const result = read(text)
    kept.set(text, result)
    return result
  }
}

/** The longest first, of so many sentences at most, each with what follows. */
function beginningsOf(sentences: readonly string[], most: number) {
  return sentences
    .slice(0, most)
    .map((_, at) => ({
      first: sentences.slice(0, at + 1).join(' '),
      rest: sentences.slice(at + 1).join(' '),
    }))
    .toReversed()
}

/** Of a text that nothing else is known of: what is put in may have a full stop, as 'St. Denis'. */
function withStops(pattern: Pattern, text: string): Pattern {
  const { begin, form } = pattern
  if (begin === '' || !text.startsWith(begin)) return pattern
  return { ...pattern, form: new RegExp(form.source.replaceAll(WITHIN, WITH_STOPS), 'u') }
}

/** What goes on from the text before it begins with a space; it may also come first. */
function wholesOf(texts: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(texts).map(([text, other]) => [text.trimStart(), other.trimStart()] as const),
    ...Object.entries(texts),
  ])
}

/** '2 encoders and 1 input': each word alone, where all of them together are not known. */
function byWords(text: string, words: Readonly<Record<string, string>>): string {
  const wordOf = (word: string) => (Object.hasOwn(words, word) ? (words[word] ?? word) : word)
  const whole = wordOf(text)
  return whole === text ? text.replaceAll(/\p{L}+/gu, wordOf) : whole
}

function firstFound<T>(all: readonly T[], find: (each: T) => string | null): string | null {
  for (const each of all) {
    const found = find(each)
    if (found !== null) return found
  }
  return null
}

/** A fragment is known alone, and behind the name that it goes on from. */
function patternsOf(english: string, translation: string): Pattern[] {
  const isFragment = /^[\s\p{Ll}]/u.test(english)
  if (!/\p{L}/u.test(english.replaceAll(HOLE, ''))) return []
  const own = english.includes('{0}') ? [patternOf(english, translation)] : []
  if (!isFragment) return own
  const shift = (text: string) =>
    text.replaceAll(FILLED, (_, at: string, mark: string) => `{${Number(at) + 1}${mark}}`)
  const gap = english.startsWith(' ') ? '' : ' '
  return [...own, patternOf(`{0}${gap}${shift(english)}`, `{0}${gap}${shift(translation)}`)]
}

/** The holes of an English text are numbered in their order. */
function patternOf(english: string, translation: string): Pattern {
  const fixed = english.split(HOLE).filter((_, at) => at % 2 === 0)
  const [begin = ''] = fixed
  const [last = '', ...others] = fixed.map(literally).toReversed()
  const hole = last === '' ? AT_THE_END : WITHIN
  const form = others.length === 0 ? last : `${others.toReversed().join(WITHIN)}${hole}${last}`
  return {
    begin,
    form: new RegExp(`^${form}$`, 'u'),
    fixedLength: fixed.join('').length,
    translation,
    isEnded: /[.!?]$/.test(english),
  }
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
