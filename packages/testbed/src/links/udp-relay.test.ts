import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openRelay } from './udp-relay.ts'

async function bound(ip: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, ip)
  await once(socket, 'listening')
  return socket
}

async function closed(socket: Socket): Promise<void> {
  const end = once(socket, 'close')
  socket.close()
  await end
}

test('a slow relay passes all datagrams in order, in both directions, from one address to another', async () => {
  const [far, near] = [await bound('127.0.4.1'), await bound('127.0.0.1')]
  const { port } = far.address()
  // At the port of the far end, as a router that forwards it.
  const relay = await openRelay(port, port, { ip: '127.0.4.2', toIp: '127.0.4.1' })
  relay.delayMs = 30
  const heard: string[] = []
  const answers: string[] = []
  const all = Promise.withResolvers<void>()
  far.on('message', (bytes, from) => {
    heard.push(bytes.toString())
    far.send(`answer ${bytes.toString()}`, from.port, from.address)
  })
  near.on('message', (bytes) => {
    answers.push(bytes.toString())
    if (answers.length === 5) all.resolve()
  })
  for (const number of ['1', '2', '3', '4', '5']) near.send(number, port, '127.0.4.2')
  await all.promise
  expect(heard).toEqual(['1', '2', '3', '4', '5'])
  expect(answers).toEqual(heard.map((number) => `answer ${number}`))
  await relay[Symbol.asyncDispose]()
  await Promise.all([far, near].map(closed))
})
