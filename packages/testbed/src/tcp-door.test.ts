import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openTcpDoor } from './tcp-door.ts'

/** A server that keeps what it hears, and one caller through a door. */
async function openPair() {
  await using life = new AsyncDisposableStack()
  const heard = { server: '', caller: '' }
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  life.defer(() => void server.close())
  const door = life.use(await openTcpDoor({ port: (server.address() as AddressInfo).port }))
  const accepted = once(server, 'connection')
  const caller = connect(door.port, '127.0.0.1')
  const [served] = (await accepted) as [Socket]
  life.defer(() => void [caller, served].map((socket) => socket.destroy()))
  served.on('data', (bytes) => (heard.server += String(bytes)))
  caller.on('data', (bytes) => (heard.caller += String(bytes)))
  const end = life.move()
  return { door, heard, caller, served, [Symbol.asyncDispose]: async () => end.disposeAsync() }
}

test('F8 a cut in one direction leaves the other open, and what waited passes when the cut ends', async () => {
  await using pair = await openPair()
  pair.door.cut('to-server')
  pair.caller.write('question')
  pair.served.write('news')
  await expect.poll(() => pair.heard.caller).toBe('news')
  expect(pair.heard.server).toBe('')
  pair.door.cut('none')
  await expect.poll(() => pair.heard.server).toBe('question')
})

test('F8 a cut in both directions stops new callers as well, without refusing them', async () => {
  await using pair = await openPair()
  pair.door.cut('both')
  const late = connect(pair.door.port, '127.0.0.1')
  await once(late, 'connect')
  late.write('late')
  pair.served.write('news')
  pair.door.cut('to-server')
  await expect.poll(() => pair.heard.caller).toBe('news')
  pair.door.cut('none')
  late.destroy()
})
