/**
 * Reads the sentences of the API and the agents in another language. They are made of texts that a
 * catalogue names: `The host {0} does not answer.` is known whatever stands for `{0}`.
 */

interface Pattern {
  readonly begin: string
  readonly form: RegExp
  /** Of the texts between its holes: the most exact pattern counts, and an ended sentence before a part. */
  readonly fixedLength: number
  readonly translation: string
  readonly isEnded: boolean
}

const HOLE = /\{(\d+)\}/g
/** What is put in ends no sentence, save at the end. */
const WITHIN = String.raw`((?:(?![.!?]\s)[^])*?)`
const AT_THE_END = '([^]*)'
/** Of sentences that were read: a state that is reported again is not read again. */
const KEPT = 2000
/** Characters. What is longer is the output of a tool. */
const LONGEST = 1000

/**
 * @param texts translation by English text; one that begins with a small letter goes on from the name
 *   of a field or an object
 * @returns reads a sentence, or several in a row; what is not known stays as it is
 */
export function sentenceReader(texts: Readonly<Record<string, string>>): (text: string) => string {
  const patterns = Object.entries(texts)
    .flatMap(([english, translation]) => patternsOf(english, translation))
    .toSorted((a, b) => Number(b.isEnded) - Number(a.isEnded) || b.fixedLength - a.fixedLength)
  const kept = new Map<string, string>()

  function known(text: string): string | null {
    if (Object.hasOwn(texts, text)) return texts[text] ?? null
    for (const { begin, form, translation } of patterns) {
      const found = text.startsWith(begin) ? form.exec(text) : null
      if (found === null) continue
      return translation.replaceAll(HOLE, (_, at: string) => part(found[Number(at) + 1] ?? ''))
    }
    return null
  }

  /** What stands in a hole: a title, a number, or another text of several words. */
  function part(text: string): string {
    return /\s/.test(text) ? (known(text) ?? text) : text
  }

  function read(text: string): string {
    const whole = known(text)
    if (whole !== null) return whole
    const sentences = text.split(/(?<=[.!?])\s+/)
    for (let count = sentences.length - 1; count > 0; count -= 1) {
      const first = known(sentences.slice(0, count).join(' '))
      if (first !== null) return `${first} ${read(sentences.slice(count).join(' '))}`
    }
    const [first = '', ...others] = sentences
    return others.length === 0 ? text : `${first} ${read(others.join(' '))}`
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

/** A fragment is known alone, and behind the name that it goes on from. */
function patternsOf(english: string, translation: string): Pattern[] {
  const isFragment = /^[\s\p{Ll}]/u.test(english)
  if (!/\p{L}/u.test(english.replaceAll(HOLE, ''))) return []
  const own = english.includes('{0}') ? [patternOf(english, translation)] : []
  if (!isFragment) return own
  const shift = (text: string) => text.replaceAll(HOLE, (_, at: string) => `{${Number(at) + 1}}`)
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
