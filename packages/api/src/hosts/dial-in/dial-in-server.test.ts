/** T16 How many strangers the port for agents serves at once, and for how long. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ConsoleIdentity } from '../../security/certificates/console-identity.ts'
import { openContextOn } from '../../testing/site-on.ts'
import { dialIdentity, dialIn, freePort, LIMIT } from './dial-in.fixture.ts'
import { DialInServer } from './dial-in-server.ts'

const NEVER_MS = 600_000

async function openServer(
  limits: { total: number; ofAddress: number; silentMs: number },
  networksOfHosts: readonly string[] = [],
) {
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
    isNetworkOfHost: (network) => networksOfHosts.includes(network),
    onFault: () => undefined,
    limits,
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

test('T16 strangers beyond the limit of an address, or of all, are closed unread; others and hosts have their turn', async () => {
  const { port, ctx } = await openServer({ total: 3, ofAddress: 2, silentMs: NEVER_MS })
  const [first] = [await join(port), await join(port)]
  await (
    await join(port)
  ).ended
  await join(port, '127.0.0.2')
  await (
    await join(port, '127.0.0.3')
  ).ended

  first?.socket.destroy()
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
  const { port } = await openServer({ total: 10, ofAddress: 10, silentMs: 200 })
  const silent = await join(port)
  const plain = await join(port)
  plain.socket.write('GET / HTTP/1.1\r\n\r\n')
  await Promise.all([silent.ended, plain.ended])
  expect([silent.socket.bytesRead, plain.socket.readyState]).toEqual([0, 'closed'])
})

test('T16 a refused stranger is not read, and does not count once it is gone', async () => {
  const { port } = await openServer({ total: 1, ofAddress: 1, silentMs: NEVER_MS })
  for (let count = 0; count < 3; count += 1) {
    await vi.waitFor(async () => {
      expect(await dialIn(port, {})).toMatchObject({ kind: 'refused', code: 'NO' })
    }, LIMIT)
  }
})

test('T16 strangers take no place from hosts that come back from where they were', async () => {
  const limits = { total: 2, ofAddress: 2, silentMs: NEVER_MS }
  const { port, ctx } = await openServer(limits, ['127.0.0.1'])
  const identity = await dialIdentity(ctx)
  await join(port, '127.0.0.2')
  await join(port, '127.0.0.3')
  await (
    await join(port, '127.0.0.4')
  ).ended
  expect((await dialIn(port, identity)).kind).toBe('link')
})
