/** Whether a stream's picture is black or stands still, and whether its sound is silent. Pure. */
import {
  lookAgain,
  STILL_AFTER_MS,
  type PictureMemory,
} from '@trunkline/contract/channels/picture.rules'
import type { Content } from './read-content.ts'

/** Between two items a picture may be black for a moment. Two pictures of an encoder are 2 s apart. */
const BLACK_AFTER_MS = 1900
/** A pause of somebody who speaks is shorter. */
const SILENT_AFTER_MS = 5000
/** 50 dB below full scale. */
const SILENT_BELOW = 104

export interface ContentMemory {
  picture: SeenPicture | null
  /** Since when nothing is to be heard; null while something is. */
  silentSinceMs: number | null
  /** Until when it has been looked at. */
  untilMs: number
}

/** When its first picture was looked at, and until when there were any. */
interface SeenPicture extends PictureMemory {
  firstAtMs: number
  untilMs: number
}

/** A segment as viewers are given it. Milliseconds since 1970. */
interface ContentPlace {
  startsAtMs: number
  durationMs: number
}

export function watchSegment(
  before: ContentMemory | null,
  { pictures, peaks }: Pick<Content, 'pictures' | 'peaks'>,
  { startsAtMs, durationMs }: ContentPlace,
): ContentMemory {
  const untilMs = startsAtMs + durationMs
  const at = (index: number, count: number) => startsAtMs + (index / count) * durationMs
  let picture = before?.picture ?? null
  for (const [index, points] of pictures.entries()) {
    const firstAtMs = picture?.firstAtMs ?? startsAtMs
    const next = lookAgain(picture, points, at(index, pictures.length))
    picture = { ...next, firstAtMs, untilMs }
  }
  const lastLoud = peaks.findLastIndex((peak) => peak >= SILENT_BELOW)
  const quietSinceMs = lastLoud === -1 ? startsAtMs : at(lastLoud + 1, peaks.length)
  const isLoudAtEnd = peaks.length === 0 || lastLoud === peaks.length - 1
  const silentBeforeMs = lastLoud === -1 ? before?.silentSinceMs : null
  return {
    picture,
    silentSinceMs: isLoudAtEnd ? null : (silentBeforeMs ?? quietSinceMs),
    untilMs,
  }
}

export type PictureKind = 'black' | 'frozen' | 'moving'
export type SoundKind = 'silent' | 'heard'

type PictureAges = Pick<SeenPicture, 'blackSinceMs' | 'stillSinceMs' | 'firstAtMs' | 'untilMs'>

/** Null: there was none, or not for long enough to say. */
export function pictureKind(
  picture: PictureAges | null,
): { kind: PictureKind; sinceMs: number } | null {
  if (picture === null) return null
  const { blackSinceMs, stillSinceMs, firstAtMs, untilMs } = picture
  if (blackSinceMs !== null) {
    return untilMs - blackSinceMs >= BLACK_AFTER_MS
      ? { kind: 'black', sinceMs: blackSinceMs }
      : null
  }
  if (untilMs - stillSinceMs >= STILL_AFTER_MS) return { kind: 'frozen', sinceMs: stillSinceMs }
  return stillSinceMs > firstAtMs ? { kind: 'moving', sinceMs: stillSinceMs } : null
}

export function soundKind(memory: ContentMemory): { kind: SoundKind; sinceMs: number } | null {
  const { silentSinceMs, untilMs } = memory
  if (silentSinceMs === null) return { kind: 'heard', sinceMs: untilMs }
  const isLong = untilMs - silentSinceMs >= SILENT_AFTER_MS
  return isLong ? { kind: 'silent', sinceMs: silentSinceMs } : null
}

const FULL_SCALE = 32_768
/** What is below the smallest sample. */
const FLOOR_DBFS = -90

/** Of a sample, in dB below full scale. */
export function decibels(peak: number): number {
  if (peak <= 0) return FLOOR_DBFS
  return Math.max(FLOOR_DBFS, Math.round(200 * Math.log10(peak / FULL_SCALE)) / 10)
}
