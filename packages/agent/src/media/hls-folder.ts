/** What lies in a stream's HLS folder: its playlist, its segments, and what was left behind. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export const PLAYLIST = 'index.m3u8'
/** Also the only other file that is served. */
export const SEGMENT_NAME = /^seg\d{5,20}\.ts$/

export interface Segment {
  file: string
  bytes: number
  /** Milliseconds since 1970, when its last byte was written. */
  writtenAtMs: number
}

export interface HlsFolder {
  newest: Segment | null
  /** Bit/s over the segments of the playlist; null while it lists none. */
  bitrateBps: number | null
}

/** Reads only names and sizes, and a playlist of some hundred bytes. */
export function readHlsFolder(folder: string): HlsFolder {
  const segments = segmentsIn(folder)
  const newest = segments.reduce<Segment | null>(
    (latest, one) => (latest === null || one.writtenAtMs > latest.writtenAtMs ? one : latest),
    null,
  )
  const bytesOf = new Map(segments.map((one) => [one.file, one.bytes]))
  return { newest, bitrateBps: bitrateOf(listed(folder), bytesOf) }
}

function bitrateOf(
  entries: readonly { file: string; seconds: number }[],
  bytesOf: ReadonlyMap<string, number>,
): number | null {
  const known = entries.filter((entry) => bytesOf.has(entry.file))
  const seconds = known.reduce((sum, entry) => sum + entry.seconds, 0)
  const bytes = known.reduce((sum, entry) => sum + (bytesOf.get(entry.file) ?? 0), 0)
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : null
}

/** `#EXTINF:1.920000,` and the file's name on the line below. */
function listed(folder: string): { file: string; seconds: number }[] {
  const lines = playlistLines(folder)
  return lines.flatMap((line, at) => {
    const seconds = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1])
    if (Number.isNaN(seconds)) return []
    const file = lines.slice(at + 1).find((next) => !next.startsWith('#')) ?? ''
    return [{ file: file.trim(), seconds }]
  })
}

function playlistLines(folder: string): string[] {
  try {
    return readFileSync(join(folder, PLAYLIST), 'utf8').split('\n')
  } catch {
    return []
  }
}

function segmentsIn(folder: string): Segment[] {
  return namesIn(folder)
    .filter((name) => SEGMENT_NAME.test(name))
    .flatMap((file) => {
      // The packager deletes as it goes: one may be gone between two lines.
      const stat = statSync(join(folder, file), { throwIfNoEntry: false })
      return stat ? [{ file, bytes: stat.size, writtenAtMs: stat.mtimeMs }] : []
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A packager deletes its own old segments; those of one that was killed are left to us. */
const LEFT_BEHIND_MS = 60_000

export async function sweepFolder(folder: string, nowMs: number): Promise<void> {
  const inPlaylist = new Set(listed(folder).map((entry) => entry.file))
  const old = segmentsIn(folder).filter(
    (one) => !inPlaylist.has(one.file) && nowMs - one.writtenAtMs > LEFT_BEHIND_MS,
  )
  await Promise.all(old.map(async (one) => rm(join(folder, one.file), { force: true })))
}

/** Nothing of a disabled stream stays to be played. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
}
