/** The PAT and PMTs of a transport stream: which programs and streams there are, and how often it says so. */
import { PROGRAMS_LISTED } from '@trunkline/contract/fleet/transport.rules'
import { SectionReader } from './section-reader.ts'
import { streamKind, type StreamKind } from './stream-type.rules.ts'

const PAT_PID = 0
const PAT_ID = 0x00
const PMT_ID = 0x02
const CRC_BYTES = 4
/** A PMT names a dozen; this only bounds what a broken one costs. */
const STREAMS_LISTED = 64
const NO_PCR_PID = 0x1fff

interface Program {
  readonly number: number
  readonly pmtPid: number
  readonly timing: TableTiming
  pcrPid: number | null
  /** Of the section that was read last: the same one is not read again. */
  crc: number
  streams: readonly ListedStream[]
}

interface ListedStream extends StreamKind {
  pid: number
}

export interface TakenProgram {
  number: number
  pmtPid: number
  pcrPid: number | null
  sections: number
  longestGapMs: number
  streams: readonly ListedStream[]
}

export class ProgramTables {
  #readers = new Map<number, SectionReader>()
  #programs: Program[] = []
  #pat: TableTiming
  #patCrc = -1
  #nowMs: number
  #crcErrors = 0

  constructor(nowMs: number) {
    this.#nowMs = nowMs
    this.#pat = new TableTiming(nowMs)
    this.#readers.set(PAT_PID, this.#patReader())
  }

  #patReader(): SectionReader {
    return new SectionReader((section, length) => this.#readPat(section, length))
  }

  /** Whether the packets of this PID carry a PAT or PMT. */
  isTable(pid: number): boolean {
    return this.#readers.has(pid)
  }

  push(pid: number, packet: Uint8Array, from: number, to: number, isStart: boolean, nowMs: number) {
    this.#nowMs = nowMs
    this.#readers.get(pid)?.push(packet, from, to, isStart)
  }

  /** A packet of this PID is missing: what was being put together is not whole. */
  breakOff(pid: number): void {
    this.#readers.get(pid)?.reset()
  }

  /** Nothing at all came until now. */
  resume(nowMs: number): void {
    this.#pat.resume(nowMs)
    for (const { timing } of this.#programs) timing.resume(nowMs)
  }

  take(nowMs: number) {
    const crcErrors = this.#crcErrors
    this.#crcErrors = 0
    const programs = this.#programs.map(
      ({ number, pmtPid, pcrPid, streams, timing }): TakenProgram => ({
        number,
        pmtPid,
        pcrPid,
        streams,
        ...timing.take(nowMs),
      }),
    )
    return { crcErrors, pat: this.#pat.take(nowMs), programs }
  }

  #readPat(section: Uint8Array, length: number): void {
    if (!this.#isCurrent(section, length, PAT_ID)) return
    this.#pat.came(this.#nowMs)
    const crc = checksumOf(section, length)
    // A site has fewer programs than fit into one section.
    if (crc === this.#patCrc || (section[6] ?? 0) !== 0) return
    this.#patCrc = crc
    const programs: Program[] = []
    for (let at = 8; at + 4 <= length - CRC_BYTES; at += 4) {
      const number = uint16(section, at)
      if (number === 0 || programs.length >= PROGRAMS_LISTED) continue
      programs.push(this.#program(number, uint16(section, at + 2) & 0x1fff))
    }
    this.#programs = programs
    const readers = new Map([[PAT_PID, this.#readers.get(PAT_PID) ?? this.#patReader()]])
    for (const { pmtPid } of programs) {
      if (pmtPid === PAT_PID) continue
      readers.set(pmtPid, this.#readers.get(pmtPid) ?? this.#pmtReader(pmtPid))
    }
    this.#readers = readers
  }

  #program(number: number, pmtPid: number): Program {
    const known = this.#programs.find((each) => each.number === number && each.pmtPid === pmtPid)
    const timing = new TableTiming(this.#nowMs)
    return known ?? { number, pmtPid, timing, pcrPid: null, crc: -1, streams: [] }
  }

  #pmtReader(pmtPid: number): SectionReader {
    return new SectionReader((section, length) => this.#readPmt(pmtPid, section, length))
  }

  #readPmt(pmtPid: number, section: Uint8Array, length: number): void {
    if (!this.#isCurrent(section, length, PMT_ID) || length < 12 + CRC_BYTES) return
    const number = uint16(section, 3)
    for (const program of this.#programs) {
      if (program.number !== number || program.pmtPid !== pmtPid) continue
      program.timing.came(this.#nowMs)
      const crc = checksumOf(section, length)
      if (crc === program.crc) return
      program.crc = crc
      const pcrPid = uint16(section, 8) & 0x1fff
      program.pcrPid = pcrPid === NO_PCR_PID ? null : pcrPid
      program.streams = streamsOf(section, length - CRC_BYTES)
      return
    }
  }

  /** That table, whole, and in force; other tables on the same PID are none of ours. */
  #isCurrent(section: Uint8Array, length: number, tableId: number): boolean {
    if (section[0] !== tableId || length < 8 + CRC_BYTES) return false
    if (crc32(section, length) !== 0) {
      this.#crcErrors += 1
      return false
    }
    return ((section[5] ?? 0) & 1) === 1
  }
}

function streamsOf(section: Uint8Array, end: number): ListedStream[] {
  const streams: ListedStream[] = []
  let at = 12 + (uint16(section, 10) & 0x0fff)
  while (at + 5 <= end && streams.length < STREAMS_LISTED) {
    const next = at + 5 + (uint16(section, at + 3) & 0x0fff)
    const kind = streamKind(section[at] ?? 0, section, at + 5, Math.min(next, end))
    streams.push({ pid: uint16(section, at + 1) & 0x1fff, ...kind })
    at = next
  }
  return streams
}

function checksumOf(section: Uint8Array, length: number): number {
  return uint16(section, length - 4) * 0x10000 + uint16(section, length - 2)
}

function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** How often a table comes: how many times since it was last asked, and the longest time without. */
class TableTiming {
  #sections = 0
  #lastAtMs: number
  #longestGapMs = 0

  /** Missed from `nowMs` on. */
  constructor(nowMs: number) {
    this.#lastAtMs = nowMs
  }

  came(nowMs: number): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAtMs)
    this.#lastAtMs = nowMs
    this.#sections += 1
  }

  /** Nothing at all came until now: that is no gap of this table. */
  resume(nowMs: number): void {
    this.#lastAtMs = nowMs
  }

  /** The gap that is not over counts as well. */
  take(nowMs: number): { sections: number; longestGapMs: number } {
    const longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAtMs)
    const taken = { sections: this.#sections, longestGapMs }
    this.#sections = 0
    this.#longestGapMs = 0
    return taken
  }
}

const POLYNOMIAL = 0x04c11db7
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24
  for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest < 0 ? POLYNOMIAL : 0)
  return rest >>> 0
})

/** ISO/IEC 13818-1, annex A: 0 for a section that is whole, its own checksum included. */
function crc32(bytes: Uint8Array, length: number): number {
  let crc = -1
  for (let at = 0; at < length; at++) {
    crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  }
  return crc >>> 0
}
