/** What lies in a stream's folder and is of no use any more. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, statOf } from '../../host/files.ts'
import { INDEX, OWN_SEGMENT, ownSegmentName } from './playlist-text.ts'
import { readPackager } from './packager-folder.ts'
import { playlistNames } from './timeline-files.ts'
import { streamKey } from '../programs/stream.units.ts'
import type { Window } from './timeline.rules.ts'

export interface Kept {
  /** The folders of the stream's inputs. */
  sources: readonly string[]
  renditions: number
  window: Window
}

/** A packager deletes its own old segments; those of one that was killed are left to us. */
const LEFT_BEHIND_MS = 60_000

export async function sweepFolder(folder: string, kept: Kept, nowMs: number): Promise<void> {
  const shown = kept.window.rows.map((row) => row.source)
  const playlists = [INDEX, ...playlistNames(kept.renditions)]
  for (const name of namesIn(folder)) {
    if (kept.sources.includes(name)) {
      await sweepSource(join(folder, name), keptFiles(folder, name, kept), nowMs)
    } else if (!shown.includes(name) && !playlists.includes(name)) {
      if (isLeftBehind(join(folder, name), nowMs)) await remove(join(folder, name))
    }
  }
}

/** What viewers may ask for, and what the packager still lists. */
function keptFiles(folder: string, source: string, kept: Kept): ReadonlySet<string> {
  const rows = kept.window.rows.filter((row) => row.source === source)
  const listed = readPackager(join(folder, source), kept.renditions)
  const renditions = Array.from({ length: kept.renditions }, (_, at) => at)
  return new Set(
    [...rows, ...listed].flatMap(({ number }) =>
      renditions.map((at) => ownSegmentName(at, number)),
    ),
  )
}

async function sweepSource(folder: string, kept: ReadonlySet<string>, nowMs: number) {
  const old = namesIn(folder).filter(
    (name) => OWN_SEGMENT.test(name) && !kept.has(name) && isLeftBehind(join(folder, name), nowMs),
  )
  await Promise.all(old.map(async (name) => remove(join(folder, name))))
}

/** The folder of a stream, as streamKey names it. */
const STREAM_FOLDER = /^[0-9a-f]{14}$/

/** Folders of streams that are no longer kept: a removal was cut in the middle. */
export async function dropOrphanFolders(folder: string, names: readonly string[]): Promise<void> {
  const kept = new Set(names.map(streamKey))
  const orphans = namesIn(folder).filter((name) => STREAM_FOLDER.test(name) && !kept.has(name))
  await Promise.all(orphans.map(async (name) => remove(join(folder, name))))
}

/** Nothing of a disabled stream stays to be played. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await remove(join(folder, name))
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

function isLeftBehind(path: string, nowMs: number): boolean {
  const stat = statOf(path)
  return stat !== undefined && nowMs - stat.mtimeMs > LEFT_BEHIND_MS
}
