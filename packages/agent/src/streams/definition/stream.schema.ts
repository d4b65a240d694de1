/** A stream as it is put to us and as it is kept. Field names are the streamer API's, version 3. */
import { StreamName } from '@trunkline/contract/channels/channel.schema'
import { Ipv4, Port, Title } from '@trunkline/contract/text.schema'
import { z } from 'zod'

const MAX_INPUTS = 8
const MAX_PUSHES = 32

/** What a client echoes back from our answers; known, and not its to set. */
const echoed = {
  stats: z.unknown().optional(),
  static: z.unknown().optional(),
  named_by: z.unknown().optional(),
  position: z.unknown().optional(),
}

const PutInput = z.strictObject({
  url: z.string(),
  /** The lower comes first; without one, the order of the list decides. */
  priority: z.number().int().min(0).max(1000).optional(),
  ...echoed,
})
const PutPush = z.strictObject({
  url: z.string(),
  disabled: z.boolean().nullable().optional(),
  ...echoed,
})

/** A partial upsert: an absent field stays, null takes it away. */
export const StreamPut = z.strictObject({
  name: StreamName.optional(),
  title: Title.nullable().optional(),
  disabled: z.boolean().nullable().optional(),
  inputs: z.array(PutInput).max(MAX_INPUTS).nullable().optional(),
  pushes: z.array(PutPush).max(MAX_PUSHES).nullable().optional(),
  /** One of our transcoding templates by name; none passes the picture on as it came. */
  template: z.string().max(40).nullable().optional(),
  /** Milliseconds, as the streamer API has it. */
  segment_duration: z.number().int().min(1000).max(15_000).nullable().optional(),
  segment_count: z.number().int().min(3).max(60).nullable().optional(),
  /** Seconds without a picture after which another input takes over; none: ours. */
  source_timeout: z.number().int().min(1).max(600).nullable().optional(),
  ...echoed,
})
export type StreamPut = z.output<typeof StreamPut>

export const StoredInput = z.object({
  url: z.string(),
  priority: z.number().nullable(),
  /** Its own leg on the local bus. */
  bus: z.object({ ip: Ipv4, port: Port }),
})
export type StoredInput = z.output<typeof StoredInput>

export const StoredStream = z.object({
  name: StreamName,
  title: z.string(),
  disabled: z.boolean(),
  inputs: z.array(StoredInput),
  pushes: z.array(z.object({ url: z.string(), disabled: z.boolean() })),
  /** Which input is shown and pushed; '' without inputs. */
  currentUrl: z.string(),
  /** Which input somebody chose by hand: it comes before all others while it is well; '' for none. */
  selectedUrl: z.string().default(''),
  template: z.string().nullable().default(null),
  segmentDurationMs: z.number().default(2000),
  segmentCount: z.number().default(6),
  sourceTimeoutS: z.number().nullable().default(null),
})
export type StoredStream = z.output<typeof StoredStream>

export const StreamListQuery = z.strictObject({
  limit: z.coerce.number('must be a number.').int().min(1).max(1000).default(100),
  cursor: z.string().max(200).optional(),
  /** Field names with commas between; `name` always comes along. */
  select: z.string().max(500).optional(),
})
export type StreamListQuery = z.output<typeof StreamListQuery>
