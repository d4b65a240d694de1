/**
 * What viewers of a stream are given: the finished segments of its current input, one after the
 * other, whichever packager made them. Pure.
 */

/** A finished segment as a packager lists it. */
export interface Listed {
  /** The packager's own count. */
  number: number
  /** Seconds, one for each rendition. */
  durationsS: readonly number[]
  /** The packager says that it does not go on from the one before. */
  isBreak: boolean
  /** Of all renditions together. */
  bytes: number
  /** Milliseconds since 1970, when its last byte was written. */
  writtenAtMs: number
}

/** A segment as viewers are given it. */
export interface Row extends Listed {
  /** The folder of the packager that made it. */
  source: string
  /** Milliseconds since 1970, when its first picture arrived here. */
  startsAtMs: number
}

/** What the playlist holds now. */
export interface Window {
  /** Of the first row, or of the next one while there is none; only ever rises. */
  sequence: number
  /** Breaks that have left with their rows. */
  breaksBefore: number
  /** Viewers have had rows that are gone: the next one cannot go on from them. */
  hasPast: boolean
  /** Whole seconds that no segment exceeds; stands in the playlist and does not change. */
  targetDurationS: number
  rows: readonly Row[]
}

/** Two numbers a second, from the first day of 2026. */
const FIRST_DAY_MS = Date.UTC(2026, 0, 1)
const SEQUENCE_STEP_MS = 500

/**
 * The number rises faster than any stream makes segments, so a window that was lost goes on above
 * where it was.
 */
export function emptyWindow(nowMs: number): Window {
  const sequence = Math.max(0, Math.floor((nowMs - FIRST_DAY_MS) / SEQUENCE_STEP_MS))
  return { sequence, breaksBefore: 0, hasPast: false, targetDurationS: 0, rows: [] }
}

/** Nothing is left to be played; what comes next counts on. */
export function cleared(window: Window): Window {
  return keepLast(window, 0)
}

export function keepLast(window: Window, count: number): Window {
  const gone = Math.max(0, window.rows.length - count)
  if (gone === 0) return window
  const breaks = window.rows.slice(0, gone).filter((row) => row.isBreak).length
  return {
    ...window,
    sequence: window.sequence + gone,
    breaksBefore: window.breaksBefore + breaks,
    hasPast: true,
    rows: window.rows.slice(gone),
  }
}

/**
 * Which segments of a packager come next. `listedBefore`: the newest that it listed when its input
 * became the current one, null when it listed none. From another packager than the last row's only
 * those are taken that end later, by half a segment at least: all inputs carry the same picture,
 * which is shown twice for less than that. Those listed since then are newer whatever the clock of
 * the host does meanwhile.
 */
export function nextOf(
  window: Window,
  source: string,
  listed: readonly Listed[],
  listedBefore: number | null,
): readonly Listed[] {
  const last = window.rows.at(-1)
  const before = listed.findLastIndex((segment) => segment.number === listedBefore)
  if (last === undefined) return window.hasPast ? listed.slice(before + 1) : listed
  if (last.source === source) return since(window, last, listed)
  return listed.filter((segment, at) => {
    const laterMs = segment.writtenAtMs - last.writtenAtMs
    const halfMs = ((segment.durationsS[0] ?? 0) * 1000) / 2
    return at <= before ? laterMs >= halfMs : laterMs < 0 || laterMs >= halfMs
  })
}

/** A packager that was started anew lists nothing of what it listed before. */
function since(window: Window, last: Row, listed: readonly Listed[]): readonly Listed[] {
  const at = listed.findLastIndex((segment) => segment.number === last.number)
  if (at >= 0) return listed.slice(at + 1)
  const shown = window.rows.filter((row) => row.source === last.source).map((row) => row.number)
  return listed.filter((segment) => !shown.includes(segment.number))
}

/** A segment ends at a key frame, up to half its length later than asked. */
const LONGEST_SHARE = 1.5

/** `askedS`: seconds that segments are asked to last. */
export function withTarget(window: Window, askedS: number): Window {
  const targetDurationS = Math.max(Math.ceil(askedS * LONGEST_SHARE), longestS(window.rows))
  return { ...window, targetDurationS }
}

/**
 * A segment listed as longer than the target duration has a gap in it, or a wrong
 * length: it is left out. Two in a row, or the first of all, are so because key frames come seldom.
 */
export function append(window: Window, source: string, next: readonly Listed[]): Window {
  const isLong = (segment: Listed | undefined) =>
    segment !== undefined &&
    window.targetDurationS > 0 &&
    longestS([segment]) > window.targetDurationS
  const isFirst = window.rows.length === 0 && !window.hasPast && next.length === 1
  const kept = next.filter(
    (segment, at) => isFirst || !isLong(segment) || isLong(next[at - 1]) || isLong(next[at + 1]),
  )
  const grown = kept.reduce((before, segment) => appendSegment(before, source, segment), window)
  return { ...grown, targetDurationS: Math.max(window.targetDurationS, longestS(kept)) }
}

/** As players round it. */
function longestS(segments: readonly Pick<Listed, 'durationsS'>[]): number {
  return Math.max(0, ...segments.flatMap(({ durationsS }) => durationsS.map(Math.round)))
}

function appendSegment(window: Window, source: string, segment: Listed): Window {
  const last = window.rows.at(-1)
  const goesOn = last?.source === source && segment.number === last.number + 1 && !segment.isBreak
  const startsAtMs = startOf(last, segment)
  const isBreak = last === undefined ? window.hasPast : !goesOn || startsAtMs !== endOf(last)
  const row = { ...segment, source, isBreak, startsAtMs }
  return { ...window, rows: [...window.rows, row] }
}

/** Segments that come so much later than the one before them lasted have a gap before them. */
const LATE_MS = 1500
/** Several come at once after a pause of the network; so much earlier, the host's clock was set back. */
const EARLY_MS = 3000

/** Segments follow each other without a seam in time, as long as that is near the truth. */
function startOf(last: Row | undefined, segment: Listed): number {
  const measuredMs = Math.round(segment.writtenAtMs - (segment.durationsS[0] ?? 0) * 1000)
  if (last === undefined) return measuredMs
  const lateMs = measuredMs - endOf(last)
  return lateMs <= LATE_MS && lateMs >= -EARLY_MS ? endOf(last) : measuredMs
}

function endOf(row: Row): number {
  return Math.round(row.startsAtMs + (row.durationsS[0] ?? 0) * 1000)
}

/** Bit/s over the window, all renditions together; null while it is empty. */
export function bitrateOf({ rows }: Window): number | null {
  const seconds = rows.reduce((sum, row) => sum + (row.durationsS[0] ?? 0), 0)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : null
}

/** Rows from the last one on whose file is gone are kept: a window has no hole. */
export function withoutLost(window: Window, isThere: (row: Row) => boolean): Window {
  const lost = window.rows.findLastIndex((row) => !isThere(row))
  return keepLast(window, window.rows.length - 1 - lost)
}
