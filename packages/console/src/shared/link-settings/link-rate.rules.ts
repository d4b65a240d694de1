/** What rates and latencies of SRT and RIST links mean: their units differ (Q103, Q172). */
import { decimalText } from '@trunkline/contract/number-text.rules'
import { LOCALE } from '../../lib/locale/language.ts'

const BYTES_PER_KILOBIT = 125
const BITS_PER_BYTE = 8
const BITS_PER_KILOBIT = 1000
const WHOLE_FROM_KBPS = 100_000
const GREATEST_KBPS = 10_000_000
const MEGABIT = 1_000_000
const KILOBITS_PER_MEGABIT = 1000
/** SRT wants four round trips to resend what was lost. */
const ROUND_TRIPS = 4

export const MAX_BANDWIDTH = 'Max bandwidth'
export const MAX_BANDWIDTH_RANGE = `must be 0 (no cap) to ${GREATEST_KBPS} kbit/s.`

/* Caps: kbit/s in every form, bytes a second on the wire where SRT counts so (decisions.md 45, Q172). */

/** As a field shows it; with decimals where the stored bytes are no whole kbit, so that nothing is lost. */
export function kbpsText(bytesPerSecond: number): string {
  return String((bytesPerSecond * BITS_PER_BYTE) / BITS_PER_KILOBIT)
}

/** Null for what is no such number, or out of range. */
export function bytesPerSecondOf(typedKbps: string): number | null {
  const typed = typedKbps.trim()
  if (!/^\d{1,8}(\.\d{1,3})?$/.test(typed) || Number(typed) > GREATEST_KBPS) return null
  return Math.round(Number(typed) * BYTES_PER_KILOBIT)
}

export function maxBandwidthHint(typedKbps: string): string {
  if (bytesPerSecondOf(typedKbps) === null) return '0 for no cap.'
  const kbps = Number(typedKbps)
  return kbps === 0 ? 'No cap.' : `= ${bandwidthOf(kbps)}`
}

/** '5.0 Mbit/s', '625 Mbit/s'. */
export function bandwidthOf(kbps: number): string {
  return kbps < WHOLE_FROM_KBPS
    ? `${decimalText(kbps / KILOBITS_PER_MEGABIT, 1)} Mbit/s`
    : megabitText(kbps)
}

/** Of bytes a second: '5.0 Mbit/s'; 0 is no cap. */
export function bandwidthText(bytesPerSecond: number): string {
  if (bytesPerSecond === 0) return 'no cap'
  return `${decimalText((bytesPerSecond * BITS_PER_BYTE) / MEGABIT, 1)} Mbit/s`
}

/** Of kbit a second: '625 Mbit/s', '4.5 Mbit/s'. */
export function megabitText(kbps: number): string {
  const megabits = kbps / KILOBITS_PER_MEGABIT
  return `${Number.isInteger(megabits) ? megabits.toLocaleString(LOCALE) : decimalText(megabits, 1)} Mbit/s`
}

export function safeRttText(latencyMs: number): string {
  return `Safe up to RTT ${Math.floor(latencyMs / ROUND_TRIPS)} ms`
}
