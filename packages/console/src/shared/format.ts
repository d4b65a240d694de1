/** Numbers and times as the console writes them (design.md section 4). Unknown is an en dash, never 0. */
import { MINUTE_MS, SECOND_MS } from '@trunkline/contract/durations'

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

/** `14:02:37`, UTC. */
export function utcTimeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19)
}

/** `27 Nov`, UTC. */
export function utcDayText(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
}

/** `14:02:37` as this browser's own clock shows it. */
export function localTimeText(atMs: number): string {
  const at = new Date(atMs)
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** `4,492`; rounded, thousands by comma. */
export function numberText(value: number | null): string {
  return value === null ? UNKNOWN : Math.round(value).toLocaleString('en')
}

/** With one decimal below 10: on one machine a round trip is less than a millisecond, and that is not 0. */
export function fineText(value: number | null): string {
  if (value === null || value >= 10) return numberText(value)
  return value > 0 && value < 0.05 ? '<0.1' : value.toFixed(1)
}

/** DASH-11: bit/s to kbit/s by 1000. */
export function kbpsOf(bitsPerSecond: number): number {
  return Math.round(bitsPerSecond / 1000)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
