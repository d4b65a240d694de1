/**
 * ffmpeg's `-progress` blocks: `key=value` lines, each block closed by `progress=…`. All its own
 * rates are averages since the start; ours are over the last ten seconds. Pure.
 */
import type { EncodeReading } from '@trunkline/contract/fleet/reading.schema'
import { SILENT_AFTER_MS } from './link-sample.ts'
import { RATE_WINDOW_MS } from './rate-window.ts'

interface Block {
  atMs: number
  frames: number
  /** Null when ffmpeg does not know it, as with the tee muxer. */
  bytes: number | null
  outTimeMs: number
}

export interface EncodeProgress {
  fields: Readonly<Record<string, string>>
  /** Of the last seconds, oldest first. */
  blocks: readonly Block[]
  /** Written by all processes of this log together; null while none has counted. */
  bytes: number | null
  reading: EncodeReading | null
}

export const NO_PROGRESS: EncodeProgress = { fields: {}, blocks: [], bytes: null, reading: null }

/** What the bytes of a block cannot tell. */
interface ProgressTime {
  /** When the line was read, since ffmpeg writes no time of day. */
  nowMs: number
  /** Rate of the multiplex as asked for: stands in where ffmpeg counts no bytes. */
  nominalKbps: number
}

/** The rate that a command asks for: its mux rate, else its streams together; 0 when it names none. */
export function nominalKbps(argv: readonly string[]): number {
  const muxRateBps = /(?:^| )-muxrate (\d+)|[[:]muxrate=(\d+)/.exec(argv.join(' '))
  if (muxRateBps) return Math.round(Number(muxRateBps[1] ?? muxRateBps[2]) / 1000)
  return ['-b:v', '-b:a']
    .map((option) => Number.parseInt(argv[argv.indexOf(option) + 1] ?? '', 10))
    .reduce((sum, kbps) => sum + (Number.isNaN(kbps) ? 0 : kbps), 0)
}

const FIELDS: ReadonlySet<string> = new Set([
  'frame',
  'total_size',
  'out_time_us',
  'dup_frames',
  'drop_frames',
  'progress',
])

export function readProgressLine(
  progress: EncodeProgress,
  line: string,
  time: ProgressTime,
): EncodeProgress {
  const equals = line.indexOf('=')
  if (equals < 1) return progress
  const key = line.slice(0, equals)
  // Whatever else is printed with a sign between is not kept.
  if (!FIELDS.has(key)) return progress
  const fields = { ...progress.fields, [key]: line.slice(equals + 1).trim() }
  return key === 'progress' ? closeBlock(progress, fields, time) : { ...progress, fields }
}

function closeBlock(
  progress: EncodeProgress,
  fields: Readonly<Record<string, string>>,
  time: ProgressTime,
): EncodeProgress {
  const block: Block = {
    atMs: time.nowMs,
    frames: numberIn(fields, 'frame') ?? 0,
    bytes: numberIn(fields, 'total_size'),
    outTimeMs: (numberIn(fields, 'out_time_us') ?? 0) / 1000,
  }
  const before = progress.blocks.at(-1) ?? null
  const isNext = before !== null && follows(before, block)
  const bytes = bytesAfter(progress.bytes, isNext ? before : null, block)
  const isBack = progress.reading?.bitrateKbps === 0
  const blocks = isNext && !isBack ? blocksWith(progress.blocks, before, block) : [block]
  const first = blocks.length > 1 ? blocks[0] : before
  const reading = isNext && first ? rates(first, block, { fields, ...time }) : null
  const counted = reading && bytes !== null ? { ...reading, bytes } : reading
  return { fields: {}, blocks, bytes, reading: counted ?? progress.reading }
}

/** What stood still, or was silent, is counted from the second of two blocks on. */
function blocksWith(blocks: readonly Block[], before: Block, block: Block): readonly Block[] {
  const isStill = block.outTimeMs === before.outTimeMs && block.bytes === before.bytes
  const wasSilent = block.atMs - before.atMs > SILENT_AFTER_MS
  if (isStill || wasSilent || isLate(before, block)) return [block]
  return [...blocks.filter(({ atMs }) => block.atMs - atMs <= RATE_WINDOW_MS), block]
}

/** Old blocks read in one go after a restart of ours: their time is the media's own. */
function isLate(before: Block, block: Block): boolean {
  return (block.atMs - before.atMs) * 3 < block.outTimeMs - before.outTimeMs
}

/** A count that falls is a new process in the same log; what is passed on unread has no frames. */
function follows(before: Block, block: Block): boolean {
  return before.frames <= block.frames && (before.bytes ?? 0) <= (block.bytes ?? before.bytes ?? 0)
}

/** `before` null: the first block of a process. */
function bytesAfter(sum: number | null, before: Block | null, block: Block): number | null {
  if (block.bytes === null) return sum
  return (sum ?? 0) + block.bytes - (before?.bytes ?? 0)
}

function rates(
  before: Block,
  block: Block,
  { fields, nominalKbps: nominal }: ProgressTime & Pick<EncodeProgress, 'fields'>,
): EncodeReading | null {
  const mediaMs = block.outTimeMs - before.outTimeMs
  const periodMs = isLate(before, block) ? mediaMs : block.atMs - before.atMs
  if (periodMs <= 0) return null
  const speed = mediaMs / periodMs
  // Bits in a millisecond are kbit/s.
  const isCounted = block.bytes !== null && before.bytes !== null
  const bytes = (block.bytes ?? 0) - (before.bytes ?? 0)
  const kbps = isCounted ? (bytes * 8) / periodMs : nominal * speed
  return {
    kind: 'encode',
    atMs: block.atMs,
    bitrateKbps: Math.round(kbps),
    framesPerSecond: round((block.frames - before.frames) / (periodMs / 1000), 1),
    speed: round(speed, 2),
    droppedFrames: numberIn(fields, 'drop_frames') ?? 0,
    duplicatedFrames: numberIn(fields, 'dup_frames') ?? 0,
  }
}

function numberIn(fields: Readonly<Record<string, string>>, key: string): number | null {
  const value = Number(fields[key])
  return fields[key] === undefined || fields[key] === '' || Number.isNaN(value) ? null : value
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
