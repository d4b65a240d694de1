/**
 * Each kind of link against another company's tool at its far end: SRT and RIST, in and out, waiting
 * and calling, clear and encrypted. All run at once; each test is one of them.
 */
import {
  eventually,
  freeUdpPort,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  allKinds,
  inLanes,
  nameOf,
  openLink,
  PASSPHRASE,
  type LinkKind,
  untilJoined,
  type LinkUnderTest,
} from './link-matrix.fixture.ts'
import { startStream, type SteadyStream } from '../encoder-streams/steady-stream.ts'

const RATE_KBPS = 1000
/** Two seconds of it. */
const ENOUGH_DATAGRAMS = 200

interface Carried {
  datagrams: number
  continuityErrors: number
  bitrateKbps: number
}

interface Life {
  first: Carried
  again: Carried
  restarts: number
}

let agent: TestAgent
let stream: SteadyStream
let lives: ReadonlyMap<string, Promise<Life>> = new Map()
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
  stream = await startStream(RATE_KBPS, await freeUdpPort())
  lives = inLanes(allKinds(), nameOf, liveOf)
  await Promise.allSettled(lives.values())
})
afterAll(async () => {
  stream[Symbol.dispose]()
  await agent[Symbol.asyncDispose]()
})

/** The peer comes, is killed, and comes again. */
async function liveOf(kind: LinkKind): Promise<Life> {
  await using link = await openLink(agent, stream, kind)
  const first = await carriedBy(link, async () => untilJoined(link.sink))
  await untilPeer(link, 'disconnected')
  // What its buffers still held of the first life may come yet.
  const again = await carriedBy(link, async () => {
    await untilPeer(link, 'connected')
    link.sink.empty()
    await untilJoined(link.sink)
  })
  const restarts = programService.report(agent.ctx, link.programId)?.restarts ?? Number.NaN
  return { first, again, restarts }
}

/** What comes through while a far end stands there. It is killed then. */
async function carriedBy(link: LinkUnderTest, before: () => Promise<void>): Promise<Carried> {
  await using _farEnd = link.startFarEnd({ passphrase: PASSPHRASE, bits: link.kind.bits })
  await before()
  await link.sink.until(ENOUGH_DATAGRAMS)
  await untilPeer(link, 'connected')
  const bitrateKbps = await bitrateOf(link)
  const { datagrams, continuityErrors } = link.sink
  return { datagrams, continuityErrors, bitrateKbps }
}

async function untilPeer({ programId }: LinkUnderTest, peer: 'connected' | 'disconnected') {
  return untilReport(
    agent.ctx,
    programId,
    (report) => report.state === 'running' && report.peer === peer,
  )
}

async function bitrateOf({ programId }: LinkUnderTest): Promise<number> {
  let found = 0
  await eventually(() => {
    found = programService.report(agent.ctx, programId)?.reading?.bitrateKbps ?? 0
    expect(found).toBeGreaterThan(0)
  })
  return found
}

test.each(allKinds().map(nameOf))(
  'CON-IN-26 CON-IN-44 CON-OUT-09 CON-OUT-21 %s: its stream arrives complete, and its peer is seen to connect, fail and return',
  async (name) => {
    const life = await lives.get(name)
    process.stdout.write(`${name}: ${JSON.stringify(life)}\n`)
    expect(life).toMatchObject({
      first: { continuityErrors: 0 },
      again: { continuityErrors: 0 },
    })
    // The caller of an input that is killed takes its listener with it (ADR 0027), unless it was there too briefly.
    const mayRestart = name.startsWith('SRT input, Listen')
    expect(life?.restarts).toBeLessThanOrEqual(mayRestart ? 1 : 0)
  },
)
