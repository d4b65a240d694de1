/** The clock that times are shown and typed by: UTC, or this browser's own. One for the whole page. */
import { MINUTE_MS } from '@trunkline/contract/durations'
import { ChosenTimes, type Times } from '@trunkline/contract/session/display.schema'
import { storage } from '../storage.ts'

/** IANA's name, such as Europe/Paris. */
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export const TIMES: Times = timesFor(timesOfPage() ?? storage.user.read()?.times ?? null)

export const TIME_ZONE = TIMES === 'utc' ? 'UTC' : BROWSER_ZONE

/** Stands behind a time. */
export const ZONE_WORD = TIMES === 'utc' ? 'UTC' : 'local time'

/** The same beside the clock of the page. */
export const CLOCK_WORD = TIMES === 'utc' ? 'UTC' : 'local'

/** '2026-11-27T14:02:37.123' as the clock of the page shows that moment. */
export function clockIso(atMs: number): string {
  return clockIsoOf(TIMES, atMs)
}

export function clockIsoOf(times: Times, atMs: number): string {
  const aheadMs = times === 'utc' ? 0 : -new Date(atMs).getTimezoneOffset() * MINUTE_MS
  return new Date(atMs + aheadMs).toISOString().slice(0, -1)
}

/** @param iso as `clockIso` writes it; NaN for anything else */
export function momentOfClock(iso: string): number {
  return momentOfClockOf(TIMES, iso)
}

export function momentOfClockOf(times: Times, iso: string): number {
  return Date.parse(times === 'utc' ? `${iso}Z` : iso)
}

/** As the account has chosen them by now, on whatever machine: the API writes it into the page. */
export function timesOfPage(): Times | null {
  const content = document.querySelector('meta[property="account-times"]')?.getAttribute('content')
  return ChosenTimes.safeParse(content).data ?? null
}

/** `chosen`: by the account, null for none; then what this browser has counts. */
export function timesFor(chosen: Times | null): Times {
  return chosen ?? storage.times.read() ?? 'utc'
}
