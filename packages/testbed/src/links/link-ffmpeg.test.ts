/** ffmpeg at both far ends of a contribution: it calls our input, and calls our output for the stream. */
import { freeUdpPort, openTestAgent, untilReport } from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import { LATENCY_MS, outerLeg, OWNER, PASSPHRASE, startTool } from './link-matrix.fixture.ts'
import { GROUP_IP, openSink } from '../encoder-streams/steady-stream.ts'

const ENOUGH_DATAGRAMS = 100
const SRT_LISTENER = { protocol: 'SRT', mode: 'Listen', bits: 256 } as const

/** ffmpeg counts the latency in microseconds. */
function srtUrl(port: number): string {
  return `srt://127.0.0.1:${port}?mode=caller&latency=${LATENCY_MS * 1000}&passphrase=${PASSPHRASE}&pbkeylen=32`
}

const PICTURE = '-re -f lavfi -i testsrc=size=160x90:rate=25 -c:v mpeg2video -b:v 500k'

test('CON-OUT-21 an encrypted stream of ffmpeg comes in, runs over the local bus, and ffmpeg fetches it', async () => {
  await using agent = await openTestAgent(['acants'])
  await using sink = await openSink()
  const [busPort, inPort, outPort] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const local = { ip: GROUP_IP, port: busPort, ttl: 1 }
  const apply = async (programId: string, spec: ProgramSpec) =>
    programService.apply(agent.ctx, OWNER, { programId, revision: 'r1', wanted: 'running', spec })
  const untilConnected = async (programId: string) =>
    untilReport(
      agent.ctx,
      programId,
      (report) => report.state === 'running' && report.peer === 'connected',
    )
  const input = outerLeg({ ...SRT_LISTENER, place: 'input' }, inPort)
  const output = outerLeg({ ...SRT_LISTENER, place: 'output' }, outPort)
  await apply('input', { kind: 'receiver', local, outer: input })
  await apply('output', { kind: 'sender', local, outer: output })

  await using _sends = startTool(
    `ffmpeg -nostdin -loglevel error ${PICTURE} -f mpegts ${srtUrl(inPort)}&pkt_size=1316`.split(
      ' ',
    ),
  )
  await using _fetches = startTool(
    `ffmpeg -nostdin -loglevel error -i ${srtUrl(outPort)} -c copy -f mpegts udp://127.0.0.1:${sink.port}?pkt_size=1316`.split(
      ' ',
    ),
  )
  await untilConnected('input')
  await untilConnected('output')
  await sink.until(ENOUGH_DATAGRAMS)
  expect(sink.continuityErrors).toBe(0)
})
