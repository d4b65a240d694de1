/** What the record of activity says of itself: its periods, its news, its failure. */
import type { PeriodKind } from './activity-period.rules.ts'
import { LOCALE } from '../lib/locale/language.ts'

export const LIST_FAILED = 'The record of activity could not be read.'
export const FROM_AFTER_TO = 'From is later than To. Choose an earlier From or a later To.'

export const PERIOD_WORDS: Readonly<Record<PeriodKind, string>> = {
  all: 'All time',
  today: 'Today',
  week: 'Last 7 days',
  days: 'From … to …',
}

export function newLinesText(count: number): string {
  return count === 1 ? 'Show 1 new line' : `Show ${count.toLocaleString(LOCALE)} new lines`
}
