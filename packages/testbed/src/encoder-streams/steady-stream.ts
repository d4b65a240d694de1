/** A transport stream of a steady rate without an encoder, and a place where it is counted on arrival. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { lostAt } from './stream-capture.ts'

const PACKET_BYTES = 188
/** As every tool cuts it: seven packets a datagram. */
const PACKETS_A_DATAGRAM = 7
export const DATAGRAM_BYTES = PACKET_BYTES * PACKETS_A_DATAGRAM
const STREAM_PID = 0x100
const PCR_EVERY_PACKETS = 10
const PCR_HZ = 27_000_000
/** The last eight bytes of a packet: this mark, then its number, so that a gap of any length is seen. */
const NUMBER_MARK = 0xa5a55a5a
const NUMBER_AT = PACKET_BYTES - 4
const TICK_MS = 5
/**
 * What a busy machine let wait is sent at once, up to this: a tool's buffer holds it, where the
 * kernel's own size has room for 92 datagrams (tried) and some may still lie there.
 */
const MOST_AT_ONCE = 40
/** As far as the kernel allows. */
const BUFFER_BYTES = 4_000_000
/** Only ends what hangs. */
const COMES_LIMIT_MS = 60_000

/** One program without tables: a counter and a number in each packet, a clock in every tenth. */
class PacketMaker {
  readonly #kbps: number
  readonly #pid: number
  #made = 0

  constructor(kbps: number, pid: number) {
    this.#kbps = kbps
    this.#pid = pid
  }

  datagram(): Buffer {
    const bytes = Buffer.alloc(DATAGRAM_BYTES, 0xa5)
    for (let at = 0; at < DATAGRAM_BYTES; at += PACKET_BYTES) {
      this.#writePacket(bytes.subarray(at, at + PACKET_BYTES))
    }
    return bytes
  }

  #writePacket(packet: Buffer): void {
    const hasClock = this.#made % PCR_EVERY_PACKETS === 0
    packet.writeUInt32BE(((0x47 << 24) | (this.#pid << 8)) >>> 0)
    packet[3] = (hasClock ? 0x30 : 0x10) | (this.#made & 0x0f)
    if (hasClock) this.#writeClock(packet)
    packet.writeUInt32BE(NUMBER_MARK, NUMBER_AT - 4)
    packet.writeUInt32BE(this.#made, NUMBER_AT)
    this.#made += 1
  }

  #writeClock(packet: Buffer): void {
    const ticks = Math.round((this.#made * PACKET_BYTES * 8 * PCR_HZ) / (this.#kbps * 1000))
    const [base, extension] = [Math.floor(ticks / 300), ticks % 300]
    packet[4] = 7
    packet[5] = 0x10
    packet.writeUInt32BE(Math.floor(base / 2) >>> 0, 6)
    packet[10] = ((base & 1) << 7) | 0x7e | (extension >> 8)
    packet[11] = extension & 0xff
  }
}

/** The first ones of a stream, without a clock to wait for. */
export function datagramsOf(count: number): Buffer[] {
  const maker = new PacketMaker(1000, STREAM_PID)
  return Array.from({ length: count }, () => maker.datagram())
}

export interface SteadyStream extends Disposable {
  /** A group of the loopback interface, which any number of tools may read. */
  readonly ip: string
  readonly port: number
  /** Datagrams so far. */
  readonly sent: number
}

export const GROUP_IP = '239.255.77.5'

/** Paced by the clock. `port`: that no other group has. `pid` tells it from other streams. */
export async function startStream(
  kbps: number,
  port: number,
  pid = STREAM_PID,
): Promise<SteadyStream> {
  const maker = new PacketMaker(kbps, pid)
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.setMulticastInterface('127.0.0.1')
  const startedMs = performance.now()
  let sent = 0
  let skipped = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) * kbps) / (DATAGRAM_BYTES * 8))
    // What is older is not made at all: it never was part of the stream, and is not counted as sent.
    skipped = Math.max(skipped, due - sent - MOST_AT_ONCE)
    for (; sent + skipped < due; sent += 1) socket.send(maker.datagram(), port, GROUP_IP)
  }, TICK_MS)
  return {
    ip: GROUP_IP,
    port,
    get sent() {
      return sent
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      socket.close()
    },
  }
}

export interface Sink extends AsyncDisposable {
  readonly port: number
  /** Since it was opened or emptied. */
  readonly datagrams: number
  readonly continuityErrors: number
  /** Between two datagrams since it was opened or emptied; the pause that lasts counts as well. */
  readonly longestPauseMs: number
  /** Of the packets that came. */
  readonly pids: ReadonlySet<number>
  /** Counts from the next packet on as from the first. */
  empty(): void
  /** Resolves once so many have come since it was opened or emptied. */
  until(datagrams: number): Promise<void>
}

/**
 * On loopback, at a free port or in a group of the loopback interface. Throws in `continuityErrors` when
 * this socket itself lost something.
 */
export async function openSink(group?: { ip: string; port: number }): Promise<Sink> {
  const socket = createSocket({ type: 'udp4', reuseAddr: group !== undefined })
  socket.bind(group?.port ?? 0, group?.ip ?? '127.0.0.1')
  await once(socket, 'listening')
  socket.setRecvBufferSize(BUFFER_BYTES)
  if (group !== undefined) socket.addMembership(group.ip, '127.0.0.1')
  const { port } = socket.address()
  const counter = new ContinuityCounter()
  const waiting = new Set<() => void>()
  let datagrams = 0
  let lastMs = performance.now()
  let longestPauseMs = 0
  const pauseMs = () => Math.max(longestPauseMs, performance.now() - lastMs)
  socket.on('message', (bytes) => {
    datagrams += 1
    longestPauseMs = pauseMs()
    lastMs = performance.now()
    counter.read(bytes)
    for (const look of waiting) look()
  })
  return {
    port,
    get datagrams() {
      return datagrams
    },
    get continuityErrors() {
      const lost = lostAt(port)
      if (lost > 0) throw new Error(`This machine let fall ${lost} datagrams at the test's socket.`)
      return counter.errors
    },
    get longestPauseMs() {
      return pauseMs()
    },
    get pids() {
      return counter.pids
    },
    empty() {
      datagrams = 0
      lastMs = performance.now()
      longestPauseMs = 0
      counter.begin()
    },
    async until(wanted) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => {
        if (datagrams >= wanted) resolve()
      }
      const tooLate = () => reject(new Error(`Only ${datagrams} of ${wanted} datagrams came.`))
      const timer = setTimeout(tooLate, COMES_LIMIT_MS)
      waiting.add(look)
      look()
      return promise.finally(() => {
        waiting.delete(look)
        clearTimeout(timer)
      })
    },
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/**
 * Live, so that a stream may run for minutes. Any packet that is no packet counts as an error. Four
 * bits come round after sixteen packets, so our own stream's packets are known by their numbers.
 */
class ContinuityCounter {
  errors = 0
  readonly pids = new Set<number>()
  readonly #last = new Map<number, Place>()

  begin(): void {
    this.errors = 0
    this.pids.clear()
    this.#last.clear()
  }

  read(bytes: Buffer): void {
    for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
      if (bytes[at] !== 0x47) this.errors += 1
      else this.#readPacket(bytes.subarray(at, at + PACKET_BYTES))
    }
  }

  #readPacket(packet: Buffer): void {
    const pid = packet.readUInt16BE(1) & 0x1fff
    const control = packet[3] ?? 0
    this.pids.add(pid)
    if (pid === 0x1fff || (control & 0x10) === 0) return
    const place = { counter: control & 0x0f, number: numberOf(packet) }
    const before = this.#last.get(pid)
    if (before && !follows(before, place)) this.errors += 1
    this.#last.set(pid, place)
  }
}

interface Place {
  counter: number
  /** Null in a packet that another maker wrote. */
  number: number | null
}

function numberOf(packet: Buffer): number | null {
  return packet.readUInt32BE(NUMBER_AT - 4) === NUMBER_MARK ? packet.readUInt32BE(NUMBER_AT) : null
}

function follows(before: Place, { counter, number }: Place): boolean {
  if (number !== null && before.number !== null) return number === before.number + 1
  return counter === ((before.counter + 1) & 0x0f)
}
