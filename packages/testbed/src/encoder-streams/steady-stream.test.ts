import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datagramsOf, openSink, type Sink } from './steady-stream.ts'

let sink: Sink
beforeAll(async () => {
  sink = await openSink()
})
afterAll(async () => sink[Symbol.asyncDispose]())

/** What came of a stream of 40 datagrams without these. */
async function errorsWithout(missing: (at: number) => boolean): Promise<number> {
  const sent = datagramsOf(40).filter((_datagram, at) => !missing(at))
  const socket = createSocket('udp4')
  sink.empty()
  for (const datagram of sent) socket.send(datagram, sink.port, '127.0.0.1')
  await sink.until(sent.length)
  const closed = once(socket, 'close')
  socket.close()
  await closed
  return sink.continuityErrors
}

test.each([
  ['a whole stream', 0, () => false],
  ['one datagram', 1, (at: number) => at === 7],
  ['sixteen, after which the four bits are as before', 1, (at: number) => at >= 7 && at < 23],
])('a sink counts the gaps of %s as %i', async (_name, errors, missing) => {
  expect(await errorsWithout(missing)).toBe(errors)
})
