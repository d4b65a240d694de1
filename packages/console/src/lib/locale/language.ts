/**
 * The language of this console: it is built once in each. The cookie says which of them the API sends;
 * without it the browser's own preference counts.
 */
import { LANGUAGE_COOKIE, type Language } from '@trunkline/contract/session/language.rules'

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

/** Kept by this browser, for every account; what is typed in a form is lost, as by every reload. */
export function chooseLanguage(language: Language): void {
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_S}; SameSite=Strict`
  location.reload()
}

/** `4.0`, in French `4,0`. `digits` behind the comma, or null for as many as there are. */
export function decimalText(value: number, digits: number | null): string {
  const text = digits === null ? String(value) : value.toFixed(digits)
  return LANGUAGE === 'fr' ? text.replace('.', ',') : text
}
