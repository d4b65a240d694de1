/** Numbers and times as the console writes them (design.md section 4). Unknown is an en dash, never 0. */
import { MINUTE_MS, SECOND_MS } from '@trunkline/contract/durations'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { DATE_LOCALE, LOCALE } from '../lib/locale/language.ts'
import { clockIso, TIME_ZONE, ZONE_WORD } from '../lib/locale/time-zone.ts'

export const UNKNOWN = '–'

const DAY_SECONDS = 86_400

/** `0:42`, `1:12:44`, `12 d 04:11`. */
export function durationText(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / SECOND_MS))
  const days = Math.floor(seconds / DAY_SECONDS)
  const hours = Math.floor((seconds % DAY_SECONDS) / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}`
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`
  return `${minutes}:${two(seconds % 60)}`
}

/** `4 s ago`, `2:05 ago`: how old a reading is. */
export function agoText(ageMs: number): string {
  const knownMs = Math.max(0, ageMs)
  return `${knownMs < MINUTE_MS ? `${Math.floor(knownMs / SECOND_MS)} s` : durationText(knownMs)} ago`
}

/** `14:02:37` */
export function clockTimeText(atMs: number): string {
  return clockIso(atMs).slice(11, 19)
}

/** `2026-11-27` */
export function clockDateText(atMs: number): string {
  return clockIso(atMs).slice(0, 10)
}

/** `2026-11-27 14:02:37 UTC` */
export function clockMomentText(atMs: number): string {
  return `${clockIso(atMs).slice(0, 19).replace('T', ' ')} ${ZONE_WORD}`
}

/** `2026-11-27 14:02:37.123 UTC` */
export function clockExactText(atMs: number): string {
  return `${clockIso(atMs).replace('T', ' ')} ${ZONE_WORD}`
}

/** `27 Nov` */
export function clockDayText(atMs: number): string {
  return new Date(atMs).toLocaleDateString(DATE_LOCALE, {
    day: 'numeric',
    month: 'short',
    timeZone: TIME_ZONE,
  })
}

/** `4,492`; rounded, thousands by comma. */
export function numberText(value: number | null): string {
  return value === null ? UNKNOWN : Math.round(value).toLocaleString(LOCALE)
}

/** With one decimal below 10: on one machine a round trip is less than a millisecond, and that is not 0. */
export function fineText(value: number | null): string {
  if (value === null || value >= 10) return numberText(value)
  return value > 0 && value < 0.05 ? `<${decimalText(0.1, 1)}` : decimalText(value, 1)
}

/** DASH-11: bit/s to kbit/s by 1000. */
export function kbpsOf(bitsPerSecond: number): number {
  return Math.round(bitsPerSecond / 1000)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
