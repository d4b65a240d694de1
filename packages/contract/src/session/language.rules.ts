/** The languages of the console, and how a browser says which it wants. */
import { cookieIn } from './cookie.rules.ts'

export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** Set by the console when somebody chooses; readable by its scripts, and no secret. */
export const LANGUAGE_COOKIE = 'language'

const DEFAULT: Language = 'en'

/**
 * @param cookies the header of a request
 * @param accepted its `Accept-Language`: the first of our languages counts, as browsers list theirs
 *   in order of preference
 */
export function languageOf(cookies: string | undefined, accepted: string | undefined): Language {
  const chosen = cookieIn(cookies, LANGUAGE_COOKIE)
  const wished = (accepted ?? '').split(',').map((range) => range.trim().slice(0, 2).toLowerCase())
  return [chosen, ...wished].find(isLanguage) ?? DEFAULT
}

function isLanguage(text: string | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}
