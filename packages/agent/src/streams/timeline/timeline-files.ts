/** The playlists that viewers get, as files: they are the state that a restarted agent goes on from. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateSoon } from '../../supervisor/private-file.ts'
import { readPlainFile, statOf } from '../../host/files.ts'
import {
  INDEX,
  masterPlaylist,
  MAX_PLAYLIST_BYTES,
  mediaPlaylist,
  ownSegmentName,
  playlistName,
  readMediaPlaylist,
  type Rendition,
  type RowText,
} from './playlist-text.ts'
import type { Row, Window } from './timeline.rules.ts'

/** Whoever wrote it. Null when it is not there, is no ordinary file, or is longer than any of ours. */
export function readPlaylist(path: string): string | null {
  const bytes = readPlainFile(path, MAX_PLAYLIST_BYTES)?.bytes
  return bytes === undefined || bytes.length === MAX_PLAYLIST_BYTES ? null : bytes.toString()
}

/** Null when there is none, or none that can be read. Rows whose files are gone come with no bytes. */
export function readTimeline(folder: string, renditions: number): Window | null {
  const texts = Array.from({ length: renditions }, (_, at) => readRendition(folder, at))
  const [first] = texts
  if (!first || texts.includes(null)) return null
  const rows = first.rows.map((row): Row => {
    // Written one after the other: the last of them may lack the newest row.
    const durationsS = texts.map((text) => sameRow(text?.rows ?? [], row).durationS)
    const { source, number, isBreak, startsAtMs } = row
    return { source, number, isBreak, startsAtMs, durationsS, ...sizeOf(folder, row, renditions) }
  })
  return { ...first, rows }
}

function readRendition(folder: string, rendition: number) {
  const text = readPlaylist(join(folder, playlistName(rendition)))
  return text === null ? null : readMediaPlaylist(text)
}

function sameRow(rows: readonly RowText[], row: RowText): RowText {
  return (
    rows.find((candidate) => candidate.source === row.source && candidate.number === row.number) ??
    row
  )
}

function sizeOf(folder: string, row: RowText, renditions: number) {
  const stats = Array.from({ length: renditions }, (_, at) => statOf(segmentPath(folder, row, at)))
  return {
    bytes: stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0),
    writtenAtMs: Math.max(...stats.map((stat) => stat?.mtimeMs ?? 0)),
  }
}

export function isRowThere(folder: string, row: Row): boolean {
  return row.durationsS.every((_, at) => existsSync(segmentPath(folder, row, at)))
}

function segmentPath(folder: string, row: Pick<Row, 'source' | 'number'>, rendition: number) {
  return join(folder, row.source, ownSegmentName(rendition, row.number))
}

export interface TimelineShape {
  /** Seconds that segments are asked to last. */
  targetS: number
  /** Rows that viewers are given at a time. */
  rows: number
  /** One or more. */
  renditions: readonly Rendition[]
}

/** A window without rows is no playlist: players then wait for one, instead of giving up on it. */
export function writeTimeline(folder: string, window: Window, shape: TimelineShape): void {
  if (window.rows.length === 0) return removeTimeline(folder, shape.renditions.length)
  if (shape.renditions.length > 1) writeMaster(folder, shape.renditions)
  for (const at of shape.renditions.keys()) {
    writePrivateSoon(join(folder, playlistName(at)), mediaPlaylist(window, at))
  }
}

/** It hardly ever changes, and players read it once. */
function writeMaster(folder: string, renditions: readonly Rendition[]): void {
  const file = join(folder, INDEX)
  const text = masterPlaylist(renditions)
  if (readPlaylist(file) !== text) writePrivateSoon(file, text)
}

function removeTimeline(folder: string, renditions: number): void {
  for (const name of [INDEX, ...playlistNames(renditions)]) {
    rmSync(join(folder, name), { force: true })
  }
}

export function playlistNames(renditions: number): string[] {
  return Array.from({ length: renditions }, (_, at) => playlistName(at))
}
