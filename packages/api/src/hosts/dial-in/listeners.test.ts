import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../testing/process/own-port.ts'
import { closeAll, listenWidely } from './listeners.ts'

async function openWide() {
  const place = { ip: '127.0.0.1', port: await freePort() }
  let taken = 0
  const first = createServer((socket) => {
    taken += 1
    socket.destroy()
  })
  const others = await listenWidely(first, place, (socket) => first.emit('connection', socket))
  onTestFinished(async () => closeAll([first, ...others]))
  return { place, all: [first, ...others], taken: () => taken }
}

test('T16 in one turn of the event loop more than one connection is taken', async () => {
  const { place, all, taken } = await openWide()
  const perTurn: number[] = []
  let before = 0
  const look = () => {
    perTurn.push(taken() - before)
    before = taken()
    if (before < 64) setImmediate(look)
  }
  const sockets = Array.from({ length: 64 }, () => connect(place.port, place.ip))
  const closed = sockets.map(async (socket) => once(socket.resume(), 'close'))
  setImmediate(look)
  await Promise.all(closed)
  expect(taken()).toBe(64)
  expect(Math.max(...perTurn)).toBeGreaterThan(1)
  expect(all.length).toBeGreaterThan(1)
})

test('T16 a port that another process takes connections at is refused, also where that one shares it', async () => {
  const { place } = await openWide()
  const second = listenWidely(createServer(), place, () => undefined)
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a port is free once it is closed', async () => {
  const { place, all } = await openWide()
  await closeAll(all)
  const again = createServer()
  const others = await listenWidely(again, place, () => undefined)
  expect(again.listening).toBe(true)
  await closeAll([again, ...others])
})
