/**
 * A RIST sender with a wrong secret. Mostly it prints what it prints when nobody is there, so its
 * row can say no more than that; sometimes it complains of what it cannot read.
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
  openLink,
  OTHER_PASSPHRASE,
  OWNER,
  PASSPHRASE,
  type LinkKind,
} from './link-matrix.fixture.ts'
import { startStream, type SteadyStream } from '../encoder-streams/steady-stream.ts'

const RATE_KBPS = 500
const SOME_DATAGRAMS = 50
const PUSH: LinkKind = { protocol: 'RIST Main', place: 'output', mode: 'Push', bits: 128 }

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

async function untilCause(programId: string, sentence: RegExp): Promise<void> {
  await eventually(() =>
    expect(programService.report(agent.ctx, programId)?.cause).toMatch(sentence),
  )
}

test('a RIST push with another secret: no peer, no rate, a sentence; the right secret ends it', async () => {
  await using link = await openLink(agent, stream, PUSH)
  const peers: string[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type === 'program') peers.push(event.report.peer)
  })
  await using wrong = link.startFarEnd({ passphrase: OTHER_PASSPHRASE, bits: 128 })
  await untilCause(link.programId, /different secrets|does not answer/)
  await programService.control(agent.ctx, OWNER, { programId: link.programId, command: 'restart' })
  await untilCause(link.programId, /different secrets|does not answer/)
  stop()
  expect(peers).not.toContain('connected')
  expect(programService.report(agent.ctx, link.programId)?.reading).toMatchObject({
    bitrateKbps: 0,
    packets: 0,
  })
  expect(link.sink.datagrams).toBe(0)

  await wrong.kill()
  await using _right = link.startFarEnd({ passphrase: PASSPHRASE, bits: 128 })
  await link.sink.until(SOME_DATAGRAMS)
  const report = await untilReport(
    agent.ctx,
    link.programId,
    (report) => report.peer === 'connected',
  )
  expect(report.cause).toBe('')
})
