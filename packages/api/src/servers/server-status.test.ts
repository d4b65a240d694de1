/** API-20 on real sockets: admin-level see why a server is Offline, others that it is. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { HostFaultKind } from '@trunkline/contract/fleet/fleet.schema'
import { hostKey } from '@trunkline/contract/fleet/watch-key.rules'
import { readServerStatus } from '@trunkline/contract/servers/server.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost } from '../testing/fake-host.ts'
import { FakeMediaServer } from '../testing/fake-media-server.ts'
import { LiveReader } from '../testing/live-reader.ts'
import type { PersonName } from '../testing/people.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { addGateway } from '../testing/server.fixture.ts'

const NEUTRAL = 'Gateway does not answer. Ask an admin to look after it.'
const OTHER_KEY = 'another-key-0001'
/** What only admin-level may read: of addresses, of keys, of what is there instead. */
const FAULT_WORDS = /127\.0\.0\.1|refuses|\bkey\b|agent|media server|network|Start|Correct|Check/

let site: TestSite
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  site = stack.use(await openTestSite())
})
afterEach(async () => stack.disposeAsync())

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Listens as each kind of trouble does; answers the port. Others: hosts/certificates, hosts/dial-in. */
const TROUBLE: Record<
  Exclude<HostFaultKind, 'certificate' | 'not-connected'>,
  (type: 'acants' | 'channel') => Promise<number>
> = {
  refused: closedPort,
  // Takes the connection and reads it, but says nothing.
  timeout: async () => portOf(createServer((socket) => socket.resume())),
  'wrong-key': async (type) =>
    type === 'channel'
      ? stack.use(await FakeMediaServer.open()).port
      : stack.use(await FakeHost.open({ seatKind: 'acants' })).port,
  'not-an-agent': async () =>
    portOf(createHttpServer((_, response) => response.end('<h1>It works</h1>'))),
}

async function addTestServer(serverType: 'acants' | 'channel', port: number): Promise<string> {
  return addGateway(site, { title: 'Gateway', port, serverType, apiKey: OTHER_KEY })
}

async function ask(who: PersonName, id: string) {
  return site.call(who, readServerStatus, { params: { id } })
}

async function snapshotOf(who: PersonName, id: string) {
  const { answer } = await site.call(who, readLive, {})
  return answer.data.hosts.find((host) => host.id === id)
}

test.each([
  ['acants', 'refused', 502, /refuses the connection\. Start the host agent/],
  ['acants', 'timeout', 504, /does not answer\. Check/],
  ['acants', 'wrong-key', 502, /refuses the API key/],
  ['acants', 'not-an-agent', 502, /is not a host agent/],
  ['channel', 'refused', 502, /refuses the connection\. Start the media server/],
  ['channel', 'timeout', 504, /does not answer\. Check/],
  ['channel', 'wrong-key', 502, /refuses the API key/],
  ['channel', 'not-an-agent', 502, /is not a media server/],
] as const)('API-20 SRV-02 %s, %s', async (type, kind, status, sentence) => {
  if (kind === 'timeout') site.pollFast()
  const id = await addTestServer(type, await TROUBLE[kind](type))
  // All at once: a silent media server is given its 5 s.
  const withReason = ['superadmin', 'admin'] as const
  const withoutReason = ['northManager', 'northEditor', 'northMonitor'] as const
  const people = [...withReason, ...withoutReason]
  const answers = await Promise.all(people.map(async (who) => ask(who, id)))
  expect(answers.map((answer) => answer.status)).toEqual(people.map(() => status))
  for (const { failure } of answers.slice(0, withReason.length)) {
    expect([failure.status, failure.error]).toEqual([false, expect.stringMatching(sentence)])
  }
  for (const { failure, text } of answers.slice(withReason.length)) {
    expect(failure.error).toBe(NEUTRAL)
    expect(text).not.toMatch(FAULT_WORDS)
  }
  expect((await ask('southManager', id)).status).toBe(404)
})

test.each(['acants', 'channel'] as const)(
  'SRV-02 live: why a server of type %s is away goes to admin-level alone',
  async (type) => {
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const live = async (who: PersonName) =>
      stack.use(await LiveReader.open(address, site.people[who].token))
    const [admin, manager, monitor] = [
      await live('admin'),
      await live('northManager'),
      await live('northMonitor'),
    ]
    const id = await addTestServer(type, await TROUBLE['wrong-key'](type))
    for (const reader of [admin, manager, monitor]) await reader.watch([hostKey('server', id)])
    const known = await admin.next('host', (host) => host.id === id && host.fault === 'wrong-key')
    expect(known).toMatchObject({ online: false, heardAtMs: null })
    expect(known.cause).toMatch(/refuses the API key/)
    expect(await snapshotOf('admin', id)).toMatchObject({ fault: 'wrong-key', cause: known.cause })
    for (const [who, reader] of [
      ['northManager', manager],
      ['northMonitor', monitor],
    ] as const) {
      expect(await reader.next('host', (host) => host.id === id)).toMatchObject({ online: false })
      expect(await snapshotOf(who, id)).toMatchObject({ online: false, fault: null, cause: '' })
      const text = JSON.stringify(reader.events)
      expect([text.includes('wrong-key'), text.includes('API key')]).toEqual([false, false])
    }
  },
)

test('a server that was saved a moment ago is linked before its notice has been read', async () => {
  const { port } = stack.use(await FakeHost.open({ seatKind: 'acants' }))
  const { db, hosts } = site.ctx
  await db.updateTable('servers').set({ port }).where('id', '=', site.acantsId).execute()
  expect(await hosts.linked({ host: '127.0.0.1', port })).toMatchObject({ online: true })
})
