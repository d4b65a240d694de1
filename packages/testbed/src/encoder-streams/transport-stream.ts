/**
 * Reads an MPEG transport stream (ISO 13818-1) as far as the tests compare it with a
 * configuration: tables, clocks, continuity. It repairs nothing and decodes no pictures.
 */

const PACKET_BYTES = 188
const SYNC = 0x47
const NULL_PID = 0x1fff
const PCR_HZ = 27_000_000

interface ElementaryStream {
  pid: number
  streamType: number
  /** ISO 639 code and audio type of the language descriptor; null without one. */
  language: { code: string; audioType: number } | null
}

export interface TransportStream {
  transportStreamId: number
  programs: { number: number; pmtPid: number; pcrPid: number; streams: ElementaryStream[] }[]
  /** From the SDT: service id to name. */
  services: Record<number, string>
  hasNit: boolean
  packets: number
  nullPackets: number
  continuityErrors: number
  /** In order: seconds on the stream's own clock, and the byte where its packet begins. */
  clocks: { pid: number; seconds: number; byte: number }[]
  /** Every section of a table, in order: which table, and the byte where its last packet begins. */
  sections: { tableId: number; byte: number }[]
}

/** Throws when the bytes are not whole, aligned packets. */
export function readTransportStream(bytes: Buffer): TransportStream {
  const stream: TransportStream = {
    transportStreamId: 0,
    programs: [],
    services: {},
    hasNit: false,
    packets: 0,
    nullPackets: 0,
    continuityErrors: 0,
    clocks: [],
    sections: [],
  }
  const sections = new SectionReader()
  const counters = new Map<number, number>()
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const packet = bytes.subarray(at, at + PACKET_BYTES)
    if (packet[0] !== SYNC) throw new Error(`No sync byte at ${at}.`)
    readPacket(packet, at, { stream, sections, counters })
  }
  return stream
}

/** Bit/s between the first and the last PCR of the first program; NaN with fewer than two. */
export function muxRateBps(stream: TransportStream): number {
  const own = ownClocks(stream)
  const [first, last] = [own[0], own.at(-1)]
  if (!first || !last || first === last) return Number.NaN
  return ((last.byte - first.byte) * 8) / (last.seconds - first.seconds)
}

/** The longest time without a PCR of the first program; 0 with fewer than two. */
export function longestClockGapSeconds(stream: TransportStream): number {
  return longestGap(ownClocks(stream).map((clock) => clock.seconds))
}

/** The longest time without this table, by the stream's own clock; 0 with fewer than two. */
export function longestTableGapSeconds(stream: TransportStream, tableId: number): number {
  const own = stream.sections.filter((section) => section.tableId === tableId)
  const times = own.flatMap((section) => secondsAt(stream, section.byte) ?? [])
  return longestGap(times)
}

/** Between two PCRs the clock runs with the bytes; null outside of the first and the last. */
function secondsAt(stream: TransportStream, byte: number): number | null {
  const clocks = ownClocks(stream)
  const next = clocks.findIndex((clock) => clock.byte > byte)
  const [before, after] = [clocks[next - 1], clocks[next]]
  if (!before || !after) return null
  const share = (byte - before.byte) / (after.byte - before.byte)
  return before.seconds + share * (after.seconds - before.seconds)
}

function ownClocks(stream: TransportStream): TransportStream['clocks'] {
  const pid = stream.programs[0]?.pcrPid
  return stream.clocks.filter((clock) => clock.pid === pid)
}

function longestGap(seconds: readonly number[]): number {
  return Math.max(0, ...seconds.slice(1).map((second, at) => second - (seconds[at] ?? 0)))
}

/** The first bytes of the first whole PES packet of a PID, its header left out; null without one. */
export function firstPayload(bytes: Buffer, pid: number): Buffer | null {
  for (const packet of packetsOf(bytes, pid)) {
    if (!packet.starts) continue
    return packet.payload.subarray(9 + (packet.payload[8] ?? 0))
  }
  return null
}

/** Bits of a PID, its PES headers among them, from the first PCR to the last, by the second. */
export function payloadBps(bytes: Buffer, pid: number): number {
  const clocks = ownClocks(readTransportStream(bytes))
  const [first, last] = [clocks[0], clocks.at(-1)]
  if (!first || !last || first === last) return Number.NaN
  const packets = packetsOf(bytes.subarray(first.byte, last.byte), pid)
  const payloadBytes = packets.reduce((sum, packet) => sum + packet.payload.length, 0)
  return (payloadBytes * 8) / (last.seconds - first.seconds)
}

/** What an encoder wrote of itself into the first pictures, other bytes among it. */
export function firstPictureText(bytes: Buffer): string {
  const pid = readTransportStream(bytes).programs[0]?.streams[0]?.pid ?? NULL_PID
  const payloads = packetsOf(bytes, pid).map((packet) => packet.payload)
  return Buffer.concat(payloads.slice(0, FIRST_PICTURE_PACKETS)).toString('latin1')
}

/** x264's settings fill five packets, headers come before them. */
const FIRST_PICTURE_PACKETS = 12

function packetsOf(bytes: Buffer, pid: number): { starts: boolean; payload: Buffer }[] {
  const packets: { starts: boolean; payload: Buffer }[] = []
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const packet = bytes.subarray(at, at + PACKET_BYTES)
    const control = packet[3] ?? 0
    if ((packet.readUInt16BE(1) & 0x1fff) !== pid || (control & 0x10) === 0) continue
    const adaptationBytes = (control & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0)
    const starts = ((packet[1] ?? 0) & 0x40) !== 0
    packets.push({ starts, payload: packet.subarray(4 + adaptationBytes) })
  }
  return packets
}

interface Reading {
  stream: TransportStream
  sections: SectionReader
  counters: Map<number, number>
}

function readPacket(packet: Buffer, byte: number, reading: Reading): void {
  const { stream, sections, counters } = reading
  const pid = packet.readUInt16BE(1) & 0x1fff
  stream.packets++
  if (pid === NULL_PID) {
    stream.nullPackets++
    return
  }
  const control = packet[3] ?? 0
  const hasPayload = (control & 0x10) !== 0
  const adaptationBytes = (control & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0)
  const flags = adaptationBytes > 1 ? (packet[5] ?? 0) : 0
  if ((flags & 0x10) !== 0) stream.clocks.push({ pid, seconds: readPcr(packet), byte })
  if (!hasPayload) return
  const isDiscontinuity = (flags & 0x80) !== 0
  countContinuity(stream, counters, pid, control & 0x0f, isDiscontinuity)
  const starts = ((packet[1] ?? 0) & 0x40) !== 0
  const section = sections.add(pid, packet.subarray(4 + adaptationBytes), starts, stream)
  if (!section) return
  stream.sections.push({ tableId: section.bytes[0] ?? 0, byte })
  readSection(section.pid, section.bytes, stream)
}

/** 33 bits at 90 kHz, six reserved, nine at 27 MHz. */
function readPcr(packet: Buffer): number {
  const base = packet.readUInt32BE(6) * 2 + ((packet[10] ?? 0) >> 7)
  const extension = (((packet[10] ?? 0) & 1) << 8) | (packet[11] ?? 0)
  return (base * 300 + extension) / PCR_HZ
}

function countContinuity(
  stream: TransportStream,
  counters: Map<number, number>,
  pid: number,
  counter: number,
  isDiscontinuity: boolean,
): void {
  const before = counters.get(pid)
  counters.set(pid, counter)
  if (before === undefined || isDiscontinuity) return
  if (counter !== ((before + 1) & 0x0f)) stream.continuityErrors++
}

/** Puts sections together; only PIDs that carry tables are looked at. */
class SectionReader {
  readonly #open = new Map<number, Buffer>()

  add(
    pid: number,
    payload: Buffer,
    starts: boolean,
    stream: TransportStream,
  ): { pid: number; bytes: Buffer } | null {
    const carriesTables = pid <= 0x11 || stream.programs.some((program) => program.pmtPid === pid)
    if (!carriesTables) return null
    const open = this.#open.get(pid)
    const whole = starts ? payload.subarray(1 + (payload[0] ?? 0)) : joined(open, payload)
    if (!whole || whole.length < 3) return null
    const length = 3 + (whole.readUInt16BE(1) & 0x0fff)
    if (whole.length < length) {
      this.#open.set(pid, whole)
      return null
    }
    this.#open.delete(pid)
    return { pid, bytes: whole.subarray(0, length) }
  }
}

function joined(open: Buffer | undefined, payload: Buffer): Buffer | null {
  return open ? Buffer.concat([open, payload]) : null
}

export const PAT = 0x00
export const PMT = 0x02
const NIT = 0x40
const SDT = 0x42
const CRC_BYTES = 4

function readSection(pid: number, section: Buffer, stream: TransportStream): void {
  const table = section[0]
  if (table === PAT) readPat(section, stream)
  else if (table === PMT) readPmt(pid, section, stream)
  else if (table === SDT) readSdt(section, stream)
  else if (table === NIT) stream.hasNit = true
}

function readPat(section: Buffer, stream: TransportStream): void {
  stream.transportStreamId = section.readUInt16BE(3)
  for (let at = 8; at + 4 <= section.length - CRC_BYTES; at += 4) {
    const number = section.readUInt16BE(at)
    const pmtPid = section.readUInt16BE(at + 2) & 0x1fff
    if (number === 0 || stream.programs.some((program) => program.number === number)) continue
    stream.programs.push({ number, pmtPid, pcrPid: NULL_PID, streams: [] })
  }
}

function readPmt(pid: number, section: Buffer, stream: TransportStream): void {
  const program = stream.programs.find((program) => program.pmtPid === pid)
  if (!program) return
  program.pcrPid = section.readUInt16BE(8) & 0x1fff
  program.streams = []
  let at = 12 + (section.readUInt16BE(10) & 0x0fff)
  while (at + 5 <= section.length - CRC_BYTES) {
    const length = section.readUInt16BE(at + 3) & 0x0fff
    program.streams.push({
      streamType: section[at] ?? 0,
      pid: section.readUInt16BE(at + 1) & 0x1fff,
      language: readLanguage(section.subarray(at + 5, at + 5 + length)),
    })
    at += 5 + length
  }
}

const ISO_639_LANGUAGE = 0x0a

function readLanguage(descriptors: Buffer): ElementaryStream['language'] {
  for (let at = 0; at + 2 <= descriptors.length; at += 2 + (descriptors[at + 1] ?? 0)) {
    if (descriptors[at] !== ISO_639_LANGUAGE) continue
    return {
      code: descriptors.toString('latin1', at + 2, at + 5),
      audioType: descriptors[at + 5] ?? 0,
    }
  }
  return null
}

const SERVICE_DESCRIPTOR = 0x48
/** EN 300 468, annex A: the first byte of a text in UTF-8. */
const IS_UTF8 = 0x15

function readName(text: Buffer): string {
  return text[0] === IS_UTF8 ? text.toString('utf8', 1) : text.toString('latin1')
}

function readSdt(section: Buffer, stream: TransportStream): void {
  let at = 11
  while (at + 5 <= section.length - CRC_BYTES) {
    const service = section.readUInt16BE(at)
    const length = section.readUInt16BE(at + 3) & 0x0fff
    const descriptor = section.subarray(at + 5, at + 5 + length)
    if (descriptor[0] === SERVICE_DESCRIPTOR) {
      const nameAt = 4 + (descriptor[3] ?? 0)
      const nameEnd = nameAt + 1 + (descriptor[nameAt] ?? 0)
      stream.services[service] = readName(descriptor.subarray(nameAt + 1, nameEnd))
    }
    at += 5 + length
  }
}
