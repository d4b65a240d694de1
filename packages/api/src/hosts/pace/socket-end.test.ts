import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { TasksInSlices } from '../../in-slices.ts'
import { endInTurn } from './socket-end.ts'

const ENDS = 20

/** Which turn of the event loop it is. */
function countTurns(): () => number {
  let turn = 0
  let next = setImmediate(count)
  function count(): void {
    turn += 1
    next = setImmediate(count)
  }
  onTestFinished(() => clearImmediate(next))
  return () => turn
}

/** As long as a slice: 4 ms. */
function workForSlice(): void {
  const untilMs = performance.now() + 4
  while (performance.now() < untilMs) continue
}

test('T16 connections that their peers close together are closed in turns', async () => {
  const turnOf = countTurns()
  const turns = new TasksInSlices()
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ended: number[] = []
  const closed: Promise<unknown>[] = []
  const peers: Socket[] = []
  for (let at = 0; at < ENDS; at += 1) {
    const peer = connect(port, '127.0.0.1')
    const [[socket]] = (await Promise.all([once(server, 'connection'), once(peer, 'connect')])) as [
      [Socket],
      unknown,
    ]
    socket.resume().on('end', () => {
      workForSlice()
      ended.push(turnOf())
      socket.end()
    })
    endInTurn(socket, turns)
    closed.push(once(socket, 'close'))
    peers.push(peer)
  }
  for (const peer of peers) peer.resume().end()
  await Promise.all(closed)
  expect(ended).toHaveLength(ENDS)
  expect(new Set(ended).size).toBe(ENDS)
})
