/** The period that is looked at, in whole days by the clock of the page, as the bounds that the API takes. */
import { DAY_MS } from '@trunkline/contract/durations'
import { momentOfClock } from '../lib/locale/time-zone.ts'

export const PERIOD_KINDS = ['all', 'today', 'week', 'days'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]

/** 'days' is from and to, each '2026-11-20', both included; '' leaves that end open. */
export interface Period {
  kind: PeriodKind
  fromDay: string
  toDay: string
}

const WEEK_DAYS = 7

/**
 * @param today `2026-11-20`, the API's time as the clock of the page shows it
 * @returns from that moment on and before that one, ISO 8601 UTC; '' is no bound
 */
export function boundsOf(period: Period, today: string): { from: string; to: string } {
  switch (period.kind) {
    case 'all':
      return { from: '', to: '' }
    case 'today':
      return { from: startOf(today, 0), to: '' }
    case 'week':
      return { from: startOf(today, 1 - WEEK_DAYS), to: '' }
    case 'days':
      return { from: startOf(period.fromDay, 0), to: startOf(period.toDay, 1) }
  }
}

/** A field that is half typed holds no day. */
function startOf(day: string, plusDays: number): string {
  const atMs = day === '' ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(atMs)) return ''
  // By the calendar: a day of a local clock may have 23 or 25 hours.
  const shifted = new Date(atMs + plusDays * DAY_MS).toISOString().slice(0, 10)
  return new Date(momentOfClock(`${shifted}T00:00:00`)).toISOString()
}
