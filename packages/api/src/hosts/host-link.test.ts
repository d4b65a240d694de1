import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { FAKE_KEY, fakeReport } from '../testing/fake-host.ts'
import { dialGuard } from '../security/host-guard.ts'
import { HostFault } from './host-fault.ts'
import { closeAll, faultOf, openHost, openLink, SOON_MS, TIMING } from './host-link.fixture.ts'
import { stall } from '../testing/process/stall.ts'

/** For a host that falls silent; it may lose the link a few times before, and find it again. */
const SHORT_BEAT_MS = 300
/** A test waits for one beat, and a link is lost after two. */
const HEARD_BEAT_MS = 1500

afterEach(closeAll)

test('a link starts with hello, and has all programs of the host', async () => {
  const host = await openHost()
  host.programs.set('input-a', fakeReport('input-a', Date.now()))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  expect(link.reports.get('input-a')?.state).toBe('stopped')
  expect(link.capabilities?.agentVersion).toBe('0.1.0')
  expect(link.status.fault).toBeNull()
})

test('requests are answered each by its own id, whatever the order', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  host.takenPorts.add(6001)
  const answers = await Promise.all(
    [6000, 6001, 6002].map(async (port) => link.call('probePort', { port })),
  )
  expect(answers.map((answer) => answer.free)).toEqual([true, false, true])
})

test('what a host refuses comes back in its own words', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  host.refusals.set('controlProgram', 'Card 9 is not here.')
  const error = await faultOf(
    link.call('controlProgram', { programId: 'input-a', command: 'start' }),
  )
  expect(error).toBeInstanceOf(HostFault)
  expect((error as HostFault).message).toBe('Card 9 is not here.')
})

test('decisions 15: the wait for an answer is limited, and a late answer is ignored', async () => {
  const host = await openHost()
  const { link, until, timing } = openLink(host.port)
  await until(() => link.status.online)
  host.silentOn.add('probePort')
  timing.callLimitMs = SOON_MS
  const error = await faultOf(link.call('probePort', { port: 6000 }))
  timing.callLimitMs = TIMING.callLimitMs
  expect(error).toBeInstanceOf(AppError)
  expect((error as AppError).code).toBe('host_timeout')
  host.silentOn.clear()
  host.tell({ type: 'answer', id: 1, result: { free: false } })
  expect(await link.call('probePort', { port: 6000 })).toEqual({ free: true })
})

test('an answer that came while the API was held up counts, though its time is over', async () => {
  const host = await openHost()
  const { link, until, timing } = openLink(host.port)
  await until(() => link.status.online)
  host.silentOn.add('probePort')
  timing.callLimitMs = SOON_MS
  const asked = link.call('probePort', { port: 6000 })
  await host.asked('probePort')
  host.tell({ type: 'answer', id: 1, result: { free: false } })
  stall(2 * SOON_MS)
  expect(await asked).toEqual({ free: false })
})

test('a lost host is reported at once, its requests fail, and the link is restored by itself', async () => {
  const host = await openHost()
  const { link, events, until } = openLink(host.port)
  await until(() => link.status.online)
  host.silentOn.add('probePort')
  const asked = faultOf(link.call('probePort', { port: 6000 }))
  await host.asked('probePort')
  host.cut()
  expect(((await asked) as AppError).code).toBe('host_unreachable')
  await until(() => events.filter((event) => event.type === 'hello').length === 2)
  expect(link.status.online).toBe(true)
  host.silentOn.clear()
  expect(await link.call('probePort', { port: 6000 })).toEqual({ free: true })
})

test('what is known of a host is kept while it is away', async () => {
  const host = await openHost()
  host.programs.set('input-a', fakeReport('input-a', Date.now()))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  await host[Symbol.asyncDispose]()
  await until(() => !link.status.online)
  await until(() => link.status.fault?.kind === 'refused')
  expect(link.status.fault?.sentence).toContain(`127.0.0.1:${host.port}`)
  expect(link.reports.get('input-a')).toBeDefined()
})

test('a silent host counts as gone after two beats', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port, FAKE_KEY, { beatMs: SHORT_BEAT_MS })
  await until(() => link.status.online)
  host.hang()
  await until(() => !link.status.online)
  expect(link.status.fault?.kind).toBe('timeout')
})

test('a stall of the API itself does not count as silence of its hosts', async () => {
  const host = await openHost()
  const { link, events, until } = openLink(host.port, FAKE_KEY, { beatMs: SHORT_BEAT_MS })
  await until(() => link.status.online)
  stall(4 * SHORT_BEAT_MS)
  expect(await link.call('probePort', { port: 6000 })).toEqual({ free: true })
  expect(events.filter(({ type }) => type === 'status')).toHaveLength(1)
})

/** With a pause that doubled each time these would take the rest of the day. */
const MANY_DIALS = 25

test('an agent that is restarted finds its link soon, however often it was called meanwhile', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port, FAKE_KEY, { retryLongestMs: Infinity })
  await until(() => link.status.online)
  await host[Symbol.asyncDispose]()
  let dials = 0
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const nobody = createServer((socket) => {
    socket.destroy()
    dials++
    if (dials === MANY_DIALS) resolve()
  }).listen(host.port, '127.0.0.1')
  await called
  nobody.close()
  await once(nobody, 'close')
  const again = await openHost({ port: host.port })
  await until(() => link.status.online)
  expect(again.links).toBe(1)
})

test('G8 a host that was dialled in vain is dialled again once it takes connections', async () => {
  const connections: string[] = []
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    let text = ''
    socket.on('data', (data: Buffer) => {
      text += data.toString()
      socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      connections.push(text.slice(0, 'GET /link'.length))
      if (connections.length === 5) resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  openLink((server.address() as AddressInfo).port)
  await enough
  await closeAll()
  server.close()
  expect(connections.slice(0, 5)).toEqual(['GET /link', '', 'GET /link', '', 'GET /link'])
})

test('SRV-02 every message of a host updates when it was last heard, without an event', async () => {
  const host = await openHost()
  const { link, events, until } = openLink(host.port, FAKE_KEY, { beatMs: HEARD_BEAT_MS })
  expect(link.heardAtMs).toBeNull()
  await until(() => link.status.online)
  const hello = link.heardAtMs ?? Infinity
  await link.call('probePort', { port: 6000 })
  const answer = link.heardAtMs ?? 0
  expect(answer).toBeGreaterThan(hello)
  const eventCount = events.length
  // Nothing is asked meanwhile: only the beats are heard.
  await until(() => (link.heardAtMs ?? 0) > answer + 1)
  expect(events).toHaveLength(eventCount)
  await host[Symbol.asyncDispose]()
  await until(() => !link.status.online)
  const last = link.heardAtMs
  await until(() => link.status.fault?.kind === 'refused')
  expect(link.heardAtMs).toBe(last)
})

test('a server that is not an agent counts as never heard', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port, 'another-key-entirely')
  await until(() => link.status.fault?.kind === 'wrong-key')
  expect(link.heardAtMs).toBeNull()
})

test('a wrong key is reported as such, and a new key is tried at once', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port, 'another-key-entirely')
  await until(() => link.status.fault?.kind === 'wrong-key')
  expect(link.status.fault?.sentence).toContain('API key')
  link.useAccess({ by: 'key', key: FAKE_KEY })
  await until(() => link.status.online)
})

test('a port that nobody listens on is refused', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const { link, until } = openLink(port)
  await until(() => link.status.fault?.kind === 'refused')
  const error = await faultOf(link.call('probePort', { port: 6000 }))
  expect((error as AppError).code).toBe('host_unreachable')
  expect((error as AppError).message).toContain('Start the host agent')
})

test('a web server that is not an agent is reported as such', async () => {
  const server = createHttpServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { link, until } = openLink((server.address() as AddressInfo).port)
  await until(() => link.status.fault?.kind === 'not-an-agent')
  server.close()
  server.closeAllConnections()
  expect(link.status.online).toBe(false)
})

test('T12 invalid messages of a host are ignored, and do not end the API', async () => {
  const host = await openHost()
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  for (const nonsense of [
    'not json',
    '[]',
    'null',
    '{"type":"hello"}',
    '{"type":"program","nowMs":"x"}',
    '{"__proto__":{"type":"hello"}}',
    JSON.stringify({ type: 'answer', id: 999, result: {} }),
    `{"type":"restart","programId":"${'x'.repeat(500)}"}`,
  ]) {
    host.tellRaw(nonsense)
  }
  expect(await link.call('probePort', { port: 6000 })).toEqual({ free: true })
  expect(link.status.online).toBe(true)
})

test('T12 what a broken host says is kept within limits, its times such as a browser can show', async () => {
  const long = 'x'.repeat(1_000_000)
  const source = { cardIdx: 0, kind: 'file' as const, label: long, unusable: long }
  const sources = Array.from({ length: 10_000 }, () => ({ ...source, label: '', unusable: '' }))
  const host = await openHost({
    capabilities: {
      sources: [source, ...sources],
      encoders: [long],
      tools: { [long]: long },
      localBus: { works: false, reason: long },
    },
  })
  const report = fakeReport('encoder-a', host.nowMs())
  const words = { cause: long, changedByHand: long, appliedRevision: long, runningRevision: long }
  const times = { sinceMs: 1e300, startedAtMs: -1e300 }
  host.programs.set('encoder-a', { ...report, ...words, ...times })
  host.refusals.set('probePort', long)
  const { link, events, until } = openLink(host.port)
  await until(() => link.status.online)
  expect(JSON.stringify(link.capabilities).length).toBeLessThan(20_000)
  const kept = link.reports.get('encoder-a')
  expect(JSON.stringify(kept).length).toBeLessThan(2000)
  const shown = [kept?.sinceMs, kept?.startedAtMs].map((atMs) => new Date(atMs ?? NaN))
  expect(shown.map((at) => at.toISOString())).toEqual([
    '9999-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
  ])
  const restart = { type: 'restart', programId: 'encoder-a', restarts: 1 } as const
  host.tell({ ...restart, atMs: 1e300, cause: long })
  await until(() => events.some(({ type }) => type === 'restart'))
  const event = events.find(({ type }) => type === 'restart')
  expect(JSON.stringify(event).length).toBeLessThan(1000)
  const fault = await faultOf(link.call('probePort', { port: 6000 }))
  expect((fault as HostFault).message.length).toBeLessThan(2000)
})

test('F11 times are converted to our clock, whatever the clock of the host shows', async () => {
  const host = await openHost()
  const hourMs = 3_600_000
  host.setClockAhead(hourMs)
  const startMs = Date.now()
  host.programs.set('input-a', fakeReport('input-a', host.nowMs()))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  const report = link.reports.get('input-a')
  expect(Math.abs((report?.sinceMs ?? 0) - startMs)).toBeLessThan(hourMs / 60)
})

function readingAt(atMs: number) {
  const counters = { packets: 1, lostPackets: 0, retransmittedPackets: 0, droppedPackets: 0 }
  const kind = { kind: 'link', protocol: 'srt', direction: 'send' } as const
  return { ...kind, ...counters, atMs, bitrateKbps: 4000, rttMs: null }
}

test('T12 an invalid reading affects neither the host nor other readings', async () => {
  const host = await openHost()
  const nowMs = host.nowMs()
  // A number that JSON does not have is written as null.
  const reading = { ...readingAt(nowMs), bitrateKbps: NaN }
  host.programs.set('input-a', { ...fakeReport('input-a', nowMs), reading })
  host.programs.set('input-b', fakeReport('input-b', nowMs))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  expect(link.reports.get('input-a')?.reading).toBeNull()
  const readings = [
    { programId: 'input-a', reading },
    { programId: 'input-b', reading: readingAt(nowMs) },
  ]
  host.tell({ type: 'readings', nowMs, readings })
  await until(() => link.reports.get('input-b')?.reading !== null)
  expect(link.reports.get('input-a')?.reading).toBeNull()
})

test('F11 a host whose clock is set anew is followed with its next readings', async () => {
  const host = await openHost()
  host.programs.set('input-a', fakeReport('input-a', host.nowMs()))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  const hourMs = 3_600_000
  host.setClockAhead(hourMs)
  const reading = readingAt(host.nowMs())
  host.tell({
    type: 'readings',
    nowMs: host.nowMs(),
    readings: [{ programId: 'input-a', reading }],
  })
  await until(() => link.reports.get('input-a')?.reading !== null)
  const atMs = link.reports.get('input-a')?.reading?.atMs ?? 0
  expect(Math.abs(atMs - Date.now())).toBeLessThan(hourMs / 60)
})

test('an answer to a command updates the board too', async () => {
  const host = await openHost()
  host.programs.set('input-a', fakeReport('input-a', Date.now()))
  const { link, until } = openLink(host.port)
  await until(() => link.status.online)
  await link.call('controlProgram', { programId: 'input-a', command: 'start' })
  expect(link.reports.get('input-a')?.state).toBe('running')
})

test('T7 a literal address that is out of bounds is not dialled, and its status says why', async () => {
  let connections = 0
  await using server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const guard = dialGuard({ allowLocalHosts: false, hostPorts: null })
  const { link } = openLink(port, FAKE_KEY, {}, guard)
  const { online, fault } = await link.settled()
  expect([online, fault?.kind]).toEqual([false, 'refused'])
  expect(fault?.sentence).toMatch(/is not dialled: 127\.0\.0\.1 is an address of this machine/)
  link.redial()
  await link.settled()
  expect(connections).toBe(0)
})
