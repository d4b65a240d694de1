/** What rates and latencies of SRT and RIST links mean: their units differ (Q103, Q172). */

const BITS = 8
const MEGABIT = 1_000_000
const KILOBITS_PER_MEGABIT = 1000
/** SRT wants four round trips to resend what was lost. */
const ROUND_TRIPS = 4

/** Of bytes a second: '5.0 Mbit/s'; 0 is no cap. */
export function bandwidthText(bytesPerSecond: number): string {
  if (bytesPerSecond === 0) return 'no cap'
  return `${((bytesPerSecond * BITS) / MEGABIT).toFixed(1)} Mbit/s`
}

/** Of kbit a second: '625 Mbit/s', '4.5 Mbit/s'. */
export function megabitText(kbps: number): string {
  const megabits = kbps / KILOBITS_PER_MEGABIT
  return `${Number.isInteger(megabits) ? megabits.toLocaleString('en') : megabits.toFixed(1)} Mbit/s`
}

export function safeRttText(latencyMs: number): string {
  return `Safe up to RTT ${Math.floor(latencyMs / ROUND_TRIPS)} ms`
}
