/** Between a moment and the text of a field: UTC, by the minute, with 24 hours, as the clock of the page. Pure. */

/** '2026-11-27 18:00' */
export function utcText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** ISO 8601 of what `utcText` writes; null for anything else, such as the 31st of November. */
export function isoOfUtcText(text: string): string | null {
  const typed = text.trim()
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(typed)) return null
  const ms = Date.parse(`${typed.replace(' ', 'T')}:00Z`)
  return Number.isNaN(ms) || utcText(ms) !== typed ? null : new Date(ms).toISOString()
}

/** Goes on from the label of the field. */
export const UTC_TEXT_FAULT = 'must be a time such as 2026-11-20 02:00.'
