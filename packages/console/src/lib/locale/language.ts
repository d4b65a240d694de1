/**
 * The language of this console: it is built once in each. The API sends the one of the account; before
 * sign-in, and to an account that has none, the one of the cookie, else of the browser's own preference.
 */
import {
  LANGUAGE_COOKIE,
  languageOf,
  type Language,
} from '@trunkline/contract/session/language.rules'

export const LANGUAGE: Language = import.meta.env.MODE === 'french' ? 'fr' : 'en'

/** Of numbers. */
export const LOCALE = { en: 'en', fr: 'fr-FR' }[LANGUAGE]
/** Of dates: days before months. */
export const DATE_LOCALE = { en: 'en-GB', fr: 'fr-FR' }[LANGUAGE]

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' }

const YEAR_S = 31_536_000

/**
 * To be awaited before anything is asked of the API: the French console reads in French what it
 * answers. The English one has no such file, because the build knows the mode by this name.
 */
export async function readLanguage(): Promise<void> {
  if (import.meta.env.MODE !== 'french') return
  const { readFrench } = await import('./french-sentences.ts')
  readFrench()
}

/** In which the API sends the page. `chosen`: by the account, null for none. */
export function languageFor(chosen: Language | null): Language {
  return chosen ?? languageOf(document.cookie, navigator.languages.join())
}

/** In this browser it counts before sign-in, and for accounts that have chosen none. */
export function keepLanguage(language: Language): void {
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`
}
