import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { TasksInSlices } from '../../in-slices.ts'
import { SocketEnds } from './socket-end.ts'
import { stall } from '../../testing/process/stall.ts'

const ENDS = 20
/** More than are closed at once. */
const MANY = 100
/** More than are heard of in a turn. */
const VERY_MANY = 600
/** More than the kernel takes at once. */
const LONG_ANSWER = 20_000_000

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

/** As long as a slice. */
function workForSlice(): void {
  stall(4)
}

interface Pair {
  /** Of the server. */
  socket: Socket
  peer: Socket
}

async function connectPairs(count: number): Promise<Pair[]> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pairs: Pair[] = []
  for (let at = 0; at < count; at += 1) {
    const peer = connect(port, '127.0.0.1')
    const [[socket]] = (await Promise.all([once(server, 'connection'), once(peer, 'connect')])) as [
      [Socket],
      unknown,
    ]
    pairs.push({ socket, peer })
  }
  return pairs
}

test('T16 connections that their peers close together are closed in turns', async () => {
  const turnOf = countTurns()
  const ends = new SocketEnds(new TasksInSlices())
  const pairs = await connectPairs(ENDS)
  const ended: number[] = []
  for (const { socket } of pairs) {
    socket.resume().on('end', () => {
      workForSlice()
      ended.push(turnOf())
    })
    ends.add(socket)
  }
  const closed = pairs.map(async ({ socket }) => once(socket, 'close'))
  for (const { peer } of pairs) peer.resume().end()
  await Promise.all(closed)
  expect(ended).toHaveLength(ENDS)
  expect(new Set(ended).size).toBe(ENDS)
})

test('T16 of connections that end together the next are closed once earlier ones are gone', async () => {
  const ends = new SocketEnds(new TasksInSlices())
  const pairs = await connectPairs(MANY)
  let [closing, most] = [0, 0]
  for (const { socket } of pairs) {
    socket.resume().on('end', () => {
      closing += 1
      most = Math.max(most, closing)
    })
    ends.add(socket)
    socket.once('close', () => (closing -= 1))
  }
  const closed = pairs.map(async ({ socket }) => once(socket, 'close'))
  for (const { peer } of pairs) peer.resume().end()
  await Promise.all(closed)
  expect(most).toBeLessThanOrEqual(20)
})

test('T16 of very many ends that come together some hundred are heard in a turn, and who stays is heard', async () => {
  const turnOf = countTurns()
  const ends = new SocketEnds(new TasksInSlices())
  const pairs = await connectPairs(VERY_MANY)
  const staying = pairs.pop()
  const endsOfTurn = new Map<number, number>()
  for (const { socket } of pairs) {
    ends.add(socket.resume())
    socket.once('end', () => endsOfTurn.set(turnOf(), (endsOfTurn.get(turnOf()) ?? 0) + 1))
  }
  if (staying === undefined) throw new Error('There is one.')
  ends.add(staying.socket)
  const heard = once(staying.socket, 'data')
  const closed = pairs.map(async ({ socket }) => once(socket, 'close'))
  for (const { peer } of pairs) peer.destroy()
  staying.peer.write('still here')
  await Promise.all(closed)
  expect(String(await heard)).toBe('still here')
  staying.peer.destroy()
  const sum = [...endsOfTurn.values()].reduce((all, count) => all + count, 0)
  expect(sum).toBe(VERY_MANY - 1)
  expect(Math.max(...endsOfTurn.values())).toBeLessThanOrEqual(300)
})

test('what a connection is still sent arrives after its peer has ended', async () => {
  const ends = new SocketEnds(new TasksInSlices())
  const [pair] = await connectPairs(1)
  if (pair === undefined) throw new Error('There is one.')
  const { socket, peer } = pair
  socket.resume().on('end', () => socket.end('x'.repeat(LONG_ANSWER)))
  ends.add(socket)
  let received = 0
  peer.on('data', (bytes) => (received += bytes.length)).end()
  await once(peer, 'close')
  expect(received).toBe(LONG_ANSWER)
})
