/** The signal path of an object: the hops before and behind it, joined from what is configured. */
import { z } from 'zod'
import { InputType } from '../contributions/input.schema.ts'
import { FAMILIES, SHAPES } from '../fleet/state-view.rules.ts'
import { Sentence } from '../sentence.schema.ts'

export const HopKind = z.enum([
  'encoder',
  'feeder',
  'input',
  'output',
  'destination',
  'channel',
  'push',
])
export type HopKind = z.infer<typeof HopKind>

/** What is known of a hop, as four facts; a fact of which nothing is known is left out. */
export const HopFact = z.object({
  name: z.enum(['process', 'link', 'media', 'delivery']),
  family: z.enum(FAMILIES),
  shape: z.enum(SHAPES),
  text: Sentence,
  /** Since when it is so; null when not known. Milliseconds since 1970, API clock. */
  sinceMs: z.number().nullable(),
  /** When its host last reported it; null when it never did. */
  readAtMs: z.number().nullable(),
})
export type HopFact = z.infer<typeof HopFact>

/** As in state-view.rules.ts. */
const HopState = z.object({
  family: z.enum(FAMILIES),
  shape: z.enum(SHAPES),
  word: Sentence,
  cause: Sentence,
  sinceMs: z.number().nullable(),
})

/** The far side of a feeder, input or output, as it is configured. */
const HopLink = z.object({
  protocol: z.enum(['srt', 'rist']),
  mode: z.enum(['listen', 'call']),
  /** That it calls; '' when it listens. */
  host: z.string(),
  port: z.number(),
  latencyMs: z.number(),
})

/** Seen from the object whose path it is. */
const Side = z.enum(['before', 'self', 'behind'])

export const ShownHop = z.object({
  isShown: z.literal(true),
  key: z.string(),
  side: Side,
  kind: HopKind,
  /** Of a push output its place in the list of its stream, from 0. */
  id: z.string(),
  title: z.string(),
  /** Titles of its groups. */
  groups: z.array(z.string()),
  /** Title of the server that it runs on; of an encoder and its feeders the address of their host; '' for none. */
  server: z.string(),
  /** Hops of one host have the same, which is no address; '' for none. */
  hostKey: z.string(),
  isEnabled: z.boolean(),
  isConfigured: z.boolean(),
  inputType: InputType.nullable(),
  link: HopLink.nullable(),
  /** Of a channel and its push outputs: where the stream is. Of an input and output: the server it runs on. '' otherwise. */
  serverId: z.string(),
  /** Of a channel and its push outputs: the stream's name on its server; '' otherwise. */
  streamName: z.string(),
  /** Of a feeder its encoder's id, of an output its input's, of a push output its channel's; '' otherwise. */
  ownerId: z.string(),
  /** Of an input the group's id; '' otherwise. */
  groupId: z.string(),
  state: HopState,
  facts: z.array(HopFact),
})
export type ShownHop = z.infer<typeof ShownHop>

/**
 * Of what the viewer may not see: its health, and nothing else. group: it is in another group; role:
 * their role sees none of its kind.
 */
export const HiddenHop = z.object({
  isShown: z.literal(false),
  key: z.string(),
  side: Side,
  why: z.enum(['group', 'role']),
  family: z.enum(FAMILIES),
})
export type HiddenHop = z.infer<typeof HiddenHop>

export const Hop = z.discriminatedUnion('isShown', [ShownHop, HiddenHop])
export type Hop = z.infer<typeof Hop>

/** The stream goes from one hop to the other; both are keys of hops. */
export const HopEdge = z.object({ before: z.string(), behind: z.string() })
export type HopEdge = z.infer<typeof HopEdge>

/** More are not shown of one path; `isCut` says that there are more. */
export const HOPS_AT_MOST = 200
/** Of each of many paths in a list. */
export const LISTED_HOPS_AT_MOST = 40

export const SignalPath = z.object({
  hops: z.array(Hop),
  edges: z.array(HopEdge),
  isCut: z.boolean(),
})
export type SignalPath = z.infer<typeof SignalPath>
