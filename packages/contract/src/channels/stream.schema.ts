/**
 * A live stream as a media server answers it (streamer API v3 field names, dataplane.md 7). Read
 * leniently: older servers leave fields out, newer ones add some.
 */
import { z } from 'zod'

export const MediaTrack = z.object({
  content: z.string(),
  codec: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  /** kbit/s. */
  bitrate: z.number().optional(),
  fps: z.number().optional(),
  language: z.string().optional(),
  track_id: z.string().optional(),
})
export type MediaTrack = z.infer<typeof MediaTrack>

export const StreamInput = z.object({
  url: z.string(),
  priority: z.number().optional(),
  stats: z
    .object({
      active: z.boolean().optional(),
      bytes: z.number().optional(),
      opened_at: z.number().optional(),
    })
    .optional(),
})

export const StreamPush = z.object({
  url: z.string(),
  disabled: z.boolean().optional(),
  stats: z
    .object({
      status: z.string().optional(),
      bytes: z.number().optional(),
      opened_at: z.number().optional(),
    })
    .optional(),
})

export const StreamStats = z.object({
  alive: z.boolean().optional(),
  status: z.string().optional(),
  /** kbit/s. */
  input_bitrate: z.number().optional(),
  /** bit/s; missing on older servers. */
  inputs_bandwidth: z.number().optional(),
  running_transcoder: z.boolean().optional(),
  dvr_enabled: z.boolean().optional(),
  /** Milliseconds since 1970. */
  opened_at: z.number().optional(),
  last_dts_at: z.number().optional(),
  media_info: z.object({ tracks: z.array(MediaTrack).optional() }).optional(),
})

export const StreamDetail = z.object({
  name: z.string(),
  title: z.string().optional(),
  disabled: z.boolean().optional(),
  template: z.string().nullable().optional(),
  inputs: z.array(StreamInput).default([]),
  pushes: z.array(StreamPush).default([]),
  stats: StreamStats.default({}),
})
export type StreamDetail = z.infer<typeof StreamDetail>
