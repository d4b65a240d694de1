import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { dialGuard, OutOfBounds } from '../../security/host-guard.ts'
import { OPEN_GUARD } from '../../testing/open-guard.ts'
import { knock } from './knock.ts'

const LIMIT_MS = 60_000

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

async function knocked(host: string, port: number, guard = OPEN_GUARD): Promise<Error | null> {
  return new Promise((resolve) => {
    knock({ address: { host, port }, guard, limitMs: LIMIT_MS }, resolve)
  })
}

test('an address that takes connections is known, and the connection ends', async () => {
  const { server, port } = await listening()
  const closed = new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', resolve))
  })
  expect(await knocked('127.0.0.1', port)).toBeNull()
  await closed
})

test('a closed port is what the socket says of it', async () => {
  const { server, port } = await listening()
  server.close()
  await once(server, 'close')
  expect(await knocked('127.0.0.1', port)).toMatchObject({ code: 'ECONNREFUSED' })
})

test('T7 a name of an address that is out of bounds is not connected to', async () => {
  const { port } = await listening()
  const guard = dialGuard({ allowLocalHosts: false, hostPorts: null })
  expect(await knocked('localhost', port, guard)).toBeInstanceOf(OutOfBounds)
})

test('nothing is said after it was stopped', async () => {
  const { server, port } = await listening()
  const ends: (Error | null)[] = []
  const stop = knock(
    { address: { host: '127.0.0.1', port }, guard: OPEN_GUARD, limitMs: LIMIT_MS },
    (end) => ends.push(end),
  )
  stop()
  expect(await knocked('127.0.0.1', port)).toBeNull()
  server.close()
  expect(ends).toEqual([])
})
