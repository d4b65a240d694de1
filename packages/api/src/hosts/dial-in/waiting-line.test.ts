/** T16 Who waits for TLS at the port for agents: in which order, for how long, and what they hear meanwhile. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LIMIT } from './dial-in.fixture.ts'
import { comeLater, WaitingLine } from './waiting-line.ts'

async function openLine(signEveryMs: number | null = null) {
  const line = new WaitingLine({ signEveryMs })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    line.close()
    server.close()
  })
  /** Both ends of a connection. */
  const join = async (client = connect(port, '127.0.0.1')) => {
    const [taken] = (await once(server, 'connection')) as [Socket]
    onTestFinished(() => {
      client.destroy()
      taken.destroy()
    })
    client.on('error', () => undefined)
    taken.on('error', () => taken.destroy())
    return { client, taken }
  }
  const wait = async (host: string | null) => {
    const { client, taken } = await join()
    line.add({ socket: taken, heard: Buffer.from('hello'), host })
    return { client, taken }
  }
  return { line, port, join, wait }
}

test('T16 a connection whose agent has left takes no turn, though nothing of it was read by TLS', async () => {
  const { line, wait } = await openLine()
  const [first, second, third] = [await wait('a'), await wait('b'), await wait('c')]
  first.client.end()
  second.client.resetAndDestroy()
  await vi.waitFor(() => expect(line.size).toBe(1), LIMIT)
  expect(first.taken.destroyed).toBe(true)
  expect(line.take()).toBe(third.taken)
  expect(String(third.taken.read())).toBe('hello')
  expect(line.take()).toBeNull()
})

test('T16 turns are in the order of arrival, and a host that comes back has its place again', async () => {
  const { line, wait } = await openLine()
  const first = await wait('a')
  const second = await wait('b')
  first.client.destroy()
  await vi.waitFor(() => expect(line.size).toBe(1), LIMIT)
  const others = [await wait(null), await wait('c')]
  const again = await wait('a')
  const order = [again, second, ...others].map(({ taken }) => taken)
  expect(order.map(() => line.take())).toEqual(order)
  // Its turn has come: the next time it is as new as any other.
  const [next, last] = [await wait('d'), await wait('a')]
  expect([line.take(), line.take()]).toEqual([next.taken, last.taken])
})

test('T16 whoever says more than a client has to say before an answer is closed', async () => {
  const { line, wait } = await openLine()
  const { client, taken } = await wait('a')
  client.write('more')
  await once(taken, 'close')
  expect(line.size).toBe(0)
})

test('T16 who waits hears it byte by byte, as warnings that TLS ignores', async () => {
  const { line, wait } = await openLine(20)
  const { client } = await wait('a')
  const heard: Buffer[] = []
  client.on('data', (bytes: Buffer) => heard.push(bytes))
  await vi.waitFor(() => expect(Buffer.concat(heard).length).toBeGreaterThan(9), LIMIT)
  line.take()
  await vi.waitFor(() => {
    const bytes = Array.from(Buffer.concat(heard))
    expect(bytes.length % 7).toBe(0)
    expect(bytes).toEqual(
      Array.from({ length: bytes.length / 7 }, () => [21, 3, 3, 0, 2, 1, 90]).flat(),
    )
  }, LIMIT)
})

test('T16 who waits longer than TLS lets it hear that is told to come later, and keeps its place', async () => {
  const { line, port, join, wait } = await openLine(20)
  const dialled = connectTls({ port, host: '127.0.0.1', minVersion: 'TLSv1.3' })
  const failed = once(dialled, 'error')
  const { taken } = await join(dialled)
  line.add({ socket: taken, heard: Buffer.alloc(0), host: 'a' })
  // What TLS sends first has been read from it in the product.
  taken.removeAllListeners('readable').resume()
  const [error] = (await once(dialled, 'error').catch(() => failed)) as [Error]
  expect(error).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_USER_CANCELLED' })
  const other = await wait('b')
  const again = await wait('a')
  expect([line.take(), line.take()]).toEqual([again.taken, other.taken])
})

test('T16 a host that is told to come later gets an alert of TLS', async () => {
  const { port, join } = await openLine()
  const dialled = connectTls({ port, host: '127.0.0.1', minVersion: 'TLSv1.3' })
  const failed = once(dialled, 'error')
  const { taken } = await join(dialled)
  comeLater(taken)
  expect((await failed)[0]).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_USER_CANCELLED' })
})
