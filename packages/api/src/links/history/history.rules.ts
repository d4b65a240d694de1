/** How readings of a link become steps of a fixed length. Pure: who asks knows the time. */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'

export const SHORT_STEP_S = 10
export const LONG_STEP_S = 60

/** What one link measured within one step. Counters are of the step alone. */
export interface LinkSample {
  programId: string
  stepS: number
  /** Seconds since 1970, where the step begins. */
  atS: number
  readings: number
  bitrateSumKbps: number
  bitrateMinKbps: number
  bitrateMaxKbps: number
  rttMaxMs: number | null
  packets: number
  lost: number
  resent: number
  dropped: number
}

/** Beside the names of programs. */
export function channelName(channelId: string): string {
  return `channel-${channelId}`
}

/** The reading before, whose counters are taken off the next one's. */
export type Mark = Counters & { atMs: number }

export interface Counters {
  packets: number
  lost: number
  resent: number
  dropped: number
}

/** A column holds 32 bits, and a minute is the sum of six steps. */
const MOST = Math.floor((2 ** 31 - 1) / 6)
/** More than an hour of round trip is no round trip. */
const MOST_RTT_MS = 3_600_000
/** Twice the slowest statistics of a tool: nobody can say when within a longer silence something was lost. */
const LONGEST_SILENCE_MS = 120_000
const NOTHING: Counters = { packets: 0, lost: 0, resent: 0, dropped: 0 }

export function stepStartS(atMs: number, stepS: number): number {
  return Math.floor(atMs / 1000 / stepS) * stepS
}

export function markOf(reading: Reading): Mark {
  // An encoder counts no packets.
  if (reading.kind === 'encode') return { atMs: reading.atMs, ...NOTHING }
  const { atMs, packets, lostPackets, retransmittedPackets, droppedPackets } = reading
  return {
    atMs,
    packets: counted(packets),
    lost: counted(lostPackets),
    resent: counted(retransmittedPackets),
    dropped: counted(droppedPackets),
  }
}

/**
 * What was counted between two readings. A tool counts from its start: one that started since, or
 * whose counters fell, has counted all of it in between.
 *
 * @param before null when none was heard
 * @param startedAtMs of the process that counts, null when the host does not say
 */
export function countedSince(
  before: Mark | null,
  now: Mark,
  startedAtMs: number | null,
  heardSinceMs: number,
): Counters {
  const { atMs, ...counters } = now
  const sinceMs = before?.atMs ?? heardSinceMs
  if (startedAtMs !== null && startedAtMs > sinceMs) return counters
  if (before === null || atMs - before.atMs > LONGEST_SILENCE_MS) return NOTHING
  const difference = {
    packets: now.packets - before.packets,
    lost: now.lost - before.lost,
    resent: now.resent - before.resent,
    dropped: now.dropped - before.dropped,
  }
  // A tool may take back what it called lost; only packets never become fewer.
  if (difference.packets < 0) return counters
  return {
    packets: difference.packets,
    lost: Math.max(0, difference.lost),
    resent: Math.max(0, difference.resent),
    dropped: Math.max(0, difference.dropped),
  }
}

/** The step with one more reading in it; `sample` null for the first. */
export function withReading(
  sample: LinkSample | null,
  place: Pick<LinkSample, 'programId' | 'stepS' | 'atS'>,
  reading: Reading,
  counters: Counters,
): LinkSample {
  const kbps = whole(reading.bitrateKbps)
  const roundTripMs = reading.kind === 'link' ? reading.rttMs : null
  const rttMs = roundTripMs === null ? null : within(roundTripMs, MOST_RTT_MS)
  return {
    ...place,
    readings: (sample?.readings ?? 0) + 1,
    bitrateSumKbps: whole((sample?.bitrateSumKbps ?? 0) + kbps),
    bitrateMinKbps: Math.min(sample?.bitrateMinKbps ?? kbps, kbps),
    bitrateMaxKbps: Math.max(sample?.bitrateMaxKbps ?? kbps, kbps),
    rttMaxMs: highest(sample?.rttMaxMs ?? null, rttMs),
    packets: whole((sample?.packets ?? 0) + counters.packets),
    lost: whole((sample?.lost ?? 0) + counters.lost),
    resent: whole((sample?.resent ?? 0) + counters.resent),
    dropped: whole((sample?.dropped ?? 0) + counters.dropped),
  }
}

function highest(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.max(a, b)
}

function whole(value: number): number {
  return Math.round(within(value, MOST))
}

/** What an end cannot count is kept as nothing, and not shown. */
function counted(value: number | null): number {
  return Math.max(0, Math.round(value ?? 0))
}

/** A host may say anything. */
function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value))
}
