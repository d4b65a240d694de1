/** T16 How many strangers the port for agents serves at once, and for how long. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ConsoleIdentity } from '../../security/certificates/console-identity.ts'
import { openContextOn } from '../../testing/site-on.ts'
import { clientHello } from './client-hello.fixture.ts'
import { freePort } from '../../testing/process/own-port.ts'
import { dialIdentity, dialIn, LIMIT } from './dial-in.fixture.ts'
import { DialInServer } from './dial-in-server.ts'

const NEVER_MS = 600_000

interface Opened {
  total?: number
  ofAddress?: number
  silent?: number
  silentMs?: number
  networksOfHosts?: readonly string[]
  namesOfHosts?: readonly string[]
}

async function openServer(opened: Opened) {
  const { networksOfHosts = [], namesOfHosts = [], total = 10, ...limits } = opened
  const { ctx } = await openContextOn('SQLite')
  const port = await freePort()
  const identity = new ConsoleIdentity(ctx, 'takes')
  await identity.ready()
  const server = await DialInServer.open({
    listen: { ip: '127.0.0.1', port },
    identity: async () => Promise.resolve(identity.options),
    judge: ({ authorized }) => (authorized ? null : { code: 'NO', sentence: 'No.' }),
    judgeLink: () => null,
    onLink: () => undefined,
    onFull: () => undefined,
    signs: {
      isNetworkOfHost: (network) => networksOfHosts.includes(network),
      isNameOfHost: (name) => namesOfHosts.includes(name),
    },
    onFault: () => undefined,
    limits: {
      total: { hosts: total, strangers: total },
      ofAddress: 10,
      silent: 10,
      silentMs: NEVER_MS,
      ...limits,
    },
  })
  onTestFinished(async () => server[Symbol.asyncDispose]())
  return { port, ctx }
}

async function join(
  port: number,
  from = '127.0.0.1',
): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => undefined).resume()
  onTestFinished(() => void socket.destroy())
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, ended }
}

/** Begins TLS as a client does, and never ends it: the server's answer has arrived. */
async function begin(port: number, from: string, serverName?: string) {
  const peer = await join(port, from)
  peer.socket.removeAllListeners('data').pause()
  const changed = Promise.race([once(peer.socket, 'readable'), peer.ended])
  peer.socket.write(clientHello(serverName))
  await changed
  return { ...peer, end: peer.socket.bytesRead > 0 ? 'answered' : 'closed' }
}

test('T16 strangers beyond the limit of an address, or of all, are closed; others and hosts have their turn', async () => {
  const { port, ctx } = await openServer({ total: 3, ofAddress: 2 })
  const [first, second] = [await begin(port, '127.0.0.1'), await begin(port, '127.0.0.1')]
  const third = await begin(port, '127.0.0.1')
  const other = await begin(port, '127.0.0.2')
  const oneTooMany = await begin(port, '127.0.0.3')
  const ends = [first, second, third, other, oneTooMany].map(({ end }) => end)
  expect(ends).toEqual(['answered', 'answered', 'closed', 'answered', 'closed'])

  first.socket.destroy()
  const identity = await dialIdentity(ctx)
  await vi.waitFor(async () => {
    expect((await dialIn(port, identity)).kind).toBe('link')
  }, LIMIT)
  // A link is no stranger: as many as there are hosts.
  for (let count = 0; count < 3; count += 1) {
    await vi.waitFor(async () => {
      expect((await dialIn(port, identity)).kind).toBe('link')
    }, LIMIT)
  }
})

test('T16 a stranger that says nothing, or no TLS, is closed', async () => {
  const { port } = await openServer({ silentMs: 200 })
  const silent = await join(port)
  const plain = await join(port)
  plain.socket.write('GET / HTTP/1.1\r\n\r\n')
  await Promise.all([silent.ended, plain.ended])
  expect([silent.socket.bytesRead, plain.socket.readyState]).toEqual([0, 'closed'])
})

test('T16 a stranger that sets up TLS and asks for nothing is closed, and a link is not', async () => {
  const { port, ctx } = await openServer({ silentMs: 400 })
  const identity = await dialIdentity(ctx)
  const link = await dialIn(port, identity)
  const { key, certificate: cert, authority: ca } = identity
  const stuck = connectTls({ port, key, cert, ca, checkServerIdentity: () => undefined })
  onTestFinished(() => void stuck.destroy())
  await once(stuck.resume(), 'close')
  expect(link.kind === 'link' && link.socket.readyState).toBe(WebSocket.OPEN)
})

test('T16 those that say nothing make room for others, the oldest first, and keep nobody out', async () => {
  const { port, ctx } = await openServer({ total: 1, silent: 3 })
  const [first, second] = [await join(port), await join(port, '127.0.0.2')]
  const half = await join(port, '127.0.0.3')
  half.socket.write(clientHello().subarray(0, 20))
  await join(port, '127.0.0.4')
  await first.ended
  // Who begins TLS at once waits here for no time at all, and takes nobody's place.
  expect((await dialIn(port, await dialIdentity(ctx))).kind).toBe('link')
  expect(second.socket.readyState).toBe('open')
  await join(port, '127.0.0.5')
  await second.ended
  expect(half.socket.readyState).toBe('open')
})

test('T16 of one address it is its own oldest that makes room', async () => {
  const { port } = await openServer({ ofAddress: 2 })
  const other = await join(port, '127.0.0.2')
  const [first, second] = [await join(port), await join(port)]
  await join(port)
  await first.ended
  expect([other, second].map(({ socket }) => socket.readyState)).toEqual(['open', 'open'])
})

test('T16 a refused stranger is not read, and does not count once it is gone', async () => {
  const { port } = await openServer({ total: 1, ofAddress: 1 })
  for (let count = 0; count < 3; count += 1) {
    await vi.waitFor(async () => {
      expect(await dialIn(port, {})).toMatchObject({ kind: 'refused', code: 'NO' })
    }, LIMIT)
  }
})

test('T16 strangers take no place from hosts that come back from where they were', async () => {
  const networksOfHosts = ['127.0.0.1']
  const { port, ctx } = await openServer({ total: 2, ofAddress: 2, networksOfHosts })
  const identity = await dialIdentity(ctx)
  await begin(port, '127.0.0.2')
  await begin(port, '127.0.0.3')
  expect((await begin(port, '127.0.0.4')).end).toBe('closed')
  expect((await dialIn(port, identity)).kind).toBe('link')
})

test('T16 nor from hosts that come from elsewhere, which ask by their own name', async () => {
  const namesOfHosts = ['a.host', 'b.host']
  const { port } = await openServer({ total: 5, ofAddress: 5, namesOfHosts })
  for (let count = 0; count < 5; count += 1) await begin(port, '127.0.0.2')
  expect((await begin(port, '127.0.0.2', 'no.host')).end).toBe('closed')
  // A copied name takes the places of that host, and of no other.
  for (let count = 0; count < 3; count += 1) {
    expect((await begin(port, '127.0.0.2', 'a.host')).end).toBe('answered')
  }
  expect((await begin(port, '127.0.0.2', 'a.host')).end).toBe('closed')
  expect((await begin(port, '127.0.0.2', 'b.host')).end).toBe('answered')
})

test('T16 those that come together are not too many before each could be read', async () => {
  const { port } = await openServer({
    total: 20,
    ofAddress: 20,
    silent: 2,
    namesOfHosts: ['a.host'],
  })
  const wires = Array.from({ length: 12 }, (_, at) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${at + 1}` }),
  )
  const ends = wires.map(async (wire) => {
    onTestFinished(() => void wire.destroy())
    wire.on('error', () => undefined).write(clientHello())
    await Promise.race([once(wire, 'readable'), once(wire, 'close')])
    return wire.bytesRead > 0
  })
  expect(await Promise.all(ends)).toEqual(wires.map(() => true))
})

test('T16 a host that asks by its name where all places are taken is told to come later', async () => {
  const namesOfHosts = ['a.host', 'b.host']
  const { port } = await openServer({ total: 1, namesOfHosts })
  expect((await begin(port, '127.0.0.2', 'a.host')).end).toBe('answered')
  const dialled = connectTls({ port, host: '127.0.0.1', servername: 'b.host' })
  const [error] = (await once(dialled, 'error')) as [Error]
  expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_USER_CANCELLED' })
})
