/** T16 How long an agent waits for its turn at a console that many hosts connect to. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectToConsole } from './console-connection.ts'
import { dialFault, isToComeLater } from './console-dial.ts'

const LIMIT_MS = 200
const WARNING = Buffer.from([21, 3, 3, 0, 2, 1, 90])

async function openConsole(answer: (wire: Socket) => void) {
  const server = createServer((wire) => {
    wire.on('error', () => undefined).once('data', () => answer(wire))
    onTestFinished(() => void wire.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const connection = connectToConsole({ ...place, minVersion: 'TLSv1.3' }, LIMIT_MS)
  onTestFinished(() => void connection.socket.destroy())
  return { ...connection, place }
}

async function failureOf(socket: Socket): Promise<Error> {
  const [error] = (await once(socket, 'error')) as [Error]
  return error
}

test('T16 a console that sends nothing is given up', async () => {
  const { socket, place } = await openConsole(() => undefined)
  const error = await failureOf(socket)
  expect(dialFault(place, error)).toContain('nothing has come from it for 0.2 s')
  expect(isToComeLater(error)).toBe(false)
})

test('T16 a console that answers slowly is waited for as long as bytes come', async () => {
  let sent = 0
  const { socket } = await openConsole((wire) => {
    const timer = setInterval(() => {
      wire.write(WARNING.subarray(sent % WARNING.length, (sent % WARNING.length) + 1))
      sent += 1
      if (sent === 4 * WARNING.length) clearInterval(timer)
    }, LIMIT_MS / 10)
    wire.once('close', () => clearInterval(timer))
  })
  const error = await failureOf(socket)
  // Longer than the limit on any machine: it was given up after the last of them.
  expect(sent).toBe(4 * WARNING.length)
  expect(error.message).toContain('nothing has come')
})

test('T16 a console that asks for a later connection is distinguished from one that is away', async () => {
  const { socket, place } = await openConsole((wire) =>
    wire.end(Buffer.from([21, 3, 3, 0, 2, 2, 90])),
  )
  const error = await failureOf(socket)
  expect(isToComeLater(error)).toBe(true)
  expect(dialFault(place, error)).toContain('has as many hosts waiting for their turn')
})

test('T16 once the link is there, silence does not close the connection', async () => {
  const { socket, stopWatching } = await openConsole((wire) => {
    stopWatching()
    setTimeout(() => wire.end(), LIMIT_MS * 2)
  })
  expect((await failureOf(socket)).message).not.toContain('nothing has come')
})
