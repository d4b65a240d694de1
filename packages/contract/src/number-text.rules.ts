/**
 * Numbers within a text, as the language of the text writes them: the catalogue of the French console has
 * its locale in the place of the English one.
 */

const LOCALE: string = 'en'

const ALL_DIGITS = 20

/** To make one takes longer than to write a hundred numbers with it. By digits. */
const FORMATS = new Map<number | null, Intl.NumberFormat>()

/** '4,500', in French '4 500'. */
export function wholeText(value: number): string {
  return Math.round(value).toLocaleString(LOCALE)
}

/** '0.2', in French '0,2'. `digits` behind the point; null: as many as there are. */
export function decimalText(value: number, digits: number | null): string {
  const known = FORMATS.get(digits)
  if (known !== undefined) return known.format(value)
  const format = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? ALL_DIGITS,
  })
  FORMATS.set(digits, format)
  return format.format(value)
}
