/**
 * A test of the path between two hosts, as the API asks for it. The caller sends first; the responder
 * opens a port, and sends back to the caller alone. Both end by themselves.
 */
import { z } from 'zod'
import { HostName, Ipv4 } from '../text.schema.ts'

/** 128 random bits: nothing else of a packet says that it belongs to the test. */
const TestId = z.string().regex(/^[0-9a-f]{32}$/)

const Load = {
  testId: TestId,
  /** Of payload. */
  rateKbps: z.number().int().min(1).max(50_000),
  /** Of both directions together. */
  durationMs: z.number().int().min(1).max(60_000),
}

/** Opens the port, and waits there for the caller. */
export const OpenLinkTest = z.strictObject({
  ...Load,
  port: z.number().int().min(1024).max(65_535),
  /** Where the caller is expected to send from; packets from elsewhere are not taken. None: anywhere. */
  callerIps: z.array(Ipv4).max(300),
})
export type OpenLinkTest = z.infer<typeof OpenLinkTest>

/** Calls a responder that is open. */
export const CallLinkTest = z.strictObject({
  ...Load,
  host: HostName,
  port: z.number().int().min(1024).max(65_535),
})
export type CallLinkTest = z.infer<typeof CallLinkTest>

/** Both ends of a test may be on one host. */
export const LinkTestEnd = z.enum(['caller', 'responder'])
export type LinkTestEnd = z.infer<typeof LinkTestEnd>

export const LinkTestRef = z.strictObject({ testId: TestId, end: LinkTestEnd })
export type LinkTestRef = z.infer<typeof LinkTestRef>

/** A test that nobody reads for so long ends. */
export const LINK_TEST_UNREAD_MS = 10_000
/** What was measured can be read for so long after the end. */
export const LINK_TEST_KEPT_MS = 60_000

/** Of what this end sent. */
const SentPackets = z.object({ packets: z.number(), forMs: z.number() })

/** Of what this end received. */
const ReceivedPackets = z.object({
  /** Each counts once. */
  packets: z.number(),
  duplicates: z.number(),
  /** Came after a packet that was sent later. */
  reordered: z.number(),
  /** As far as the sequence numbers go that came. */
  expected: z.number(),
  /** Between the first and the last. */
  forMs: z.number(),
  /** Mean difference between the transit times of neighbours (RFC 3550, not smoothed); null before the second packet. */
  jitterMs: z.number().nullable(),
  /** Came to the host, but its kernel had no room for them. */
  droppedByHost: z.number(),
})
export type ReceivedPackets = z.infer<typeof ReceivedPackets>

export const RoundTrips = z.object({
  samples: z.number(),
  medianMs: z.number(),
  p95Ms: z.number(),
  highestMs: z.number(),
})
export type RoundTrips = z.infer<typeof RoundTrips>

export const LinkTestReport = z.object({
  /** As asked. */
  rateKbps: z.number(),
  durationMs: z.number(),
  /** The UDP port of the responder. */
  port: z.number(),
  /**
   * waiting: for the first packet of the other end. out: the caller sends. back: the responder sends.
   * That of an end that is over is its last.
   */
  phase: z.enum(['waiting', 'out', 'back']),
  phaseMs: z.number(),
  /**
   * Of an end that is over: done, silent: nothing came from the other end, or no more; cancelled;
   * unread: nobody asked for it any more; failed: `fault` says why.
   */
  outcome: z.enum(['done', 'silent', 'cancelled', 'unread', 'failed']).nullable(),
  fault: z.string(),
  sent: SentPackets,
  received: ReceivedPackets,
  /** Of the responder: probes of the caller that came. Of the caller: those that were answered. */
  probes: z.number(),
  /** The caller alone measures them. */
  roundTrips: z.object({ out: RoundTrips.nullable(), back: RoundTrips.nullable() }),
  /** Where packets of this test came from that was not expected; '' when nowhere. */
  strangerIp: z.string(),
})
export type LinkTestReport = z.infer<typeof LinkTestReport>
