/** A transport stream in a file that may be sent again and again: its counters go on where they ended. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const PACKET = 188
const PACKETS_A_DATAGRAM = 7
const NULL_PID = 8191
const COUNTERS = 16
const SECONDS = 8

/** Of `kbps` in all, nearly all of it a picture. */
export async function recordStream(file: string, kbps: number): Promise<void> {
  const videoKbps = Math.floor(kbps * 0.9)
  const argv = [
    ['-y', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=720x576:rate=25,noise=alls=40'],
    ['-f', 'lavfi', '-i', 'sine', '-t', `${SECONDS}`, '-c:v', 'libx264', '-preset', 'ultrafast'],
    ['-g', '25', '-b:v', `${videoKbps}k`, '-minrate', `${videoKbps}k`, '-maxrate', `${videoKbps}k`],
    ['-bufsize', `${videoKbps / 2}k`, '-c:a', 'mp2', '-b:a', '192k'],
    ['-f', 'mpegts', '-muxrate', `${kbps}k`, '-pcr_period', '20', '-pat_period', '0.1', file],
  ].flat()
  await promisify(execFile)('ffmpeg', argv)
  writeFileSync(file, endless(readFileSync(file)))
}

/**
 * Of each PID so many packets that its counter ends where it began. The last ones become stuffing, and
 * with them those without payload that repeat their counters.
 */
function endless(stream: Buffer): Buffer {
  const packets = Math.floor(stream.length / PACKET)
  const whole = stream.subarray(0, (packets - (packets % PACKETS_A_DATAGRAM)) * PACKET)
  const places = new Map<number, number[]>()
  for (let at = 0; at < whole.length; at += PACKET) {
    const pid = pidAt(whole, at)
    if (pid !== NULL_PID && hasPayload(whole, at)) places.set(pid, placesOf(places, pid, at))
  }
  for (const [pid, all] of places) {
    const first = all.at(-(all.length % COUNTERS))
    if (first === undefined || all.length % COUNTERS === 0) continue
    for (let at = first; at < whole.length; at += PACKET) {
      if (pidAt(whole, at) !== pid) continue
      whole.writeUInt16BE(NULL_PID, at + 1)
      whole.writeUInt8(0x10, at + 3)
    }
  }
  return whole
}

function placesOf(places: ReadonlyMap<number, number[]>, pid: number, at: number): number[] {
  const known = places.get(pid) ?? []
  known.push(at)
  return known
}

function pidAt(stream: Buffer, at: number): number {
  return stream.readUInt16BE(at + 1) & 0x1fff
}

function hasPayload(stream: Buffer, at: number): boolean {
  return (stream.readUInt8(at + 3) & 0x10) !== 0
}
