/**
 * Numbers within a text, as the language of the text writes them: the catalogue of the French console has
 * its locale in the place of the English one.
 */

const LOCALE: string = 'en'

/** '4,500', in French '4 500'. */
export function wholeText(value: number): string {
  return Math.round(value).toLocaleString(LOCALE)
}

/** '0.2', in French '0,2'. `digits` behind the point. */
export function fractionText(value: number, digits: number): string {
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return value.toLocaleString(LOCALE, exactly)
}
