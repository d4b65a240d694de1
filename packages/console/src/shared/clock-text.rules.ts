/** Between a moment and the text of a field: by the minute, with 24 hours, as the clock of the page. */
import { clockIso, momentOfClock } from '../lib/locale/time-zone.ts'

/** '2026-11-27 18:00' */
export function clockText(ms: number): string {
  return clockIso(ms).slice(0, 16).replace('T', ' ')
}

/** ISO 8601 of what `clockText` writes; null for anything else, such as the 31st of November. */
export function isoOfClockText(text: string): string | null {
  const typed = text.trim()
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(typed)) return null
  const ms = momentOfClock(`${typed.replace(' ', 'T')}:00`)
  return Number.isNaN(ms) || clockText(ms) !== typed ? null : new Date(ms).toISOString()
}

/** Goes on from the label of the field. */
export const CLOCK_TEXT_FAULT = 'must be a time such as 2026-11-20 02:00.'
