/** Slow and many clients, over real sockets. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { endStalledAnswers, REQUEST_LIMITS } from './connection-limits.ts'
import { jsonInSlices } from './long-answer.ts'

test('T16 the limits are 10 s for the headers, 30 s for the request and 10 s without reading, and looked at often', async () => {
  await using site = await openTestApp()
  expect(REQUEST_LIMITS).toEqual({
    headersMs: 10_000,
    requestMs: 30_000,
    stalledMs: 10_000,
    checkMs: 500,
  })
  expect(site.app.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 500,
  })
})

/** What a client that sends this, and then nothing, is answered until the API hangs up. */
async function answerTo(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(socket, 'connect')
  socket.write(sent)
  await once(socket, 'close')
  return answer
}

test.each([
  ['nothing', ''],
  ['a part of its headers', 'POST /api/users/login HTTP/1.1\r\nhost: x\r\n'],
  [
    'a part of its body',
    'POST /api/users/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  ],
])('T16 a client that sends %s and falls silent is cut off', async (_what, sent) => {
  await using context = await makeTestContext()
  const app = await buildApp(context.ctx, {
    ...REQUEST_LIMITS,
    headersMs: 200,
    requestMs: 400,
    checkMs: 20,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  expect(await answerTo(port, sent)).toMatch(/^HTTP\/1\.1 408 /)
  await app.close()
})

test('T16 a client that stops reading a long answer is cut off, and so keeps no other list waiting', async () => {
  const app = fastify()
  endStalledAnswers(app, { ...REQUEST_LIMITS, stalledMs: 200 })
  onTestFinished(async () => app.close())
  // More than what the kernel takes of an answer that nobody reads.
  const lines = Array.from({ length: 6000 }, (_, at) => ({
    id: `line${at}`,
    text: 'x'.repeat(2500),
  }))
  app.get('/long', async (_request, reply) => reply.send(jsonInSlices({ lines })))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const [served] = (await once(app.server, 'connection')) as [Socket]
  socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(served, 'close')
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

/** A listening API, and clients that stay connected as long as it lets them. */
async function openClients(more: Partial<Config>) {
  const site: TestApp = await openTestApp(more)
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo
  /** Connected, or closed by the API already. */
  const join = async (from: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const isServed = async (socket: Socket): Promise<boolean> => {
    const ended = once(socket, 'close').then(() => false)
    const answered = once(socket, 'data').then(
      () => true,
      () => false,
    )
    socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n')
    return Promise.race([ended, answered])
  }
  const warnings = () =>
    site.logged.filter(({ level }) => level === 40).map(({ msg }) => String(msg))
  return { site, join, isServed, warnings }
}

test('T16 connections per address are limited; other addresses and a trusted proxy have their own limits', async () => {
  const { join, isServed, warnings } = await openClients({
    addressConnectionLimit: 2,
    trustedProxies: ['127.0.1.0/24'],
  })
  const [first, second] = [await join('127.0.0.2'), await join('127.0.0.2')]
  expect([await isServed(first), await isServed(second)]).toEqual([true, true])
  expect(await isServed(await join('127.0.0.2'))).toBe(false)
  expect(await isServed(await join('127.0.0.2'))).toBe(false)
  expect(await isServed(await join('127.0.0.3'))).toBe(true)
  const proxied = await Promise.all(Array.from({ length: 5 }, async () => join('127.0.1.1')))
  expect(await Promise.all(proxied.map(isServed))).toEqual([true, true, true, true, true])
  expect(warnings()).toEqual([
    expect.stringMatching(/^127\.0\.0\.2 has 2 connections open and more are refused\. Name it in/),
  ])

  first.destroy()
  await expect.poll(async () => isServed(await join('127.0.0.2'))).toBe(true)
})

test('T16 the total number of connections is limited, those of a trusted proxy included', async () => {
  const { join, isServed, warnings } = await openClients({
    connectionLimit: 2,
    trustedProxies: ['127.0.0.3'],
  })
  expect(await isServed(await join('127.0.0.2'))).toBe(true)
  const second = await join('127.0.0.3')
  expect(await isServed(second)).toBe(true)
  expect(await isServed(await join('127.0.0.3'))).toBe(false)
  expect(warnings()).toEqual([expect.stringMatching(/^2 connections are open and more are/)])
  second.destroy()
  await expect.poll(async () => isServed(await join('127.0.0.4'))).toBe(true)
})

test('200 viewers behind one address, with six connections each, are served by default', async () => {
  const { join, isServed, warnings } = await openClients({})
  const sockets = await Promise.all(Array.from({ length: 1200 }, async () => join('127.0.0.2')))
  const served = await Promise.all(sockets.map(isServed))
  expect(served.filter(Boolean)).toHaveLength(1200)
  expect(warnings()).toEqual([])
  for (const socket of sockets) socket.destroy()
})
