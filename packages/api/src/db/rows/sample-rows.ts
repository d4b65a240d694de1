/** Rows of what links measured: each has what was measured within `step_s` seconds from `at_s`, seconds since 1970. */

interface SampleRow {
  program_id: string
  step_s: number
  at_s: number
}

export interface LinkSampleRow extends SampleRow {
  readings: number
  bitrate_sum_kbps: number
  bitrate_min_kbps: number
  bitrate_max_kbps: number
  rtt_max_ms: number | null
  /** Within the step alone, as the four below it. */
  packets: number
  lost: number
  resent: number
  dropped: number
}

/** What a link counted on a day, by UTC: 2026-11-27. */
export interface LinkDayRow {
  program_id: string
  day: string
  packets: number
  lost: number
  resent: number
  dropped: number
}

/** Of the part of the step that was looked at. */
export interface TransportSampleRow extends SampleRow {
  looked_ms: number
  followed_ms: number
  continuity_errors: number
  sync_losses: number
  transport_errors: number
  crc_errors: number
  scrambled_packets: number
  pat_gap_ms: number | null
  pmt_gap_ms: number | null
  pcr_interval_ms: number | null
  pcr_jitter_ms: number | null
  /** JSON: when something was wrong, and what; null when nothing was. */
  errors: string | null
}

/** Up to which of its numbered minutes the counts of one run of an agent are stored. */
export interface TransportCursorRow {
  run: string
  up_to: number
  /** Seconds since 1970. */
  seen_s: number
}
