/** Two supervisords on one host: what a program of one does on a group of the other is found and named. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { srtLeg } from '../commands/leg.fixture.ts'
import { freeUdpPort, openTestAgent, unitOf, type TestAgent } from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'
import { adapters } from './host.ts'
import { foreignGroups } from './bus-use.ts'
import { isGroupFree, isUdpPortFree, type UdpAddress } from './free-port.ts'

let ours: TestAgent
let theirs: TestAgent
beforeAll(async () => {
  ours = await openTestAgent()
  theirs = await openTestAgent()
})
afterAll(async () => {
  await ours[Symbol.asyncDispose]()
  await theirs[Symbol.asyncDispose]()
})

async function newGroup(): Promise<UdpAddress> {
  const port = await freeUdpPort()
  return { ip: `239.77.${port >> 8}.${port & 255}`, port }
}

/** An SRT link that nobody calls: its other leg is on the bus all the same. */
async function apply(
  agent: TestAgent,
  programId: string,
  kind: 'receiver' | 'sender',
  { ip, port }: UdpAddress,
  more: { port?: number; adapterIp?: string } = {},
) {
  const outer = srtLeg('listen', more.port ?? (await freeUdpPort()), {
    adapterIp: more.adapterIp ?? '',
    maxBandwidthBytes: 625_000,
  })
  const spec: ProgramSpec = { kind, local: { ip, port, ttl: 1 }, outer }
  const wanted = 'running' as const
  await programService.apply(agent.ctx, 'acants-0', { programId, revision: 'r', wanted, spec })
  return agent.untilRunning(programId)
}

async function refusal(start: Promise<unknown>): Promise<string> {
  return start.then(
    () => 'started',
    (error: unknown) => String(error),
  )
}

const pidOf = (agent: TestAgent, programId: string) =>
  programService.report(agent.ctx, programId)?.pid

test('Q159 an input is refused a group and port that an output of another agent reads; its own outputs may read it', async () => {
  const leg = await newGroup()
  await apply(theirs, 'output-theirs', 'sender', leg)
  await expect.poll(() => isGroupFree(leg.ip)).toBe(false)
  const sentence = await refusal(apply(ours, 'input-a', 'receiver', leg))
  expect(sentence).toContain(
    `Multicast group ${leg.ip}, port ${leg.port}, is already read by srt-live-transmit of program output-theirs (process ${pidOf(theirs, 'output-theirs')}) of another agent on this host`,
  )
  expect(programService.report(ours.ctx, 'input-a')).toBeNull()
  const elsewhere = await newGroup()
  await apply(ours, 'output-b', 'sender', elsewhere)
  expect(await apply(ours, 'input-b', 'receiver', elsewhere)).toMatchObject({ state: 'running' })
})

test('Q159 an input and its outputs are refused a group that another agent sends to; on another port they run', async () => {
  const leg = await newGroup()
  const url = `udp://${leg.ip}:${leg.port}?localaddr=127.0.0.1&ttl=1&pkt_size=1316`
  const picture = '-re -f lavfi -i testsrc=size=160x90:rate=25 -c:v mpeg2video -b:v 500k'
  const unit = unitOf(`ffmpeg -nostdin -v quiet ${picture} -f mpegts ${url}`.split(' '))
  const asked = { programId: 'input-theirs', revision: 'r', wanted: 'running' as const, unit }
  await programService.applyUnit(theirs.ctx, asked)
  await theirs.untilRunning(asked.programId)
  await untilHeard(leg)
  const sentence = await refusal(apply(ours, 'input-c', 'receiver', leg))
  expect(sentence).toContain(
    `Multicast group ${leg.ip}, port ${leg.port}, already gets packets from ffmpeg of program input-theirs (process ${pidOf(theirs, 'input-theirs')}) of another agent on this host`,
  )
  expect(await apply(ours, 'output-c', 'sender', leg), 'a stream of the network').toBeTruthy()
  const own = { ...leg, port: await freeUdpPort() }
  expect(await apply(ours, 'input-d', 'receiver', own)).toMatchObject({ state: 'running' })
})

/** Resolves with the first datagram. */
async function untilHeard({ ip, port }: UdpAddress): Promise<void> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true }).bind(port, ip)
  await once(socket, 'listening')
  socket.addMembership(ip, '127.0.0.1')
  await once(socket, 'message')
  socket.close()
}

test('a UDP port is taken by a program of the same name that another agent runs', async () => {
  const port = await freeUdpPort()
  const there = { port, adapterIp: '127.0.0.1' }
  await apply(theirs, 'input-same', 'receiver', await newGroup(), there)
  await expect.poll(() => isUdpPortFree(port)).toBe(false)
  const sentence = await refusal(apply(ours, 'input-same', 'receiver', await newGroup(), there))
  expect(sentence).toContain(`UDP port ${port} of this host is already used by srt-live-transmit`)
  const { ip: adapterIp } = adapters().find(({ ip }) => ip !== '127.0.0.1') ?? { ip: '' }
  if (adapterIp === '') return
  const elsewhere = await apply(ours, 'input-same', 'receiver', await newGroup(), {
    port,
    adapterIp,
  })
  expect(elsewhere, 'a port is open once on each address').toMatchObject({ state: 'running' })
})

test('groups of our own programs are not foreign, those of any other program are', async () => {
  const [leg, other] = [await newGroup(), await newGroup()]
  await apply(ours, 'output-e', 'sender', leg)
  const socket = createSocket('udp4').bind(other.port)
  await once(socket, 'listening')
  socket.addMembership(other.ip, '127.0.0.1')
  await expect.poll(() => isGroupFree(leg.ip)).toBe(false)
  const ourSocket = ours.ctx.supervisor.layout.socket
  expect(foreignGroups(ourSocket)).toContain(other.ip)
  expect(foreignGroups(ourSocket)).not.toContain(leg.ip)
  expect(foreignGroups(theirs.ctx.supervisor.layout.socket)).toContain(leg.ip)
  socket.close()
})
