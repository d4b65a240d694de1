/** Test packets between two hosts of ours, before a link between them goes on air. */
import { z } from 'zod'
import { route } from '../route.ts'
import { HostName, Id, Port, unlessEmpty, wholeNumber } from '../text.schema.ts'
import {
  LEAST_TEST_RATE_KBPS,
  LEAST_TEST_S,
  LINK_TEST_RATE_KBPS,
  LINK_TEST_S,
  MOST_TEST_RATE_KBPS,
  MOST_TEST_S,
} from './link-test.rules.ts'
import { success } from '../reply.schema.ts'

const TestId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a link test.')

/** What can send first: encoders call servers, as their feeders do, and servers call each other. */
export const LinkTestHostKind = z.enum(['encoder', 'server'])
export type LinkTestHostKind = z.infer<typeof LinkTestHostKind>

/** What is known of an encoder or server as an end of a test. */
const LinkTestHost = z.object({
  title: z.string(),
  /** Where a server is reached: its host and its adapters. */
  addresses: z.array(z.string()),
  /** Why it cannot test now, a sentence with what to do; '' when it can. */
  unable: z.string(),
})

export const readLinkTestHost = route({
  name: 'linkTests.host',
  method: 'GET',
  path: '/api/link-tests/hosts/:kind/:id',
  action: 'testLinks',
  params: z.object({ kind: LinkTestHostKind, id: Id }),
  reply: success({ data: LinkTestHost }),
})

const RATE = `must be a whole number of kbit/s from ${LEAST_TEST_RATE_KBPS} to ${MOST_TEST_RATE_KBPS}.`
const DURATION = `must be a whole number of seconds from ${LEAST_TEST_S} to ${MOST_TEST_S}.`

/** Who calls, and the server that is called. */
const Ends = { fromKind: LinkTestHostKind, fromId: Id, toServerId: Id }

export const LinkTestDraft = z.strictObject({
  ...Ends,
  /** One of the addresses of that server. */
  address: HostName,
  /** UDP, of that server; left out: the next free one. */
  port: unlessEmpty(Port.optional()),
  /** Of payload, in each direction. */
  rateKbps: unlessEmpty(
    wholeNumber(LEAST_TEST_RATE_KBPS, MOST_TEST_RATE_KBPS, RATE).default(LINK_TEST_RATE_KBPS),
  ),
  /** Of both directions together. */
  durationS: unlessEmpty(wholeNumber(LEAST_TEST_S, MOST_TEST_S, DURATION).default(LINK_TEST_S)),
})
export type LinkTestDraft = z.output<typeof LinkTestDraft>

/** A test that was started. Its id and its two ends are all that is needed to read it. */
const StartedLinkTest = z.object({
  ...Ends,
  id: z.string(),
  address: z.string(),
  port: z.number(),
  rateKbps: z.number(),
  durationS: z.number(),
})
export type StartedLinkTest = z.infer<typeof StartedLinkTest>

/** It ends by itself, also when nobody reads it any more. */
export const startLinkTest = route({
  name: 'linkTests.start',
  method: 'POST',
  path: '/api/link-tests',
  action: 'testLinks',
  body: LinkTestDraft,
  reply: success({ data: StartedLinkTest }),
  successStatus: 201,
})

/** What was measured in a direction, so far or in the end. */
const TestedDirection = z.object({
  sentPackets: z.number(),
  receivedPackets: z.number(),
  sentKbps: z.number(),
  receivedKbps: z.number(),
  /** Of the packets that were sent; null before any came. */
  lossPercent: z.number().nullable(),
  duplicates: z.number(),
  reordered: z.number(),
  jitterMs: z.number().nullable(),
  /** Lost in the receiving host itself, not on the way to it. */
  droppedByHost: z.number(),
  rttMs: z
    .object({ samples: z.number(), median: z.number(), p95: z.number(), highest: z.number() })
    .nullable(),
  /** What an SRT or RIST link in this direction needs; null while it is not known. */
  needed: z.object({ latencyMs: z.number(), multiplier: z.number() }).nullable(),
})
export type TestedDirection = z.infer<typeof TestedDirection>

const LinkTestState = z.enum(['waiting', 'out', 'back', 'done', 'cancelled', 'failed'])

export const LinkTest = z.object({
  state: LinkTestState,
  /** Of the test packets of both directions together. */
  elapsedMs: z.number(),
  /** What went wrong or is in doubt, and what to do: sentences, the most important first. */
  findings: z.array(z.string()),
  /** From the host that calls, and back to it; null before the direction has begun. */
  out: TestedDirection.nullable(),
  back: TestedDirection.nullable(),
})
export type LinkTest = z.infer<typeof LinkTest>

const TestParams = z.object({ testId: TestId })
const TestQuery = z.strictObject(Ends)

/** Asks both hosts. 404 a minute after the end. */
export const readLinkTest = route({
  name: 'linkTests.read',
  method: 'GET',
  path: '/api/link-tests/:testId',
  action: 'testLinks',
  params: TestParams,
  query: TestQuery,
  reply: success({ data: LinkTest }),
})

export const cancelLinkTest = route({
  name: 'linkTests.cancel',
  method: 'DELETE',
  path: '/api/link-tests/:testId',
  action: 'testLinks',
  params: TestParams,
  query: TestQuery,
  reply: success({ id: z.string() }),
})
