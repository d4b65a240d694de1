/**
 * Sends one recorded transport stream onto many groups of the local bus, in datagrams of seven
 * packets, again and again, without a gap in its counters.
 * Arguments: the file, its rate in kbit/s, the port, and the groups.
 */
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'

const DATAGRAM_BYTES = 7 * 188
const STEP_MS = 5
/** What a busy machine has kept us from sending is not made up for in one burst. */
const MOST_AT_ONCE = 20

const [file = '', rate = '', portText = '', ...groups] = process.argv.slice(2)
const stream = readFileSync(file)
const datagrams = Math.floor(stream.length / DATAGRAM_BYTES)
const perMs = Number(rate) / (DATAGRAM_BYTES * 8)
const socket = createSocket('udp4')
let sent = 0
/** Behind by more than a burst: the begin moves on. */
let beginMs = performance.now()

socket.bind(0, '127.0.0.1', () => {
  socket.setMulticastInterface('127.0.0.1')
  socket.setMulticastTTL(0)
  socket.setSendBufferSize(4_000_000)
  setInterval(sendDue, STEP_MS)
  process.send?.('ready')
})
process.on('disconnect', () => process.exit(0))

function sendDue(): void {
  const due = Math.floor((performance.now() - beginMs) * perMs) - sent
  const count = Math.min(due, MOST_AT_ONCE)
  if (due > count) beginMs += (due - count) / perMs
  for (let step = 0; step < count; step++) {
    const at = (sent % datagrams) * DATAGRAM_BYTES
    const bytes = stream.subarray(at, at + DATAGRAM_BYTES)
    for (const group of groups) socket.send(bytes, Number(portText), group, () => undefined)
    sent += 1
  }
}
