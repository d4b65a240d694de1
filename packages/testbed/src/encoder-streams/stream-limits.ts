/** What a stream must keep to at every moment, read on its own clock: how busy the machine was does not count. */
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { rasterOf } from '@trunkline/contract/encoders/video-format.rules'
import {
  longestClockGapSeconds,
  longestTableGapSeconds,
  muxRateBps,
  PAT,
  PMT,
  readTransportStream,
} from './transport-stream.ts'

/** CFG-23: PAT and PMT alike. */
const TABLE_PERIOD_SECONDS = 0.1
/** A clock or a table goes into the next packet that is due, never into the middle of one. */
const PACKET_SECONDS = 0.003
const MUX_RATE_SHARE = 0.005

/** A sentence for each limit of the effective configuration that the stream breaks; none is right. */
export function brokenLimits(bytes: Buffer, config: EncoderConfig): string[] {
  const stream = readTransportStream(bytes)
  const clockSeconds = clockLimitSeconds(config)
  const tableSeconds = TABLE_PERIOD_SECONDS + clockSeconds
  const { cbr, 'ts-muxrate': wantedBps } = config.muxer
  const rateBps = muxRateBps(stream)
  const isConstant = Math.abs(rateBps / wantedBps - 1) < MUX_RATE_SHARE
  return [
    ...tooLong('PCR', longestClockGapSeconds(stream), clockSeconds),
    ...tooLong('PAT', longestTableGapSeconds(stream, PAT), tableSeconds),
    ...tooLong('PMT', longestTableGapSeconds(stream, PMT), tableSeconds),
    ...(stream.programs.length === 1 ? [] : [`${stream.programs.length} programs.`]),
    ...(stream.continuityErrors === 0 ? [] : [`${stream.continuityErrors} continuity errors.`]),
    ...(cbr === 1 && !isConstant ? [`Mux rate ${rateBps} bit/s, not ${wantedBps}.`] : []),
    ...(cbr === 1 || stream.nullPackets === 0 ? [] : [`${stream.nullPackets} null packets.`]),
  ]
}

/** Without a constant rate the clock goes with the pictures: one of them may pass before it. */
function clockLimitSeconds(config: EncoderConfig): number {
  const { frameRate } = rasterOf(config['video-format'])
  const wait = config.muxer.cbr === 1 ? 0 : frameRate.denominator / frameRate.numerator
  return config.muxer['pcr-period'] / 1000 + wait + PACKET_SECONDS
}

/** A gap of 0 is none at all: there were not two of them. */
function tooLong(name: string, seconds: number, limitSeconds: number): string[] {
  if (seconds > 0 && seconds <= limitSeconds) return []
  return [`${name} every ${seconds} s, not every ${limitSeconds}.`]
}
