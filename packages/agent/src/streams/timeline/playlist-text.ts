/** Playlists as text: a packager's own, those that viewers get, and the master over renditions. Pure. */
import type { Listed, Row, Window } from './timeline.rules.ts'

/** The longest that we or a packager write, sixty segments, has a tenth of this. */
export const MAX_PLAYLIST_BYTES = 64 * 1024
/**
 * Seconds. A packager that finishes nothing for so long is restarted: a segment listed as
 * longer is not, and players would wait as long before they ask again.
 */
const LONGEST_SEGMENT_S = 60

/** What viewers ask for first. */
export const INDEX = 'index.m3u8'
/** Inside a packager's folder. */
export const OWN_SEGMENT = /^v(\d)-(\d{5,20})\.ts$/
/** As viewers ask for it: the packager's folder and its file in one plain name. */
const SEGMENT = /^([0-9a-f]{10})-(v\d-\d{5,20}\.ts)$/
const PLAYLIST = /^v\d\.m3u8$/

export function playlistName(rendition: number): string {
  return `v${rendition}.m3u8`
}

export function ownSegmentName(rendition: number, number: number): string {
  return `v${rendition}-${String(number).padStart(5, '0')}.ts`
}

function segmentName(row: Row, rendition: number): string {
  return `${row.source}-${ownSegmentName(rendition, row.number)}`
}

/**
 * Where in the stream's folder lies what a viewer asks for; null for anything that is neither a
 * playlist nor a segment. No part of the answer is more than letters, digits, a dash and a dot.
 */
export function pathOfFile(file: string, renditions: number): readonly string[] | null {
  if (file === INDEX) return [renditions === 1 ? playlistName(0) : INDEX]
  if (PLAYLIST.test(file)) return [file]
  const [, folder, own] = SEGMENT.exec(file) ?? []
  return folder === undefined || own === undefined ? null : [folder, own]
}

export type ListedText = Pick<Listed, 'number' | 'isBreak'> & { durationS: number }

/** What ffmpeg lists: `#EXTINF:1.920000,` and below it the file's name; other lines are passed over. */
export function readPackagerList(text: string): ListedText[] {
  const listed: ListedText[] = []
  let durationS: number | null = null
  let isBreak = false
  for (const line of linesOf(text)) {
    if (line === '#EXT-X-DISCONTINUITY') isBreak = true
    const seconds = secondsIn(line)
    if (seconds !== null) durationS = seconds
    if (line.startsWith('#')) continue
    const number = Number(OWN_SEGMENT.exec(line)?.[2] ?? Number.NaN)
    if (durationS !== null && Number.isSafeInteger(number)) {
      listed.push({ number, durationS, isBreak })
    }
    durationS = null
    isBreak = false
  }
  return listed
}

export function mediaPlaylist(window: Window, rendition: number): string {
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${window.targetDurationS}`,
    `#EXT-X-MEDIA-SEQUENCE:${window.sequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${window.breaksBefore}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  const rows = window.rows.flatMap((row) => [
    ...(row.isBreak ? ['#EXT-X-DISCONTINUITY'] : []),
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(row.startsAtMs).toISOString()}`,
    `#EXTINF:${(row.durationsS[rendition] ?? 0).toFixed(6)},`,
    segmentName(row, rendition),
  ])
  return `${[...head, ...rows].join('\n')}\n`
}

/** A row as its playlist tells it; sizes and times of files stand beside them. */
export type RowText = Pick<Row, 'source' | 'number' | 'isBreak' | 'startsAtMs'> & {
  durationS: number
}
type WindowText = Omit<Window, 'rows'> & { rows: RowText[] }

/** Our own playlist back; null when it is not one, or not whole. */
export function readMediaPlaylist(text: string): WindowText | null {
  const lines = linesOf(text)
  const sequence = numberAfter(lines, '#EXT-X-MEDIA-SEQUENCE:')
  const breaksBefore = numberAfter(lines, '#EXT-X-DISCONTINUITY-SEQUENCE:')
  const targetDurationS = numberAfter(lines, '#EXT-X-TARGETDURATION:')
  if (lines[0] !== '#EXTM3U' || sequence === null || breaksBefore === null) return null
  if (targetDurationS === null) return null
  const rows: RowText[] = []
  let tags: string[] = []
  for (const line of lines.slice(1)) {
    if (line.startsWith('#')) {
      tags.push(line)
      continue
    }
    const row = readRow(line, tags)
    if (row === null) return null
    rows.push(row)
    tags = []
  }
  // A playlist without rows is never written, and one that ends in tags was cut.
  return rows.length === 0 || tags.length > 0
    ? null
    : { sequence, breaksBefore, hasPast: true, targetDurationS, rows }
}

function readRow(name: string, tags: readonly string[]): RowText | null {
  const [, source, own] = SEGMENT.exec(name) ?? []
  const number = Number(OWN_SEGMENT.exec(own ?? '')?.[2] ?? Number.NaN)
  const durationS = tags.map(secondsIn).find((seconds) => seconds !== null)
  const dated = tags.find((tag) => tag.startsWith(DATE))
  const startsAtMs = Date.parse(dated?.slice(DATE.length) ?? '')
  if (source === undefined || !Number.isSafeInteger(number)) return null
  if (durationS === undefined || Number.isNaN(startsAtMs)) return null
  return { source, number, durationS, startsAtMs, isBreak: tags.includes('#EXT-X-DISCONTINUITY') }
}

const DATE = '#EXT-X-PROGRAM-DATE-TIME:'

export interface Rendition {
  bandwidthBps: number
  /** Null until a segment was looked into. */
  size: { width: number; height: number } | null
}

export function masterPlaylist(renditions: readonly Rendition[]): string {
  const lines = renditions.flatMap(({ bandwidthBps, size }, at) => {
    const resolution = size === null ? '' : `,RESOLUTION=${size.width}x${size.height}`
    return [`#EXT-X-STREAM-INF:BANDWIDTH=${bandwidthBps}${resolution}`, playlistName(at)]
  })
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`
}

/** `query` behind every address that a playlist of ours names. */
export function withQuery(playlist: string, query: string): string {
  return playlist.replaceAll(/^[^#\n].*$/gm, (address) => `${address}${query}`)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function secondsIn(line: string): number | null {
  const seconds = /^#EXTINF:(\d+(?:\.\d+)?),/.exec(line)?.[1]
  return seconds === undefined ? null : Math.min(Number(seconds), LONGEST_SEGMENT_S)
}

function numberAfter(lines: readonly string[], tag: string): number | null {
  const text = lines.find((line) => line.startsWith(tag))?.slice(tag.length) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
