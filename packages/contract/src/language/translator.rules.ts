/**
 * Says texts in the language of who reads them, where that is not known before the text is made: in
 * what the API sends to people. Pure.
 */
import type { Language } from '../session/language.rules.ts'
import { frenchMessageTexts, frenchReader } from './french.ts'

export interface Translator {
  /**
   * @param english a text of ours, with `{0}`, `{1}` for what is put in: names of people's own, which
   *   are not translated, and numbers
   */
  readonly text: (english: string, ...values: readonly (string | number)[]) => string
  /** A sentence of the API or of an agent; what is not known, such as the output of a tool, stays. */
  readonly sentence: (english: string) => string
  /** @param iso ISO 8601 in UTC, which stays so; the zone is written behind it */
  readonly moment: (iso: string) => string
}

const ENGLISH: Translator = {
  text: putIn,
  sentence: (english) => english,
  moment: (iso) => iso,
}

const made = new Map<Language, Translator>([['en', ENGLISH]])

/** The same for each call: its patterns are prepared once, when a language is first asked for. */
export function translatorOf(language: Language): Translator {
  const known = made.get(language)
  if (known !== undefined) return known
  const translator = makeFrench()
  made.set(language, translator)
  return translator
}

function makeFrench(): Translator {
  const texts = frenchMessageTexts()
  const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
  return {
    text: (english, ...values) =>
      putIn(Object.hasOwn(texts, english) ? (texts[english] ?? english) : english, ...values),
    sentence: frenchReader(),
    moment: (iso) => `${day.format(new Date(iso))} à ${iso.slice(11, 19)} UTC`,
  }
}

function putIn(text: string, ...values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ''))
}
