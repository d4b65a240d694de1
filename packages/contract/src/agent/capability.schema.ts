/** What a host can do, as its agent found by trying. */
import { z } from 'zod'
import { Sentence } from '../sentence.schema.ts'

export const SourceKind = z.enum(['test-pattern', 'file', 'v4l2', 'decklink'])
export const HostSource = z.object({
  cardIdx: z.number().int(),
  kind: SourceKind,
  label: z.string(),
  /** Why nothing can be encoded from it now, an operator's sentence; '' when it can. */
  unusable: Sentence.default(''),
})
export type HostSource = z.infer<typeof HostSource>

export const Capabilities = z.object({
  agentVersion: z.string(),
  /** Of the whole host; 0 when an older agent does not say. */
  cpuCores: z.number().int().default(0),
  /** Tool name to version; an absent tool is missing on this host. */
  tools: z.record(z.string(), z.string()),
  /** ffmpeg encoders of use to us: libx264, libtwolame, aac, libfdk_aac … */
  encoders: z.array(z.string()),
  sources: z.array(HostSource),
  adapters: z.array(z.object({ name: z.string(), ip: z.string() })),
  /** Multicast on the loopback interface, tried at start (decisions.md 2). */
  localBus: z.object({ works: z.boolean(), reason: Sentence }),
  /** It measures the transport streams of its links; older agents do not. */
  checksTransports: z.boolean().optional(),
  /** It counts them by the minute and keeps the minutes for the API; older agents do not. */
  countsTransports: z.boolean().optional(),
  /** It sends and receives the packets of link tests; older agents do not. */
  testsLinks: z.boolean().optional(),
})
export type Capabilities = z.infer<typeof Capabilities>
