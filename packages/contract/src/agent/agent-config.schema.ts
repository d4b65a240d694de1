/** The agent's configuration file (JSON, 0600): its seats, sources and folders (decisions.md 6, 8). */
import { z } from 'zod'
import { BusNetwork } from './bus-network.schema.ts'
import { SourceKind } from './capability.schema.ts'

export const Seat = z.strictObject({
  kind: z.enum(['encoder', 'acants', 'channel']),
  /** Address to listen on; loopback in the demo. */
  listenIp: z.string().default('0.0.0.0'),
  port: z.number().int().min(1).max(65535),
  key: z.string().min(8).max(256),
  /**
   * Of a seat of kind 'channel': 'signed' serves HLS to links with a valid token only, 'open' to
   * anybody. Left out it is open, because older files do not have it and players hold plain links.
   */
  playback: z.enum(['signed', 'open']).optional(),
})
export type Seat = z.infer<typeof Seat>

export const SourceConfig = z.strictObject({
  cardIdx: z.number().int().min(0).max(63),
  kind: SourceKind,
  /** Device or file path; unused for the test pattern. */
  device: z.string().max(300).default(''),
  /**
   * Of a test pattern, for practice: a file that must exist. The picture is small and seldom, whatever
   * the video format, so that a dozen encoders take less than a core, and black while the file holds
   * any text.
   */
  practiceCover: z.string().min(1).max(300).optional(),
})
export type SourceConfig = z.infer<typeof SourceConfig>

export const AgentConfig = z.strictObject({
  /** Units, logs, streams, supervisord's socket and files live here. */
  dataDir: z.string().min(1),
  seats: z.array(Seat).min(1),
  sources: z.array(SourceConfig).default([]),
  /**
   * Which multicast groups the channel server uses between its programs, such as 239.64.0.0/16; left
   * out, the agent chooses a network that nobody on the host uses, and keeps it.
   */
  busNetwork: BusNetwork.optional(),
  /**
   * Certificate authorities (a PEM file) that the far ends of https and rtmps must have theirs from,
   * in place of those that the system trusts.
   */
  caFile: z.string().min(1).max(300).optional(),
  /** GET /metrics for Prometheus, with this key; left out, there are none. */
  metrics: z
    .strictObject({
      listenIp: z.string().default('127.0.0.1'),
      port: z.number().int().min(1).max(65535),
      key: z.string().min(16).max(256),
    })
    .optional(),
})
export type AgentConfig = z.infer<typeof AgentConfig>
