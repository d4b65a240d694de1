/**
 * The three calculations between video bitrate, audio bitrate and mux rate (CFG-24 to CFG-26). Each
 * is made on demand only: none of them changes anything by itself (Q76).
 */

/** The specification's allowance for what the transport stream adds. */
const TRANSPORT_FACTOR = 1.12
/** Bit of a kbit in these calculations; everywhere else it is 1000 (Q71). */
export const BITS_OF_BUDGET_KBIT = 1024

/** CFG-24: the video bitrate, kbit/s, that the mux rate, bit/s, leaves beside the audio, kbit/s. */
export function videoKbpsFor(muxRateBps: number, audioKbps: number): number {
  return neverBelowZero(streamKbpsOf(muxRateBps) - audioKbps)
}

/** CFG-25: the audio bitrate, kbit/s, that the mux rate, bit/s, leaves beside the video, kbit/s. */
export function audioKbpsFor(muxRateBps: number, videoKbps: number): number {
  return neverBelowZero(streamKbpsOf(muxRateBps) - videoKbps)
}

/** CFG-26: the mux rate, bit/s, that video and audio, kbit/s, need. */
export function muxRateBpsFor(videoKbps: number, audioKbps: number): number {
  return neverBelowZero(TRANSPORT_FACTOR * (videoKbps + audioKbps) * BITS_OF_BUDGET_KBIT)
}

export interface BitBudget {
  /** Bit/s that video, audio and transport need together. */
  neededBps: number
  /** Kbit/s that do not fit into the mux rate; 0 when all fits. */
  excessKbps: number
}

/** Q78: whether the bitrates fit; what does not is warned of, never refused. */
export function bitBudget(muxRateBps: number, videoKbps: number, audioKbps: number): BitBudget {
  const neededBps = muxRateBpsFor(videoKbps, audioKbps)
  return { neededBps, excessKbps: neverBelowZero((neededBps - muxRateBps) / BITS_OF_BUDGET_KBIT) }
}

function streamKbpsOf(muxRateBps: number): number {
  return muxRateBps / BITS_OF_BUDGET_KBIT / TRANSPORT_FACTOR
}

/** Q77. */
function neverBelowZero(value: number): number {
  return Math.max(0, Math.round(value))
}
