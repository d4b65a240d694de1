/**
 * What a listening output does with more than one receiver, as the form and the manual say it
 * (`receiversHint`): SRT serves one and lets the next one wait, RIST serves all.
 */
import {
  freeUdpPort,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { Leg } from '@trunkline/contract/agent/program.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outerLeg, OWNER, startTool } from './link-matrix.fixture.ts'
import { openSink, startStream, type SteadyStream } from '../encoder-streams/steady-stream.ts'

const RATE_KBPS = 1000
/** A second of it. */
const SOME_DATAGRAMS = 100

let agent: TestAgent
let stream: SteadyStream
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
  stream = await startStream(RATE_KBPS, await freeUdpPort())
})
afterAll(async () => {
  stream[Symbol.dispose]()
  await agent[Symbol.asyncDispose]()
})

async function openOutput(protocol: 'SRT' | 'RIST Main', port: number): Promise<string> {
  const outer: Leg = outerLeg({ protocol, place: 'output', mode: 'Listen', bits: 0 }, port)
  const programId = `output-${port}`
  await programService.apply(agent.ctx, OWNER, {
    programId,
    revision: 'r1',
    wanted: 'running',
    spec: { kind: 'sender', local: { ip: stream.ip, port: stream.port, ttl: 1 }, outer },
  })
  return programId
}

function srtReceiver(port: number, sinkPort: number) {
  const from = `srt://127.0.0.1:${port}?mode=caller&latency=300`
  return startTool(['srt-live-transmit', from, `udp://127.0.0.1:${sinkPort}`])
}

function ristReceiver(port: number, sinkPort: number) {
  const from = `rist://127.0.0.1:${port}?buffer=300`
  return startTool(['ristreceiver', '-i', from, '-o', `udp://127.0.0.1:${sinkPort}`])
}

test('an SRT output that listens serves one receiver; the second waits and takes over', async () => {
  const port = await freeUdpPort()
  const programId = await openOutput('SRT', port)
  await using first = await openSink()
  await using second = await openSink()
  await using firstReceiver = srtReceiver(port, first.port)
  await first.until(SOME_DATAGRAMS)
  await using _secondReceiver = srtReceiver(port, second.port)
  first.empty()
  // Several seconds: what would come to the second had come by then.
  await first.until(4 * SOME_DATAGRAMS)
  expect(second.datagrams).toBe(0)
  expect(first.continuityErrors).toBe(0)

  await firstReceiver.kill()
  await second.until(SOME_DATAGRAMS)
  const report = await untilReport(agent.ctx, programId, (report) => report.peer === 'connected')
  expect(report.restarts).toBe(0)
})

test('a RIST output that listens serves several receivers; one of them may leave', async () => {
  const port = await freeUdpPort()
  const programId = await openOutput('RIST Main', port)
  await using first = await openSink()
  await using second = await openSink()
  await using firstReceiver = ristReceiver(port, first.port)
  await first.until(SOME_DATAGRAMS)
  await using _secondReceiver = ristReceiver(port, second.port)
  await second.until(SOME_DATAGRAMS)
  await first.until(3 * SOME_DATAGRAMS)
  await firstReceiver.kill()
  await second.until(8 * SOME_DATAGRAMS)
  expect(first.continuityErrors).toBe(0)
  expect(second.continuityErrors).toBe(0)
  const report = await untilReport(agent.ctx, programId, (report) => report.peer === 'connected')
  expect(report).toMatchObject({ cause: '', restarts: 0 })
  expect(report.reading).not.toHaveProperty('paths')
})
