/**
 * A live stream as a media server answers it (streamer API v3 field names, dataplane.md 7). Read
 * leniently: older servers leave fields out, newer ones add some, and a field of another form than
 * ours is taken for one that was left out. Only a stream without a name is none.
 */
import { z } from 'zod'
import { Sentence } from '../sentence.schema.ts'

function lenient<const T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined)
}

/** Entries that cannot be read are left out; what is no list is an empty one. */
function lenientList<const T extends z.ZodType>(schema: T) {
  return z
    .preprocess(beginning, z.array(schema.nullable().catch(null)))
    .catch([])
    .default([])
    .transform((entries) => entries.filter((entry) => entry !== null))
}

/** As many as a call takes of pushes; more inputs or tracks than that are no stream's. */
const LIST_ENTRIES = 64

function beginning(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, LIST_ENTRIES) : value
}

/** What a browser can write as a date (ECMAScript, time values). */
const LAST_DATE_MS = 8_640_000_000_000_000

/** Milliseconds since 1970. The documentation has some of these in seconds; both are taken. */
const TimeMs = z
  .number()
  .nonnegative()
  .max(LAST_DATE_MS)
  .transform((time) => (time < SECONDS_END ? time * 1000 : time))
/** Milliseconds that small lie in 1973, seconds that large in the year 5138. */
const SECONDS_END = 100_000_000_000

export const MediaTrack = z.object({
  content: z.string(),
  codec: lenient(z.string()),
  width: lenient(z.number()),
  height: lenient(z.number()),
  /** kbit/s. */
  bitrate: lenient(z.number()),
  fps: lenient(z.number()),
  /** Pictures between the last two key frames: what a segment can be cut at. */
  last_gop: lenient(z.number()),
  language: lenient(z.string()),
  track_id: lenient(z.string()),
})
export type MediaTrack = z.infer<typeof MediaTrack>

const MediaInfo = z.object({ tracks: lenientList(MediaTrack) })

export const StreamInput = z.object({
  url: z.string(),
  /** The lower comes first. */
  priority: lenient(z.number()),
  stats: lenient(
    z.object({
      active: lenient(z.boolean()),
      bytes: lenient(z.number()),
      opened_at: lenient(TimeMs),
      /** Since when it is well, or gives nothing; of our own channel server. */
      since: lenient(TimeMs),
      /** Since when the picture comes from it; of our own channel server. */
      active_since: lenient(TimeMs),
      /** When its last picture came. */
      last_dts_at: lenient(TimeMs),
      /** kbit/s; of our own channel server. */
      bitrate: lenient(z.number()),
      /** Chosen by hand; of our own channel server. */
      selected: lenient(z.boolean()),
      /** What is wrong with it, a sentence; older servers and ours. */
      error: lenient(Sentence),
      /** What receives it is paused or does not run there, so that nothing can come; of our own channel server. */
      receiver_down: lenient(z.boolean()),
      /** Why browsers cannot show the picture that it brings, a sentence; of our own channel server. */
      unplayable: lenient(Sentence),
      media_info: lenient(MediaInfo),
    }),
  ),
})
export type StreamInput = z.infer<typeof StreamInput>

export const StreamPush = z.object({
  url: z.string(),
  disabled: lenient(z.boolean()),
  stats: lenient(
    z.object({
      status: lenient(z.string()),
      /** Sent since it was opened. */
      bytes: lenient(z.number()),
      /** kbit/s; of our own channel server. */
      bitrate: lenient(z.number()),
      /** Since the last time that it went through. */
      retries: lenient(z.number()),
      last_error: lenient(z.string()),
      opened_at: lenient(TimeMs),
    }),
  ),
})
export type StreamPush = z.infer<typeof StreamPush>

/** What viewers get is a picture and sound, and yet nothing to be seen or heard. */
export const StreamFinding = z.object({
  kind: z.enum(['black', 'frozen', 'silent']),
  since: TimeMs,
})
export type StreamFinding = z.infer<typeof StreamFinding>

/** How loud the newest segment is. */
export const AudioLevel = z.object({
  /** The loudest sample of left and right, in dB below full scale: 0 or less. */
  peak_dbfs: z.array(z.number()).min(1).max(LIST_ENTRIES),
  /** When the segment ends, the host's clock. */
  at: TimeMs,
})
export type AudioLevel = z.infer<typeof AudioLevel>

const StreamStats = z.object({
  alive: lenient(z.boolean()),
  status: lenient(z.string()),
  /** kbit/s. */
  input_bitrate: lenient(z.number()),
  /** bit/s; missing on older servers. */
  inputs_bandwidth: lenient(z.number()),
  running_transcoder: lenient(z.boolean()),
  dvr_enabled: lenient(z.boolean()),
  opened_at: lenient(TimeMs),
  last_dts_at: lenient(TimeMs),
  /** Since when no media come, while `alive` is false; of our own channel server. */
  since: lenient(TimeMs),
  /** Since when it is started or restarted by a command, until its picture is there; of our own channel server. */
  starting_since: lenient(TimeMs),
  /** Of our own channel server, the picture's before the sound's. */
  findings: lenient(z.array(StreamFinding).max(LIST_ENTRIES)),
  /** Of our own channel server. */
  audio_level: lenient(AudioLevel),
  /** Why browsers cannot show the picture that is passed on, a sentence; of our own channel server. */
  unplayable: lenient(Sentence),
  /** Whether HLS needs a playback token; of our own channel server. */
  playback: lenient(z.enum(['signed', 'open'])),
  media_info: lenient(MediaInfo),
})

export const StreamDetail = z.object({
  name: z.string(),
  title: lenient(z.string()),
  disabled: lenient(z.boolean()),
  template: lenient(z.string().nullable()),
  /** What segments are asked to last, in milliseconds; key frames decide what they do. */
  segment_duration: lenient(z.number()),
  /** Segments in the playlist. */
  segment_count: lenient(z.number()),
  inputs: lenientList(StreamInput),
  pushes: lenientList(StreamPush),
  stats: StreamStats.catch({}).default({}),
})
export type StreamDetail = z.infer<typeof StreamDetail>
