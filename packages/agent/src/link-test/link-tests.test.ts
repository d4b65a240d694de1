/** Two real agents, real sockets, and a relay between them that does what networks do. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import type { LinkTestEnd, LinkTestReport } from '@trunkline/contract/agent/link-test.messages'
import { expect, test } from 'vitest'
import { eventually, openLink, openTestAgent, shared, type TestLink } from '../agent.fixture.ts'
import { boundSockets } from '../host/free-port.ts'
import { claimPort } from '../host/port-claim.ts'
import { TestPackets } from './test-packet.ts'
import { UdpRelay } from './udp-relay.fixture.ts'

const near = shared(async () => openTestAgent(['acants']))
const far = shared(async () => openTestAgent(['acants', 'acants']))

const LOOPBACK = '127.0.0.1'

async function linkTo(agent: typeof near): Promise<TestLink> {
  const [seat] = agent.config.seats
  if (seat === undefined) throw new Error('no seat')
  return openLink(seat)
}

let lastPort = 24_000 + (process.pid % 500) * 8

/** Free, and held by nobody. */
async function unheldPort(): Promise<number> {
  lastPort += 1
  const claimed = await claimPort('udp', lastPort)
  await claimed?.[Symbol.asyncDispose]()
  return claimed === null ? unheldPort() : lastPort
}

function loadOf(durationMs = 1000) {
  return { testId: randomBytes(16).toString('hex'), rateKbps: 1000, durationMs }
}

async function untilEnded(
  link: TestLink,
  testId: string,
  end: LinkTestEnd,
): Promise<LinkTestReport> {
  let report: LinkTestReport | undefined
  await eventually(async () => {
    report = await link.ask('readLinkTest', { testId, end })
    expect(report.outcome).not.toBeNull()
  })
  if (report === undefined) throw new Error('no report')
  return report
}

/** Both reports of a test through a relay, at the end. */
async function testThrough(fateOf: ConstructorParameters<typeof UdpRelay>[1]) {
  await using caller = await linkTo(near)
  await using responder = await linkTo(far)
  const load = loadOf()
  const port = await unheldPort()
  await using relay = await UdpRelay.open(port, fateOf)
  await responder.ask('openLinkTest', { ...load, port, callerIps: [LOOPBACK] })
  await caller.ask('callLinkTest', { ...load, host: LOOPBACK, port: relay.port })
  const [ofCaller, ofResponder] = await Promise.all([
    untilEnded(caller, load.testId, 'caller'),
    untilEnded(responder, load.testId, 'responder'),
  ])
  return { caller: ofCaller, responder: ofResponder, relay, port }
}

test('both directions are measured, and the port is closed again', async () => {
  const { caller, responder, port } = await testThrough(() => 'pass')
  expect(caller).toMatchObject({ outcome: 'done', phase: 'back', strangerIp: '' })
  expect(responder).toMatchObject({ outcome: 'done', received: { duplicates: 0, reordered: 0 } })
  expect(caller.sent.packets).toBeGreaterThan(0)
  expect(responder.sent.packets).toBeGreaterThan(0)
  expect(responder.received.packets).toBe(caller.sent.packets)
  expect(caller.received.packets).toBe(responder.sent.packets)
  expect(caller.roundTrips.out?.samples).toBeGreaterThan(0)
  expect(caller.roundTrips.back?.samples).toBeGreaterThan(0)
  expect(boundSockets().filter((socket) => socket.port === port)).toEqual([])
})

test('lost, reordered and duplicated packets are counted exactly, per direction', async () => {
  const { caller, responder, relay } = await testThrough(({ direction, isLoad, index }) => {
    if (!isLoad) return 'pass'
    if (direction === 'out') return index % 5 === 3 ? 'drop' : 'pass'
    return index % 10 === 3 ? 'hold' : index % 10 === 6 ? 'twice' : 'pass'
  })
  expect(relay.count('out', 'drop')).toBeGreaterThan(0)
  expect(responder.received).toMatchObject({
    packets: caller.sent.packets - relay.count('out', 'drop'),
    duplicates: 0,
    reordered: 0,
  })
  const isHeldLast = caller.received.packets < responder.sent.packets
  expect(caller.received).toMatchObject({
    packets: responder.sent.packets - Number(isHeldLast),
    duplicates: relay.count('back', 'twice'),
    reordered: relay.count('back', 'hold') - Number(isHeldLast),
  })
})

test('a network delay shows in the RTT', async () => {
  const { caller } = await testThrough(({ isLoad, direction }) =>
    isLoad || direction === 'back' ? 'pass' : 40,
  )
  expect(caller.outcome).toBe('done')
  expect(caller.roundTrips.out?.medianMs).toBeGreaterThan(39)
})

test('where nothing arrives no load is sent, and both ends say that they heard nothing', async () => {
  const { caller, responder } = await testThrough(() => 'drop')
  expect(caller).toMatchObject({ outcome: 'silent', sent: { packets: 0 }, probes: 0 })
  expect(responder).toMatchObject({ outcome: 'silent', sent: { packets: 0 }, probes: 0 })
})

test('where only the answers are lost, the responder has heard the caller, and no load is sent', async () => {
  const { caller, responder } = await testThrough(({ direction }) =>
    direction === 'back' ? 'drop' : 'pass',
  )
  expect(caller).toMatchObject({ outcome: 'silent', sent: { packets: 0 }, probes: 0 })
  expect(responder.probes).toBeGreaterThan(0)
  expect(responder.sent.packets).toBe(0)
})

test('a path that breaks during the test stops the load of both ends', async () => {
  let isBroken = false
  const { caller, responder } = await testThrough(({ isLoad, index }) => {
    isBroken ||= isLoad && index === 5
    return isBroken ? 'drop' : 'pass'
  })
  expect(caller.outcome).toBe('silent')
  expect(responder).toMatchObject({ outcome: 'silent', received: { packets: 5 } })
  expect(responder.sent.packets).toBe(0)
})

test('foreign packets, and those of the test from elsewhere, are neither answered nor counted', async () => {
  await using responder = await linkTo(far)
  const load = loadOf()
  const port = await unheldPort()
  await responder.ask('openLinkTest', { ...load, port, callerIps: ['192.0.2.1'] })
  const stranger = createSocket('udp4')
  stranger.bind(0, LOOPBACK)
  await once(stranger, 'listening')
  const heard: Buffer[] = []
  stranger.on('message', (bytes) => heard.push(bytes))
  const probe = { kind: 'probe', phase: 'out', sequence: 1, sentAtMs: 1 } as const
  stranger.send(new TestPackets('00'.repeat(16)).write(probe), port, LOOPBACK)
  stranger.send(new TestPackets(load.testId).write(probe), port, LOOPBACK)
  const ref = { testId: load.testId, end: 'responder' }
  await eventually(async () => {
    const { strangerIp } = await responder.ask('readLinkTest', ref)
    expect(strangerIp).toBe(LOOPBACK)
  })
  await responder.ask('endLinkTest', ref)
  expect(await untilEnded(responder, load.testId, 'responder')).toMatchObject({
    outcome: 'cancelled',
    probes: 0,
    sent: { packets: 0 },
  })
  expect(heard).toEqual([])
  stranger.close()
})

test('a host runs one test at a time; a cancelled test makes room', async () => {
  await using responder = await linkTo(far)
  const [first, second] = [loadOf(), loadOf()]
  const ports = [await unheldPort(), await unheldPort()]
  const asked = { callerIps: [] }
  await responder.ask('openLinkTest', { ...first, ...asked, port: ports[0] })
  const refusal = {
    code: 'refused',
    message: expect.stringContaining('another link test') as string,
  }
  await expect(
    responder.ask('openLinkTest', { ...second, ...asked, port: ports[1] }),
  ).rejects.toMatchObject(refusal)
  await expect(
    responder.ask('callLinkTest', { ...second, host: LOOPBACK, port: ports[1] }),
  ).rejects.toMatchObject(refusal)
  await responder.ask('endLinkTest', { testId: first.testId, end: 'responder' })
  await untilEnded(responder, first.testId, 'responder')
  await responder.ask('openLinkTest', { ...second, ...asked, port: ports[1] })
  await expect(
    responder.ask('readLinkTest', { testId: first.testId, end: 'responder' }),
  ).rejects.toMatchObject({ code: 'not_found' })
  await responder.ask('endLinkTest', { testId: second.testId, end: 'responder' })
  await untilEnded(responder, second.testId, 'responder')
})

test('a port in use is refused, and so is a host that nobody knows', async () => {
  await using responder = await linkTo(far)
  const taken = createSocket('udp4')
  taken.bind(0, LOOPBACK)
  await once(taken, 'listening')
  const { port } = taken.address()
  await expect(
    responder.ask('openLinkTest', { ...loadOf(), port, callerIps: [] }),
  ).rejects.toMatchObject({
    code: 'refused',
    message: `UDP port ${port} is used by another program of this host. Choose another port.`,
  })
  taken.close()
  await expect(
    responder.ask('callLinkTest', { ...loadOf(), host: 'nobody.invalid', port: 4000 }),
  ).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('nobody.invalid') as string,
  })
})

test('both ends may be on one host, and its agent says in its hello that it tests links', async () => {
  await using link = await linkTo(far)
  expect(link.messages[0]).toMatchObject({ capabilities: { testsLinks: true } })
  const load = loadOf()
  const port = await unheldPort()
  await link.ask('openLinkTest', { ...load, port, callerIps: [LOOPBACK] })
  await link.ask('callLinkTest', { ...load, host: LOOPBACK, port })
  const [caller, responder] = await Promise.all([
    untilEnded(link, load.testId, 'caller'),
    untilEnded(link, load.testId, 'responder'),
  ])
  expect([caller.outcome, responder.outcome]).toEqual(['done', 'done'])
  expect(responder.received.packets).toBe(caller.sent.packets)
})

test('an agent that ends closes its port, and the other end stops sending', async () => {
  await using caller = await linkTo(near)
  const load = loadOf(60_000)
  const port = await unheldPort()
  const agent = await openTestAgent(['acants'])
  const responder = await linkTo(agent)
  await responder.ask('openLinkTest', { ...load, port, callerIps: [] })
  await caller.ask('callLinkTest', { ...load, host: LOOPBACK, port })
  await eventually(async () => {
    const { phase } = await caller.ask('readLinkTest', { testId: load.testId, end: 'caller' })
    expect(phase).toBe('out')
  })
  // Read while the agent ends, which takes long on a busy machine: what nobody reads ends by itself.
  const [ended] = await Promise.all([
    untilEnded(caller, load.testId, 'caller'),
    agent[Symbol.asyncDispose](),
  ])
  expect(boundSockets().filter((socket) => socket.port === port)).toEqual([])
  expect(ended.outcome).toBe('silent')
})

test('a test that nobody reads any more ends', async () => {
  await using caller = await linkTo(near)
  await using responder = await linkTo(far)
  const load = loadOf(60_000)
  const port = await unheldPort()
  await responder.ask('openLinkTest', { ...load, port, callerIps: [] })
  await caller.ask('callLinkTest', { ...load, host: LOOPBACK, port })
  // The caller is read: one that ended for want of that would say so to the other end, perhaps first.
  const ofCaller = { testId: load.testId, end: 'caller' }
  await eventually(async () => {
    await caller.ask('readLinkTest', ofCaller)
    expect(boundSockets().filter((socket) => socket.port === port)).toEqual([])
  })
  const { outcome } = await untilEnded(responder, load.testId, 'responder')
  expect(outcome).toBe('unread')
  await untilEnded(caller, load.testId, 'caller')
})
