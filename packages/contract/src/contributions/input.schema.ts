import { z } from 'zod'
import {
  echoed,
  HostName,
  Id,
  Ipv4,
  MulticastIp,
  numberChoice,
  Port,
  RemotePort,
  Title,
  unlessEmpty,
  Version,
  wholeNumber,
  wholeNumberIn,
} from '../text.schema.ts'
import { AdvancedParameters, Encryption, LinkMode } from './link.schema.ts'

export const INPUT_TYPES = ['Local', 'aCANFeeder', 'SRT', 'RIST'] as const
export const InputType = z.enum(INPUT_TYPES)
export type InputType = z.infer<typeof InputType>

/** Empty stands for Any (IN-FORM-15, Q164). */
export const AnyOrHost = z.preprocess(anyToEmpty, z.union([z.literal(''), HostName]).default(''))
export const AnyOrIp = z.preprocess(anyToEmpty, z.union([z.literal(''), Ipv4]).default(''))

function anyToEmpty(value: unknown): unknown {
  return typeof value === 'string' && value.trim().toLowerCase() === 'any' ? '' : value
}

function groupAlone(value: unknown): unknown {
  const group = anyToEmpty(value)
  return typeof group === 'string' ? group.trim().replace(/:\d{1,5}$/, '') : group
}

export const LatencyMs = wholeNumberIn(20, 30_000, 'ms')
/** SRT counts bytes a second, so 625000 is 5 Mbit/s (Q172). */
export const MaxBandwidthBytes = wholeNumber(
  0,
  1_250_000_000,
  'must be 0 (no cap) to 1250000000 bytes/s.',
)
/** RIST counts kbit a second, so 625000 is 625 Mbit/s (Q172). */
export const BandwidthKbps = wholeNumberIn(0, 10_000_000, 'kbit/s')
export const RistProfile = numberChoice([1, 2], 'must be 2 (Main) or 1 (Simple).')
/** A RIST tool tells only by a whole interval without packets that nothing comes any more. */
export const DEFAULT_STAT_INTERVAL_MS = 1000
export const StatIntervalMs = wholeNumberIn(500, 60_000, 'ms')

/** IN-FORM-03. `multicast` and `multicastPort` are the local bus, `port` the outer leg (decisions.md 1). */
export const InputConfig = z.strictObject({
  mode: LinkMode.default('Listen'),
  host: AnyOrHost,
  /** Of the peer in mode Push, else our own, which is 1024 or more: see link.rules.ts. */
  port: RemotePort,
  /** Empty: the API picks a free group. Foreign clients write a port behind it, which is not its own (Q160). */
  multicast: z.preprocess(groupAlone, z.union([z.literal(''), MulticastIp]).default('')),
  multicastPort: unlessEmpty(Port.optional()),
  adapterIp: AnyOrIp,
  latency: unlessEmpty(LatencyMs.default(3000)),
  maxBandWidth: unlessEmpty(MaxBandwidthBytes.default(625_000)),
  bandWidth: unlessEmpty(BandwidthKbps.default(625_000)),
  bufferMin: unlessEmpty(LatencyMs.optional()),
  profile: unlessEmpty(RistProfile.default(2)),
  statInterval: unlessEmpty(StatIntervalMs.default(DEFAULT_STAT_INTERVAL_MS)),
  logLevel: unlessEmpty(numberChoice([1, 2, 3], 'must be 1, 2 or 3.').default(1)),
  ttl: unlessEmpty(wholeNumberIn(0, 255, '').default(1)),
})
export type InputConfig = z.output<typeof InputConfig>

export const InputDraft = z.strictObject({
  title: Title,
  inputType: InputType,
  serverId: z.string('Server is not selected').min(1, 'Server is not selected').max(64),
  groupId: Id,
  config: InputConfig,
  encryption: Encryption.default({ selection: 'no', passphrase: '', type: 128 }),
  advanced: AdvancedParameters.default([]),
})
export type InputDraft = z.output<typeof InputDraft>

/** Of a new input that takes a feeder's stream: an empty passphrase is that feeder's, copied by the API. */
export const NewInput = InputDraft.extend({
  feeder: z.strictObject({ encoderId: Id, name: Id }).optional(),
})
export type NewInput = z.output<typeof NewInput>

/**
 * Everything of the input as it shall be; an empty passphrase keeps the stored one. Its server is
 * changed by `links.changeServer` alone: another one here is refused.
 */
export const InputEdit = InputDraft.extend({
  version: Version,
  ...echoed(['_id', 'id', 'name', 'serverInfo', 'outputIds', 'isEnabled', 'groupInfo']),
})
export type InputEdit = z.output<typeof InputEdit>

const ServerRef = z.object({ _id: z.string(), title: z.string(), host: z.string() })

export const Input = z.object({
  _id: z.string(),
  id: z.string(),
  /** Made by the API, unique; the bulk calls name inputs by it (Q137). */
  name: z.string(),
  title: z.string(),
  inputType: InputType,
  serverId: z.string(),
  groupId: z.string(),
  serverInfo: ServerRef,
  outputIds: z.array(z.string()),
  isEnabled: z.boolean(),
  /** SRT ports are answered as text, the others as numbers (Q168). */
  config: InputConfig.extend({ port: z.union([z.string(), z.number()]) }),
  encryption: Encryption,
  advanced: AdvancedParameters,
  version: z.number(),
})
export type Input = z.infer<typeof Input>
