/**
 * Everything but a good stream goes into a real packager, a good one before and after: afterwards it
 * must play again, with nothing written beside its folder and nothing read that a sender names.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalLeg } from '@trunkline/contract/agent/program.messages'
import { beforeAll, expect, test } from 'vitest'
import { eventually, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import {
  AAC,
  goodStream,
  H264,
  makeStream,
  newLeg,
  openUnitSite,
  PICTURE,
  play,
  processesNaming,
  runPackager,
  segmentsIn,
  send,
  SOUND,
  untilDecodes,
} from '../unit-site.fixture.ts'

const site = shared(openUnitSite)
let good: string
let leg: LocalLeg
let folder: string
const PROGRAM = 'ch-malformed-hls'
const MARKER = 'this text must stay where it is'
beforeAll(async () => {
  good = goodStream(site)
  leg = await newLeg()
  writeFileSync(join(site.folder, 'secret.txt'), MARKER.repeat(100))
  ;({ folder } = await runPackager(site, PROGRAM, leg))
})

const PACKET_BYTES = 188

function packetsOf(bytes: Buffer): Buffer[] {
  const count = Math.floor(bytes.length / PACKET_BYTES)
  return Array.from({ length: count }, (_, at) =>
    Buffer.from(bytes.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES)),
  )
}

function pidOf(packet: Buffer): number {
  return packet.readUInt16BE(1) & 0x1f_ff
}

/** The good stream with each packet changed; null leaves it out. */
function changed(change: (packet: Buffer, at: number) => Buffer | null): Buffer {
  const packets = packetsOf(readFileSync(good)).map(change)
  return Buffer.concat(packets.filter((packet) => packet !== null))
}

const PAT = 0
const PMT = 0x10_00
const FIRST_PID = 0x1_00

/** Time stamps of the packets' payloads moved by so many ticks of 90 kHz. */
function moved(ticks: number): Buffer {
  return changed((packet) => {
    const hasField = ((packet[3] ?? 0) & 0x20) !== 0
    const start = 4 + (hasField ? 1 + (packet[4] ?? 0) : 0)
    const isPes = packet.subarray(start, start + 3).equals(Buffer.from([0, 0, 1]))
    if (isPes) for (const at of stampPlaces(packet, start)) writeStamp(packet, at, ticks)
    return packet
  })
}

function stampPlaces(packet: Buffer, start: number): number[] {
  const flags = (packet[start + 7] ?? 0) >> 6
  return flags === 3 ? [start + 9, start + 14] : flags === 2 ? [start + 9] : []
}

/** 33 bits in five bytes, with marker bits between. */
function writeStamp(packet: Buffer, at: number, ticks: number): void {
  const high = ((packet[at] ?? 0) >> 1) & 7
  const old = high * 2 ** 30 + (packet.readUInt16BE(at + 1) >> 1) * 2 ** 15
  const value = (old + (packet.readUInt16BE(at + 3) >> 1) + ticks + 2 ** 33) % 2 ** 33
  packet[at] = ((packet[at] ?? 0) & 0xf1) | (Math.floor(value / 2 ** 30) << 1)
  packet.writeUInt16BE(((Math.floor(value / 2 ** 15) % 2 ** 15) << 1) | 1, at + 1)
  packet.writeUInt16BE(((value % 2 ** 15) << 1) | 1, at + 3)
}

const HOUR_TICKS = 3600 * 90_000
const MPEG2 = ['-c:v', 'mpeg2video', '-g', '25', '-c:a', 'mp2']
const LARGE = ['-f', 'lavfi', '-i', 'testsrc2=s=642x362:r=30']

function made(name: string, args: readonly string[]): Buffer {
  return readFileSync(makeStream(site, name, args))
}

const CASES: Record<string, () => Buffer> = {
  'random bytes': () => randomBytes(200_000),
  'random bytes in transport packets': () =>
    changed((packet) => Buffer.concat([packet.subarray(0, 4), randomBytes(PACKET_BYTES - 4)])),
  'halves of packets': () => changed((packet) => packet.subarray(0, 94)),
  'no table of programs': () => changed((packet) => (pidOf(packet) === PAT ? null : packet)),
  'tables that name nonsense': () =>
    changed((packet) =>
      [PAT, PMT].includes(pidOf(packet))
        ? Buffer.concat([packet.subarray(0, 13), randomBytes(PACKET_BYTES - 13)])
        : packet,
    ),
  'every third packet of the picture lost': () =>
    changed((packet, at) => (pidOf(packet) === FIRST_PID && at % 3 === 0 ? null : packet)),
  'a picture without sound': () => made('silent', [...PICTURE, ...H264]),
  'sound without a picture': () => made('blind', [...SOUND, ...AAC]),
  'time an hour ahead': () => moved(HOUR_TICKS),
  'time seven hours back': () => moved(-7 * HOUR_TICKS),
  'the end of the clock': () => moved(2 ** 33 - 5 * 90_000),
  'other PIDs': () =>
    made('pids', [...PICTURE, ...SOUND, ...H264, ...AAC, '-mpegts_start_pid', '0x300']),
  'another picture size, an odd one': () => made('large', [...LARGE, ...SOUND, ...H264, ...AAC]),
  'another codec': () => made('mpeg2', [...PICTURE, ...SOUND, ...MPEG2]),
  'a scrambled program': () =>
    changed((packet) => {
      if (pidOf(packet) < FIRST_PID || pidOf(packet) >= PMT) return packet
      packet[3] = (packet[3] ?? 0) | 0xc0
      return Buffer.concat([packet.subarray(0, 8), randomBytes(PACKET_BYTES - 8)])
    }),
  'a playlist that names a file': () =>
    Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${join(site.folder, 'secret.txt')}\n`.repeat(50)),
  'nothing at all': () => Buffer.alloc(0),
}

/** The packager deletes as it goes: a segment may be gone between two lines. */
function isNaming(path: string): boolean {
  try {
    return readFileSync(path).includes(MARKER)
  } catch {
    return false
  }
}

/** What a packager may write. */
const OURS = /^v0(-\d+\.ts|\.m3u8)(\.tmp)?$/

/** The first segments may hold what was sent all at once before: the later ones cannot. */
async function playsAgain(): Promise<void> {
  await using _feed = play(good, leg)
  const before = new Set(segmentsIn(folder))
  await eventually(() => {
    const later = segmentsIn(folder).filter((file) => !before.has(file))
    expect(later.length).toBeGreaterThanOrEqual(FIRST_SEGMENTS)
  })
  await untilDecodes(folder)
}

const FIRST_SEGMENTS = 2

test.each(Object.keys(CASES))(
  'CHAN: after %s a good stream plays again',
  { timeout: LIFE_LIMIT_MS },
  async (name) => {
    await send(CASES[name]?.() ?? Buffer.alloc(0), leg)
    await playsAgain()
    expect(readdirSync(folder).filter((file) => !OURS.test(file))).toEqual([])
    expect(segmentsIn(folder).some((file) => isNaming(join(folder, file)))).toBe(false)
    expect(processesNaming(folder)).toBe(1)
    expect(site.report(PROGRAM).state).toBe('running')
  },
)

test('CHAN: single datagrams of every size stop nothing', { timeout: LIFE_LIMIT_MS }, async () => {
  for (const bytes of [1, 2, 187, 189, 1315, 1317, 60_000])
    await send(randomBytes(bytes), leg, bytes)
  await send(Buffer.alloc(1316, 0x47), leg)
  await playsAgain()
  expect(processesNaming(folder)).toBe(1)
})
