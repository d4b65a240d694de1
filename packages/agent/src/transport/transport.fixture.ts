/** For tests: a transport stream that ffmpeg made, the faults that are planted in it, and its reading. */
import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { MeasuredTransport } from '@trunkline/contract/fleet/transport.schema'
import type { UdpAddress } from '../host/free-port.ts'
import { TransportParser } from './transport-parser.ts'
import { transportReport } from './transport-report.rules.ts'

export const PACKET = 188
export const MUX_KBPS = 1000
export const PMT_PID = 256
export const VIDEO_PID = 512
export const AUDIO_PID = 4112
const SECONDS = 4

/** Sources of ffmpeg's. */
interface Shown {
  picture: string
  sound: string
}
export const MOVING: Shown = { picture: 'testsrc2=size=320x180:rate=25', sound: 'sine' }

function sourceOf({ picture, sound }: Shown): string[] {
  return ['-v', 'error', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
}

/** With constant mux rate, its clock references every 20 ms, its tables every 0.1 s. */
const STREAM = [
  ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'],
  ['-b:v', '500k', '-maxrate', '500k', '-bufsize', '250k'],
  ['-c:a', 'mp2', '-b:a', '128k', '-streamid', '0:512', '-streamid', '1:4112'],
  ['-f', 'mpegts', '-muxrate', `${MUX_KBPS}k`, '-pcr_period', '20', '-pat_period', '0.1'],
  ['-mpegts_service_id', '3', '-mpegts_pmt_start_pid', '256'],
].flat()

/** Four seconds. */
export async function recordStream(): Promise<Uint8Array> {
  const argv = [...sourceOf(MOVING), '-t', `${SECONDS}`, ...STREAM, 'pipe:1']
  const options = { encoding: 'buffer', maxBuffer: 16_000_000 } as const
  const { stdout } = await promisify(execFile)('ffmpeg', argv, options)
  return new Uint8Array(stdout)
}

/** The same onto a group of the local bus, until it is disposed of. */
export function sendStream({ ip, port }: UdpAddress, shown: Shown = MOVING): AsyncDisposable {
  const url = `udp://${ip}:${port}?localaddr=127.0.0.1&ttl=0&pkt_size=1316&bitrate=${MUX_KBPS * 1020}&burst_bits=10528`
  const child = spawn('ffmpeg', ['-re', ...sourceOf(shown), ...STREAM, url], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * The same by way of a relay, which blanks one packet with payload of the video in a hundred, while
 * it is to: each is one continuity error, counted in `planted`.
 */
export async function sendFaultyStream(to: UdpAddress) {
  const [near, far] = [createSocket('udp4'), createSocket('udp4')]
  near.bind(0, '127.0.0.1')
  far.bind(0, '127.0.0.1')
  await Promise.all([once(near, 'listening'), once(far, 'listening')])
  far.setMulticastInterface('127.0.0.1')
  const sending = sendStream({ ip: '127.0.0.1', port: near.address().port })
  const relay = {
    isFaulty: false,
    planted: 0,
    async [Symbol.asyncDispose]() {
      await sending[Symbol.asyncDispose]()
      const closed = [near, far].map(async (socket) => once(socket, 'close'))
      near.close()
      far.close()
      await Promise.all(closed)
    },
  }
  let passed = 0
  near.on('message', (bytes) => {
    for (const { pid, at, hasPayload } of packetsOf(bytes)) {
      if (pid !== VIDEO_PID || !hasPayload) continue
      passed += 1
      if (!relay.isFaulty || passed % 100 !== 0) continue
      blank(bytes.subarray(at, at + PACKET))
      relay.planted += 1
    }
    far.send(bytes, to.port, to.ip)
  })
  return relay
}

export interface Packet {
  pid: number
  /** Where it begins in the stream. */
  at: number
  hasPayload: boolean
  hasPcr: boolean
}

export function packetsOf(stream: Uint8Array): Packet[] {
  const count = Math.floor(stream.length / PACKET)
  return Array.from({ length: count }, (_, index) => {
    const at = index * PACKET
    const [, high = 0, low = 0, control = 0, length = 0, flags = 0] = stream.subarray(at)
    const hasAdaptation = (control & 0x20) !== 0
    return {
      pid: ((high & 0x1f) << 8) | low,
      at,
      hasPayload: (control & 0x10) !== 0,
      hasPcr: hasAdaptation && length > 0 && (flags & 0x10) !== 0,
    }
  })
}

/** A copy in which each packet that is picked was changed. */
export function changed(
  stream: Uint8Array,
  pick: (packet: Packet, index: number) => boolean,
  change: (bytes: Uint8Array) => void,
): Uint8Array {
  const copy = stream.slice()
  for (const packet of packetsOf(stream).filter(pick)) {
    change(copy.subarray(packet.at, packet.at + PACKET))
  }
  return copy
}

/** As a stuffing packet, so that the others come when they came before. */
export function blank(bytes: Uint8Array): void {
  bytes[1] = 0x1f
  bytes[2] = 0xff
  bytes[3] = 0x10
}

interface Feeding {
  datagramBytes?: number
  startMs?: number
  /** Put before each datagram. */
  header?: Uint8Array
}

/** In datagrams, each when its last byte has come at the mux rate; answers when the last one has. */
export function feed(parser: TransportParser, stream: Uint8Array, feeding: Feeding = {}): number {
  const { datagramBytes = 7 * PACKET, startMs = 0, header = new Uint8Array() } = feeding
  for (let at = 0; at < stream.length; at += datagramBytes) {
    const bytes = stream.subarray(at, at + datagramBytes)
    const nowMs = startMs + ((at + bytes.length) * 8) / MUX_KBPS
    parser.push(Buffer.concat([header, bytes]), nowMs)
  }
  return startMs + (stream.length * 8) / MUX_KBPS
}

export function measured(stream: Uint8Array, feeding: Feeding = {}): MeasuredTransport {
  const parser = new TransportParser(0)
  const endMs = feed(parser, stream, feeding)
  return transportReport([parser.take(endMs)], { mode: 'sampled', everyMs: 30_000 })
}
