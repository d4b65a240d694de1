/** What an elementary stream is, from its entry in a PMT (ISO/IEC 13818-1 table 2-34, ETSI EN 300 468). */
import type { PidKind } from '@trunkline/contract/fleet/transport.schema'

export interface StreamKind {
  kind: PidKind
  format: string
}

const BY_TYPE: ReadonlyMap<number, StreamKind> = new Map([
  [0x01, { kind: 'video', format: 'MPEG-1 video' }],
  [0x02, { kind: 'video', format: 'MPEG-2 video' }],
  [0x03, { kind: 'audio', format: 'MPEG audio' }],
  [0x04, { kind: 'audio', format: 'MPEG audio' }],
  [0x0f, { kind: 'audio', format: 'AAC' }],
  [0x10, { kind: 'video', format: 'MPEG-4 video' }],
  [0x11, { kind: 'audio', format: 'AAC (LATM)' }],
  [0x15, { kind: 'data', format: 'metadata' }],
  [0x1b, { kind: 'video', format: 'H.264' }],
  [0x24, { kind: 'video', format: 'HEVC' }],
  [0x33, { kind: 'video', format: 'VVC' }],
  [0x81, { kind: 'audio', format: 'AC-3' }],
  [0x86, { kind: 'data', format: 'SCTE-35' }],
  [0x87, { kind: 'audio', format: 'E-AC-3' }],
])

/** Of a private stream (type 6) the first descriptor that names it counts. */
const BY_DESCRIPTOR: ReadonlyMap<number, StreamKind> = new Map([
  [0x56, { kind: 'data', format: 'teletext' }],
  [0x59, { kind: 'data', format: 'subtitles' }],
  [0x6a, { kind: 'audio', format: 'AC-3' }],
  [0x7a, { kind: 'audio', format: 'E-AC-3' }],
  [0x7b, { kind: 'audio', format: 'DTS' }],
  [0x7c, { kind: 'audio', format: 'AAC' }],
])
const REGISTRATION = 0x05
const OPUS = 0x4f707573
const PRIVATE_STREAM = 0x06
const PRIVATE_DATA: StreamKind = { kind: 'data', format: 'private data' }

/** `from` to `to`: its descriptors in the section. */
export function streamKind(
  type: number,
  section: Uint8Array,
  from: number,
  to: number,
): StreamKind {
  if (type !== PRIVATE_STREAM) {
    return BY_TYPE.get(type) ?? { kind: 'data', format: `type 0x${type.toString(16)}` }
  }
  for (let at = from; at + 2 <= to; at += 2 + (section[at + 1] ?? 0)) {
    const tag = section[at] ?? 0
    const known = BY_DESCRIPTOR.get(tag)
    if (known !== undefined) return known
    if (tag === REGISTRATION && at + 6 <= to && uint32(section, at + 2) === OPUS) {
      return { kind: 'audio', format: 'Opus' }
    }
  }
  return PRIVATE_DATA
}

function uint32(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4)
  return a * 0x1000000 + (b << 16) + (c << 8) + d
}

/** PIDs that ETSI EN 300 468 reserves for tables of its own, and the null packets. */
const RESERVED: ReadonlyMap<number, StreamKind> = new Map([
  [0, { kind: 'table', format: 'PAT' }],
  [1, { kind: 'table', format: 'CAT' }],
  [16, { kind: 'table', format: 'NIT' }],
  [17, { kind: 'table', format: 'SDT' }],
  [18, { kind: 'table', format: 'EIT' }],
  [19, { kind: 'table', format: 'RST' }],
  [20, { kind: 'table', format: 'TDT' }],
  [8191, { kind: 'null', format: '' }],
])

export function reservedKind(pid: number): StreamKind | undefined {
  return RESERVED.get(pid)
}
