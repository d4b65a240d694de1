import { z } from 'zod'
import {
  echoed,
  HostName,
  Id,
  RemotePort,
  Title,
  unlessEmpty,
  Version,
  wholeNumberIn,
} from '../text.schema.ts'
import {
  AnyOrHost,
  AnyOrIp,
  BandwidthKbps,
  DEFAULT_STAT_INTERVAL_MS,
  LatencyMs,
  MaxBandwidthBytes,
  RistProfile,
  StatIntervalMs,
} from './input.schema.ts'
import { AdvancedParameters, Encryption, LinkMode } from './link.schema.ts'

export const OUTPUT_TYPES = ['SRT', 'RIST'] as const
export const OutputType = z.enum(OUTPUT_TYPES)
export type OutputType = z.infer<typeof OutputType>

/** The other way of a RIST output in mode Push: the same packets once more, to the same receiver. */
export const SecondPath = z.strictObject({ host: HostName, port: RemotePort, adapterIp: AnyOrIp })

/** OUT-FORM-03. Push: `host` is the destination; Listen: our own address, empty for Any. */
export const OutputConfig = z.strictObject({
  mode: LinkMode.default('Push'),
  host: AnyOrHost,
  /** Of the peer in mode Push, else our own, which is 1024 or more: see link.rules.ts. */
  port: RemotePort,
  latency: unlessEmpty(LatencyMs.default(3000)),
  adapterIp: AnyOrIp,
  maxBandWidth: unlessEmpty(MaxBandwidthBytes.default(625_000)),
  bandWidth: unlessEmpty(BandwidthKbps.default(625_000)),
  bufferMin: unlessEmpty(LatencyMs.optional()),
  reorderBuffer: unlessEmpty(wholeNumberIn(0, 5000, 'ms').optional()),
  profile: unlessEmpty(RistProfile.default(2)),
  /** Stored, without effect in the tool's profiles (Q173). */
  compression: z.enum(['Disabled', 'Enabled']).default('Disabled'),
  rtl: unlessEmpty(wholeNumberIn(0, 30_000, 'ms').optional()),
  statInterval: unlessEmpty(StatIntervalMs.default(DEFAULT_STAT_INTERVAL_MS)),
  /** Ours; RIST and Push only. */
  secondPath: SecondPath.optional(),
})
export type OutputConfig = z.output<typeof OutputConfig>

export const OutputDraft = z.strictObject({
  title: Title,
  inputType: OutputType,
  contributionId: Id,
  /** With it an empty `config.host` is filled with the destination's address. */
  destinationId: Id.nullish(),
  config: OutputConfig,
  encryption: Encryption.default({ selection: 'no', passphrase: '', type: 128 }),
  advanced: AdvancedParameters.default([]),
})
export type OutputDraft = z.output<typeof OutputDraft>

/** Everything of the output as it shall be; an empty passphrase keeps the stored one. */
export const OutputEdit = OutputDraft.extend({
  version: Version,
  ...echoed(['_id', 'id', 'name', 'contributionInfo', 'destinationInfo', 'isEnabled']),
})
export type OutputEdit = z.output<typeof OutputEdit>

export const Output = z.object({
  _id: z.string(),
  id: z.string(),
  name: z.string(),
  title: z.string(),
  inputType: OutputType,
  contributionId: z.string(),
  contributionInfo: z.object({
    _id: z.string(),
    title: z.string(),
    serverId: z.string(),
    config: z.object({ multicast: z.string(), port: z.union([z.string(), z.number()]) }),
  }),
  destinationId: z.string().nullable(),
  /**
   * As it is now: its address may have changed since the output took it over (Q151). Null also for
   * one of a group that the caller does not see.
   */
  destinationInfo: z.object({ _id: z.string(), title: z.string(), ip: z.string() }).nullable(),
  isEnabled: z.boolean(),
  config: OutputConfig.extend({ port: z.union([z.string(), z.number()]) }),
  encryption: Encryption,
  advanced: AdvancedParameters,
  version: z.number(),
})
export type Output = z.infer<typeof Output>
