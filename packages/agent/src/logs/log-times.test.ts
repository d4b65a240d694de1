import { appendFileSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { LogFollower } from './follow.ts'
import { LogTimes, timesFileOf } from './log-times.ts'
import { placedTail } from './tail.ts'

const NAME = 'p.err'

/** A log that is read, as the agent reads it, whenever `say` has written to it. */
function openLog(folder = temporaryFolder()) {
  const file = join(folder, NAME)
  const times = new LogTimes(folder)
  const follower = new LogFollower(folder)
  let nowMs = 0
  times.resume(NAME)
  follower.follow(NAME, null, (_lines, position) => times.note(NAME, position, nowMs))
  return {
    folder,
    file,
    say(text: string, atMs: number) {
      nowMs = atMs
      appendFileSync(file, text)
      follower.catchUp(NAME)
    },
    rotate() {
      renameSync(file, `${file}.1`)
    },
    shown() {
      const lines = placedTail(file, 100)
      const found = times.timesOf(NAME, lines)
      return lines.map(({ text }, index) => [text, found[index]])
    },
    [Symbol.dispose]: () => follower[Symbol.dispose](),
  }
}

test('DLG-12 a line has the time of the read that brought it, in UTF-8 too', () => {
  using log = openLog()
  log.say('one é\ntwo\n', 1000)
  log.say('three\nfo', 2000)
  log.say('ur\n', 3000)
  expect(log.shown()).toEqual([
    ['one é', 1000],
    ['two', 1000],
    ['three', 2000],
    ['four', 3000],
  ])
})

test('DLG-12 times survive a restart of the agent; lines written meanwhile have the time of the last write', () => {
  const first = openLog()
  first.say('before\n', 1000)
  first[Symbol.dispose]()
  appendFileSync(first.file, 'meanwhile\n')
  utimesSync(first.file, 5, 5)
  using log = openLog(first.folder)
  log.say('after\n', 9000)
  expect(log.shown()).toEqual([
    ['before', 1000],
    ['meanwhile', 5000],
    ['after', 9000],
  ])
})

test('no times are guessed for a log that is older than its time marks', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, NAME), 'old\n')
  using log = openLog(folder)
  log.say('new\n', 2000)
  expect(log.shown()).toEqual([
    ['old', null],
    ['new', 2000],
  ])
})

test('times continue over a rotation, and their file does not grow with each', () => {
  using log = openLog()
  for (let round = 1; round <= 5; round += 1) {
    log.say(`read ${round}\n`, round * 1000)
    appendFileSync(log.file, `unread ${round}\n`)
    log.rotate()
    log.say(`next ${round}\n`, round * 1000 + 500)
  }
  expect(log.shown()).toEqual([
    ['next 4', 4500],
    ['read 5', 5000],
    ['unread 5', 5500],
    ['next 5', 5500],
  ])
  expect(marksIn(log.folder)).toBeLessThanOrEqual(3)
})

test('a tool that floods its log leaves a limited number of time marks', () => {
  using log = openLog()
  for (let atMs = 1; atMs <= 4100; atMs += 1) log.say(`${atMs}\n`, atMs)
  expect(marksIn(log.folder)).toBeLessThanOrEqual(4000)
  expect(log.shown().at(-1)).toEqual(['4100', 4100])
})

test('a line that has no end yet has the time of the last write', () => {
  using log = openLog()
  log.say('whole\n', 1000)
  log.say('half', 2000)
  utimesSync(log.file, 7, 7)
  expect(log.shown()).toEqual([
    ['whole', 1000],
    ['half', 7000],
  ])
})

test('a silent tool leaves one mark, however often the agent starts', () => {
  const folder = temporaryFolder()
  for (let start = 1; start <= 3; start += 1) openLog(folder)[Symbol.dispose]()
  expect(marksIn(folder)).toBe(1)
})

test('a program whose first log line came while the agent was away has times', () => {
  const folder = temporaryFolder()
  openLog(folder)[Symbol.dispose]()
  writeFileSync(join(folder, NAME), 'first words\n')
  utimesSync(join(folder, NAME), 5, 5)
  using log = openLog(folder)
  expect(log.shown()).toEqual([['first words', 5000]])
})

function marksIn(folder: string): number {
  return readFileSync(join(folder, timesFileOf(NAME)), 'utf8')
    .trim()
    .split('\n').length
}
