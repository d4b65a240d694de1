/** Real folders and files: what the playlist does when they are spoilt, gone, or cannot be written. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '../../agent.fixture.ts'
import { readMediaPlaylist } from './playlist-text.ts'
import { Timeline } from './timeline.ts'
import type { TimelineShape } from './timeline-files.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)
const [A, B] = ['aaaaaaaaaa', 'bbbbbbbbbb'] as const
const SHAPE: TimelineShape = {
  targetS: 2,
  rows: 4,
  renditions: [{ bandwidthBps: 0, size: null }],
}
const LADDER: TimelineShape = {
  ...SHAPE,
  renditions: [
    { bandwidthBps: 3000, size: { width: 1280, height: 720 } },
    { bandwidthBps: 1000, size: null },
  ],
}

class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'timeline-'))
  readonly logged: string[] = []
  readonly #open: Timeline[] = []
  /** Seconds since 1970, by source and number. */
  readonly #writtenAtS = new Map<string, number>()

  timeline(shape = SHAPE, nowMs = NOW_MS): Timeline {
    const log = pino({ base: null, timestamp: false }, { write: (line) => this.logged.push(line) })
    const timeline = new Timeline(this.folder, shape, log, nowMs)
    this.#open.push(timeline)
    return timeline
  }

  /** As a packager does: its segments first, then the list. */
  list(source: string, numbers: readonly number[], renditions = 1): void {
    const folder = join(this.folder, source)
    mkdirSync(folder, { recursive: true })
    for (let at = 0; at < renditions; at++) {
      const nameOf = (number: number) => `v${at}-${String(number).padStart(5, '0')}.ts`
      for (const number of numbers) this.#write(source, number, join(folder, nameOf(number)))
      const text = `#EXTM3U\n${numbers.map((number) => `#EXTINF:2.0,\n${nameOf(number)}\n`).join('')}`
      writeFileSync(join(folder, `v${at}.m3u8`), text)
    }
  }

  /** Two seconds after the one before of its source, in all renditions. */
  #write(source: string, number: number, file: string): void {
    if (existsSync(file)) return
    const mine = [...this.#writtenAtS].filter(([key]) => key.startsWith(source))
    const before = mine.length === 0 ? [...this.#writtenAtS] : mine
    const lastS = Math.max(NOW_MS / 1000, ...before.map(([, atS]) => atS))
    const atS = this.#writtenAtS.get(`${source} ${number}`) ?? lastS + 2
    this.#writtenAtS.set(`${source} ${number}`, atS)
    writeFileSync(file, 'x'.repeat(1000))
    utimesSync(file, atS, atS)
  }

  read(name = 'v0.m3u8'): string {
    const file = join(this.folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  /** `a7`, with `!` for a break before it. */
  shown(name?: string): string[] {
    const rows = readMediaPlaylist(this.read(name))?.rows ?? []
    return rows.map(({ source, number, isBreak }) => `${isBreak ? '!' : ''}${source[0]}${number}`)
  }

  sequence(): number {
    return Number(/MEDIA-SEQUENCE:(\d+)/.exec(this.read())?.[1])
  }

  [Symbol.dispose](): void {
    for (const timeline of this.#open) timeline.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

test('CHAN-32 each segment is shown as soon as it is listed, and the oldest leave', async () => {
  using site = new Site()
  site.list(A, [1, 2])
  site.timeline().follow(A, SHAPE)
  expect(site.shown()).toEqual(['a1', 'a2'])
  const sequence = site.sequence()
  site.list(A, [1, 2, 3, 4, 5])
  await eventually(() => expect(site.shown()).toEqual(['a2', 'a3', 'a4', 'a5']))
  expect(site.sequence()).toBe(sequence + 1)
})

test('CHAN-32 a restarted agent continues its playlist, even with a clock far in the past', () => {
  using site = new Site()
  site.list(A, [1, 2])
  const first = site.timeline()
  first.follow(A, SHAPE)
  const sequence = site.sequence()
  first.close()
  site.list(A, [1, 2, 3])
  site.timeline(SHAPE, 0).follow(A, SHAPE)
  expect(site.shown()).toEqual(['a1', 'a2', 'a3'])
  expect(site.sequence()).toBe(sequence)
})

test('CHAN-32 a playlist damaged while the agent was away: numbers continue above the old ones', () => {
  using site = new Site()
  site.list(A, [1, 2, 3])
  const first = site.timeline()
  first.follow(A, SHAPE)
  const sequence = site.sequence()
  first.close()
  writeFileSync(join(site.folder, 'v0.m3u8'), site.read().slice(0, 150))
  site.timeline(SHAPE, NOW_MS + 60_000).follow(A, SHAPE)
  expect(site.shown()).toEqual(['a1', 'a2', 'a3'])
  expect(site.sequence()).toBeGreaterThan(sequence + 3)
})

test('CHAN-32 a playlist damaged or removed while the agent runs: rewritten at the next check, with the same numbers', () => {
  using site = new Site()
  site.list(A, [1, 2])
  const timeline = site.timeline()
  timeline.follow(A, SHAPE)
  const text = site.read()
  writeFileSync(join(site.folder, 'v0.m3u8'), 'nonsense')
  timeline.lookAgain()
  expect(site.read()).toBe(text)
  rmSync(join(site.folder, 'v0.m3u8'))
  timeline.lookAgain()
  expect(site.read()).toBe(text)
})

test('CHAN-32 folders that somebody removed are made again and watched again', async () => {
  using site = new Site()
  site.list(A, [1, 2])
  const timeline = site.timeline()
  timeline.follow(A, SHAPE)
  const sequence = site.sequence()
  rmSync(site.folder, { recursive: true })
  timeline.lookAgain()
  expect(site.read()).toBe('')
  site.list(A, [9])
  await eventually(() => expect(site.shown()).toEqual(['!a9']))
  expect(site.sequence()).toBe(sequence + 2)
})

test('CHAN-32 a failed write is logged once, and repeated when it is possible', () => {
  using site = new Site()
  site.list(A, [1])
  const timeline = site.timeline()
  timeline.follow(A, SHAPE)
  // Where the next playlist is drafted, nothing can be written: as on a disk that is full.
  mkdirSync(join(site.folder, 'v0.m3u8.new'))
  site.list(A, [1, 2])
  for (let round = 0; round < 3; round++) timeline.lookAgain()
  expect(site.shown()).toEqual(['a1'])
  expect(site.logged).toHaveLength(1)
  expect(site.logged[0]).toContain('a playlist cannot be written')
  rmSync(join(site.folder, 'v0.m3u8.new'), { recursive: true })
  timeline.lookAgain()
  expect(site.shown()).toEqual(['a1', 'a2'])
  expect(site.logged).toHaveLength(2)
})

test('CHAN-32 a folder that is a broken link is logged, and stops nothing', () => {
  using site = new Site()
  symlinkSync(A, join(site.folder, A))
  const timeline = site.timeline()
  timeline.follow(A, SHAPE)
  timeline.lookAgain()
  expect(site.logged).toHaveLength(1)
  rmSync(join(site.folder, A))
  site.list(A, [1])
  timeline.lookAgain()
  expect(site.shown()).toEqual(['a1'])
})

test('CHAN-37 another input takes over at once with what it has made meanwhile', async () => {
  using site = new Site()
  site.list(A, [1, 2])
  const timeline = site.timeline()
  timeline.follow(A, SHAPE)
  site.list(B, [7])
  timeline.follow(B, SHAPE)
  expect(site.shown()).toEqual(['a1', 'a2', '!b7'])
  site.list(A, [1, 2, 3])
  site.list(B, [7, 8])
  await eventually(() => expect(site.shown()).toEqual(['a1', 'a2', '!b7', 'b8']))
  // Both ways: the first goes on with what it has made since.
  site.list(A, [1, 2, 3, 4, 5])
  timeline.follow(A, SHAPE)
  expect(site.shown()).toEqual(['a2', '!b7', 'b8', '!a5'])
})

test('CHAN-32 renditions list the same segments; a missing segment delays all of them', () => {
  using site = new Site()
  site.list(A, [1, 2], 2)
  const timeline = site.timeline(LADDER)
  timeline.follow(A, LADDER)
  expect([site.shown('v0.m3u8'), site.shown('v1.m3u8')]).toEqual([
    ['a1', 'a2'],
    ['a1', 'a2'],
  ])
  expect(site.read('index.m3u8')).toContain('RESOLUTION=1280x720\nv0.m3u8\n')
  site.list(A, [1, 2, 3], 1)
  timeline.look()
  expect(site.shown('v0.m3u8')).toEqual(['a1', 'a2'])
  site.list(A, [1, 2, 3], 2)
  timeline.look()
  expect(site.shown('v1.m3u8')).toEqual(['a1', 'a2', 'a3'])
  const sequence = site.sequence()
  // Without the ladder: other pictures, so nothing of before; the numbers go on.
  timeline.follow(A, SHAPE)
  expect(site.read()).toBe('')
  site.list(A, [20])
  timeline.look()
  expect(site.shown()).toEqual(['!a20'])
  expect(site.sequence()).toBe(sequence + 3)
})

test('a cleared timeline leaves nothing to be played', () => {
  using site = new Site()
  site.list(A, [1, 2], 2)
  const timeline = site.timeline(LADDER)
  timeline.follow(A, LADDER)
  timeline.clear()
  expect(['index.m3u8', 'v0.m3u8', 'v1.m3u8'].map((name) => site.read(name))).toEqual(['', '', ''])
})
