import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BreakBook } from './break-book.ts'
import { BREAK_NAMES, BREAKS, type Break, type BreakName } from './break.ts'

let folder: string
let file: string
let done: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-breaks-'))
  file = join(folder, 'breaks.json')
  done = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function breakNamed(name: BreakName, begin: () => void = () => undefined): Break {
  const act = (what: string, also: () => void) => async () => {
    done.push(`${what} ${name}`)
    also()
    return Promise.resolve(0)
  }
  return {
    name,
    sentence: BREAKS[name].sentence('Camera 1'),
    namedWithinS: 3,
    subject: { kind: 'encoder', objectId: '1' },
    isTrue: () => true,
    begin: act('begin', begin),
    repair: act('repair', () => undefined),
  }
}

function bookOf(...names: BreakName[]): BreakBook {
  return new BreakBook(
    file,
    names.map((name) => breakNamed(name)),
  )
}

function namesBroken(book: BreakBook): string[] {
  return book.list().flatMap(({ name, since }) => (since === null ? [] : [name]))
}

test('there are the twelve kinds of breaks of the break test', () => {
  expect(BREAK_NAMES.map((name) => BREAKS[name].title)).toEqual([
    'encoder killed',
    'source black',
    'feeder stopped',
    'wrong passphrase',
    'UDP port blocked',
    "peer's host away",
    '5 % loss',
    'bus silent',
    "output's destination away",
    'channel program killed',
    'media server away',
    'agent frozen',
  ])
})

test('causing a break twice causes it once, and says that it is broken already', async () => {
  const book = bookOf('encoder-killed', 'bus-silent')
  expect(await book.cause('encoder-killed')).toBe(
    "The program of encoder 'Camera 1' is killed until somebody starts it.",
  )
  expect(await book.cause('encoder-killed')).toContain('broken already')
  expect(done).toEqual(['begin encoder-killed'])
  expect(namesBroken(book)).toEqual(['encoder-killed'])
})

test('healing what is not broken does nothing, and says so', async () => {
  const book = bookOf('encoder-killed')
  expect(await book.heal('encoder-killed')).toEqual(['encoder-killed is not broken.'])
  expect(await book.heal(null)).toEqual(['Nothing is broken.'])
  expect(done).toEqual([])
})

test('an unknown name is refused with the names that there are', async () => {
  const book = bookOf('encoder-killed', 'bus-silent')
  await expect(book.cause('encoder')).rejects.toThrow(
    "There is no break 'encoder'. Choose one of encoder-killed, bus-silent.",
  )
  await expect(book.heal('')).rejects.toThrow('There is no break')
})

test('the next reader of the file repairs all breaks, servers before what runs on them', async () => {
  const before = bookOf('encoder-killed', 'channel-killed', 'media-server-away')
  for (const name of ['media-server-away', 'encoder-killed', 'channel-killed']) {
    await before.cause(name)
  }
  done = []
  const after = bookOf('encoder-killed', 'channel-killed', 'media-server-away')
  expect(await after.heal(null)).toHaveLength(3)
  expect(done).toEqual([
    'repair media-server-away',
    'repair channel-killed',
    'repair encoder-killed',
  ])
  expect(namesBroken(after)).toEqual([])
})

test('a break is noted before it is caused, so that an interrupted one is healed too', async () => {
  const seen: string[] = []
  const cutOff = breakNamed('agent-frozen', () => {
    seen.push(readFileSync(file, 'utf8'))
    throw new Error('The machine lost its power.')
  })
  const book = new BreakBook(file, [cutOff])
  await expect(book.cause('agent-frozen')).rejects.toThrow('lost its power')
  expect(seen[0]).toContain('agent-frozen')
  expect(namesBroken(book)).toEqual(['agent-frozen'])
})

test('a damaged file means that nothing is broken', () => {
  writeFileSync(file, '{"encoder-killed":')
  expect(namesBroken(bookOf('encoder-killed'))).toEqual([])
  expect(existsSync(file)).toBe(true)
})
