/** For tests: everything that viewers of a stream were ever given, as its playlist changed. */
import { watch } from 'node:fs'
import { expect } from 'vitest'
import { playlistOf, type StreamSite } from './stream-site.fixture.ts'
import { readMediaPlaylist, type RowText } from './timeline/playlist-text.ts'

interface Seen {
  sequence: number
  /** The folder of the input that it came from. */
  source: string
  segment: string
  isBreak: boolean
}

interface PlaylistRecord extends Disposable {
  /** In the order of their numbers. */
  all(): Seen[]
  /** Why what was seen is no playlist that a player can follow; empty when it is one. */
  faults(): string[]
  /** Looks without an event. */
  look(): void
}

export function recordPlaylist(site: StreamSite, name: string): PlaylistRecord {
  const seen = new Map<number, Seen>()
  const faults: string[] = []
  let last = { sequence: 0, breaksBefore: 0 }
  const targets = new Set<number>()
  const look = () => {
    const text = playlistOf(site, name)
    if (text === '') return
    const window = readMediaPlaylist(text)
    if (window === null) return void faults.push(`not whole: ${text}`)
    if (window.sequence < last.sequence) faults.push(`sequence fell to ${window.sequence}`)
    if (window.breaksBefore < last.breaksBefore) faults.push('breaks fell')
    last = window
    targets.add(window.targetDurationS)
    faults.push(...jumpsIn(window.rows).filter((fault) => !faults.includes(fault)))
    for (const [at, { source, number, isBreak }] of window.rows.entries()) {
      const sequence = window.sequence + at
      const segment = `${source}-v0-${number}`
      const known = seen.get(sequence)?.segment ?? segment
      if (known !== segment) faults.push(`${sequence} was ${known} and is ${segment}`)
      seen.set(sequence, { sequence, source, segment, isBreak })
    }
  }
  const watcher = watch(site.streams.folderOf(name), look)
  look()
  const all = () => {
    // What was just seen in the file may not have been reported yet.
    look()
    return [...seen.values()].toSorted((a, b) => a.sequence - b.sequence)
  }
  return {
    all,
    look,
    faults: () => [
      ...faults,
      ...holesIn(all()),
      ...twiceIn(all()),
      ...(targets.size > 1 ? [`target durations ${[...targets].join(', ')}`] : []),
    ],
    [Symbol.dispose]: () => watcher.close(),
  }
}

/** Times are written in whole milliseconds. */
const ROUNDED_MS = 2

function jumpsIn(rows: readonly RowText[]): string[] {
  return rows.flatMap((row, at) => {
    const before = rows[at - 1]
    if (before === undefined || row.isBreak) return []
    const jumpMs = row.startsAtMs - before.startsAtMs - before.durationS * 1000
    return Math.abs(jumpMs) > ROUNDED_MS ? [`time jumps by ${jumpMs} ms at ${row.number}`] : []
  })
}

function holesIn(seen: readonly Seen[]): string[] {
  return seen.flatMap(({ sequence }, at) =>
    at > 0 && sequence !== (seen[at - 1]?.sequence ?? 0) + 1 ? [`a hole before ${sequence}`] : [],
  )
}

function twiceIn(seen: readonly Seen[]): string[] {
  const names = seen.map((row) => row.segment)
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is twice`)
}

/** The inputs that were shown last, in their order: a start on a busy machine may begin with either. */
export function expectShown(record: PlaylistRecord, sources: readonly string[]): void {
  const shown = record.all().filter((row, at, all) => all[at - 1]?.source !== row.source)
  expect(shown.map((row) => row.source).slice(-sources.length)).toEqual(sources)
}

export function breaksIn(record: PlaylistRecord): number {
  return record.all().filter((row) => row.isBreak).length
}
