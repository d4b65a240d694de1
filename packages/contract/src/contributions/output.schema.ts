import { z } from 'zod'
import { Id, Port, Title, wholeNumber } from '../text.schema.ts'
import {
  AnyOrHost,
  AnyOrIp,
  BandwidthKbps,
  LatencyMs,
  MaxBandwidthBytes,
  RistProfile,
  StatIntervalMs,
} from './input.schema.ts'
import { AdvancedParameters, Encryption, LinkMode } from './link.schema.ts'

export const OUTPUT_TYPES = ['SRT', 'RIST'] as const
export const OutputType = z.enum(OUTPUT_TYPES)
export type OutputType = z.infer<typeof OutputType>

/** OUT-FORM-03. Push: `host` is the destination; Listen: our own address, empty for Any. */
export const OutputConfig = z.strictObject({
  mode: LinkMode.default('Push'),
  host: AnyOrHost,
  port: Port,
  latency: LatencyMs.default(3000),
  adapterIp: AnyOrIp,
  maxBandWidth: MaxBandwidthBytes.default(625_000),
  bandWidth: BandwidthKbps.default(625_000),
  bufferMin: LatencyMs.optional(),
  reorderBuffer: wholeNumber(0, 5000, 'must be 0 to 5000 ms.').optional(),
  profile: RistProfile.default(2),
  /** Stored, without effect in the tool's profiles (Q173). */
  compression: z.enum(['Disabled', 'Enabled']).default('Disabled'),
  rtl: wholeNumber(0, 30_000, 'must be 0 to 30000 ms.').optional(),
  statInterval: StatIntervalMs.default(2000),
})
export type OutputConfig = z.output<typeof OutputConfig>

export const OutputDraft = z.strictObject({
  title: Title,
  inputType: OutputType,
  contributionId: Id,
  destinationId: Id.optional(),
  config: OutputConfig,
  encryption: Encryption.default({ selection: 'no', passphrase: '', type: 128 }),
  advanced: AdvancedParameters.default([]),
})
export type OutputDraft = z.output<typeof OutputDraft>

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
  isEnabled: z.boolean(),
  config: OutputConfig.extend({ port: z.union([z.string(), z.number()]) }),
  encryption: Encryption,
  advanced: AdvancedParameters,
  version: z.number(),
})
export type Output = z.infer<typeof Output>
