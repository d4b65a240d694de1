/** What a program sends over UDP, as a test receives it: whole, or begun anew. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readTransportStream } from './transport-stream.ts'

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** Transport stream bytes until the stream's own clock has run for `seconds`. */
  capture(seconds: number): Promise<Buffer>
}

const RTP_HEADER_BYTES = 12
/** As the kernel allows; a test that waits for its turn must not lose what comes meanwhile. */
const BUFFER_BYTES = 4_000_000
/** Looked at in such portions: half a second of 4.5 Mbit/s. */
const PORTION_DATAGRAMS = 200

/** On loopback, at a free port. */
export async function openReceiver(protocol: 'udp' | 'rtp'): Promise<Receiver> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.setRecvBufferSize(BUFFER_BYTES)
  const headerBytes = protocol === 'rtp' ? RTP_HEADER_BYTES : 0
  return {
    port: socket.address().port,
    capture: async (seconds) => capture(socket, seconds, headerBytes),
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/**
 * What this socket lost on a busy machine is no fault of the sender: the kernel counts it, and the
 * capture then begins anew. So a gap that is found in the result was sent as a gap.
 */
async function capture(socket: Socket, seconds: number, headerBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let whole: Buffer[] = []
  let portion: Buffer[] = []
  let firstClock = Number.NaN
  let lost = lostAt(socket.address().port)
  const look = () => {
    const lostNow = lostAt(socket.address().port)
    const { clocks } = readTransportStream(Buffer.concat(portion))
    if (Number.isNaN(firstClock)) firstClock = clocks[0]?.seconds ?? Number.NaN
    whole.push(...portion)
    portion = []
    if (lostNow !== lost) {
      whole = []
      firstClock = Number.NaN
      lost = lostNow
    }
    if ((clocks.at(-1)?.seconds ?? 0) - firstClock >= seconds) resolve(Buffer.concat(whole))
  }
  const onDatagram = (datagram: Buffer) => {
    portion.push(datagram.subarray(headerBytes))
    if (portion.length < PORTION_DATAGRAMS) return
    try {
      look()
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
  socket.on('message', onDatagram)
  return promise.finally(() => socket.off('message', onDatagram))
}

/** Datagrams that the kernel threw away because nobody fetched them: the last column. */
export function lostAt(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const line = readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((columns) => columns[1]?.endsWith(suffix))
  return Number(line?.at(-1) ?? 0)
}
