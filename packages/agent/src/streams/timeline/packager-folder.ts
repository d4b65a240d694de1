/** What a packager has made so far: its playlists, and the files that they list. */
import { join } from 'node:path'
import { statOf } from '../../host/files.ts'
import { ownSegmentName, playlistName, readPackagerList, type ListedText } from './playlist-text.ts'
import { readPlaylist } from './timeline-files.ts'
import type { Listed } from './timeline.rules.ts'

/** Segments that every rendition has and that lie there, oldest first. */
export function readPackager(folder: string, renditions: number): Listed[] {
  const lists = Array.from({ length: renditions }, (_, at) => readList(folder, at))
  return (lists[0] ?? []).flatMap((listed) => {
    const same = lists.map((list) => list.find((other) => other.number === listed.number))
    if (same.includes(undefined)) return []
    const files = same.map((_, at) => statOf(join(folder, ownSegmentName(at, listed.number))))
    // The packager deletes as it goes: one may be gone between two lines.
    if (files.includes(undefined)) return []
    return [
      {
        number: listed.number,
        isBreak: listed.isBreak,
        durationsS: same.map((other) => other?.durationS ?? 0),
        bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
        writtenAtMs: Math.max(...files.map((file) => file?.mtimeMs ?? 0)),
      },
    ]
  })
}

/** When it last listed a segment, milliseconds since 1970; null when it never did. */
export function listedAtMs(folder: string): number | null {
  return statOf(join(folder, playlistName(0)))?.mtimeMs ?? null
}

/** Tells one state of its playlists from another without reading them. */
export function stampOf(folder: string, renditions: number): string {
  const stats = Array.from({ length: renditions }, (_, at) =>
    statOf(join(folder, playlistName(at))),
  )
  return stats.map((stat) => `${stat?.ino ?? 0}:${stat?.mtimeMs ?? 0}`).join(' ')
}

function readList(folder: string, rendition: number): ListedText[] {
  return readPackagerList(readPlaylist(join(folder, playlistName(rendition))) ?? '')
}
