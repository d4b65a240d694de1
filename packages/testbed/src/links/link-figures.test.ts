/**
 * What a link says of itself, against what really passed: the stream is counted where it is made and
 * where it arrives, and between the two ends stands a relay that a test can cut.
 */
import {
  eventually,
  freeUdpPort,
  LIFE_LIMIT_MS,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { Leg, LocalLeg, ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LinkKind, outerLeg, OWNER } from './link-matrix.fixture.ts'
import {
  GROUP_IP,
  openSink,
  type Sink,
  startStream,
  type SteadyStream,
} from '../encoder-streams/steady-stream.ts'
import { openRelay, type UdpRelay } from './udp-relay.ts'

/** A second of SRT's statistics is then some lines, and a cut of some hundred datagrams half a second. */
const RATE_KBPS = 4500

let agent: TestAgent
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
})
afterAll(async () => agent[Symbol.asyncDispose]())

interface Chain extends AsyncDisposable {
  stream: SteadyStream
  /** Ends the stream; its count stays. */
  endStream(): void
  relay: UdpRelay
  sink: Sink
  sender: string
  receiver: string
}

/** Both ends are ours; the sender calls. */
async function openChain(protocol: LinkKind['protocol']): Promise<Chain> {
  const [listenPort, callPort] = [await evenPort(), await evenPort()]
  const bus = { ip: GROUP_IP, port: await freeUdpPort(), ttl: 1 }
  const sink = await openSink()
  const relay = await openRelay(callPort, listenPort)
  const kind = { protocol, bits: 0 } as const
  const receiver = `input-${listenPort}`
  const sender = `output-${listenPort}`
  await apply(receiver, 'receiver', {
    local: { ip: '127.0.0.1', port: sink.port, ttl: 1 },
    outer: outerLeg({ ...kind, place: 'input', mode: 'Listen' }, listenPort),
  })
  await apply(sender, 'sender', {
    local: bus,
    outer: outerLeg({ ...kind, place: 'output', mode: 'Push' }, callPort),
  })
  // What is made before SRT is connected would count as lost; RIST is not connected without data.
  if (protocol === 'SRT') {
    await untilReport(agent.ctx, sender, ({ peer }) => peer === 'connected')
  }
  const once = new DisposableStack()
  const stream = once.use(await startStream(RATE_KBPS, bus.port))
  return {
    stream,
    endStream: () => once.dispose(),
    relay,
    sink,
    sender,
    receiver,
    async [Symbol.asyncDispose]() {
      once.dispose()
      for (const id of [sender, receiver]) await programService.remove(agent.ctx, OWNER, id)
      await relay[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    },
  }
}

async function evenPort(): Promise<number> {
  const port = await freeUdpPort()
  return port % 2 === 0 ? port : evenPort()
}

async function apply(
  programId: string,
  kind: 'sender' | 'receiver',
  legs: { local: LocalLeg; outer: Leg },
): Promise<void> {
  await programService.apply(agent.ctx, OWNER, {
    programId,
    revision: 'r1',
    wanted: 'running',
    spec: { kind, local: legs.local, outer: patient(legs.outer) },
  })
}

/** With the tool's own patience of five seconds: a cut on a busy machine must not end the connection. */
function patient(outer: Leg): Leg {
  return outer.protocol === 'srt' ? { ...outer, advanced: [] } : outer
}

async function untilMedia(programId: string, media: 'moving' | 'silent'): Promise<ProgramReport> {
  return untilReport(agent.ctx, programId, ({ observed }) => observed?.media === media)
}

function readingOf(programId: string): LinkReading {
  const reading = programService.report(agent.ctx, programId)?.reading
  if (reading?.kind !== 'link') throw new Error(`${programId} has no reading.`)
  return reading
}

test.each<LinkKind['protocol']>(['SRT', 'RIST Main'])(
  'CON-OUT %s: without a stream on the bus both ends stay connected and carry nothing',
  async (protocol) => {
    await using chain = await openChain(protocol)
    await untilMedia(chain.sender, 'moving')
    await untilMedia(chain.receiver, 'moving')
    const begunMs = Date.now()
    chain.endStream()
    for (const id of [chain.sender, chain.receiver]) {
      const report = await untilMedia(id, 'silent')
      expect(report).toMatchObject({ state: 'running', peer: 'connected' })
      expect(report.reading?.bitrateKbps).toBe(0)
      // Silent since its last data, not since the program or this test began to look.
      expect(report.observed?.mediaSinceMs).toBeGreaterThan(report.startedAtMs ?? 0)
      expect(report.observed?.mediaSinceMs).toBeLessThanOrEqual(Date.now())
      expect(report.observed?.peerSinceMs).toBeLessThanOrEqual(begunMs)
    }
  },
  LIFE_LIMIT_MS,
)

test('SRT: the receiving end counts dropped packets exactly, the sending end does not', async () => {
  await using chain = await openChain('SRT')
  const { stream, relay, sink } = chain
  await sink.until(500)
  const atCut = stream.sent
  relay.isCut = true
  await eventually(() => expect(stream.sent - atCut).toBeGreaterThan(350))
  relay.isCut = false
  await sink.until(sink.datagrams + 1000)
  chain.endStream()
  await eventually(() => {
    const missing = stream.sent - sink.datagrams
    expect(missing).toBeGreaterThan(0)
    expect(readingOf(chain.receiver).droppedPackets).toBe(missing)
  })
  expect(readingOf(chain.sender)).toMatchObject({ lostPackets: null, droppedPackets: null })
})

test('RIST: both ends count what arrives, and no control packets', async () => {
  await using chain = await openChain('RIST Main')
  await chain.sink.until(3000)
  chain.endStream()
  await untilMedia(chain.sender, 'silent')
  await untilMedia(chain.receiver, 'silent')
  // The first packet of a flow is in no line of the receiver.
  expectWithin2Percent(readingOf(chain.receiver).packets, chain.sink.datagrams)
  expectWithin2Percent(readingOf(chain.sender).packets, chain.sink.datagrams)
  expect(readingOf(chain.sender)).toMatchObject({ lostPackets: null, droppedPackets: null })
})

function expectWithin2Percent(reported: number, counted: number): void {
  expect(
    Math.abs(reported - counted) / counted,
    `${reported} reported, ${counted} counted`,
  ).toBeLessThan(0.02)
}
