/** The command line on a site that runs: a real control port, and breaks that only note what was asked. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BreakBook } from '../breaks/break-book.ts'
import { BREAKS, type BreakName } from '../breaks/break.ts'
import { runDemoCommand } from './demo-command.ts'
import { openTrainingControl } from './training-control.ts'

let dataDir: string
let life: AsyncDisposableStack
let printed: { out: string; error: string }
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'trunkline-demo-'))
  life = new AsyncDisposableStack()
  printed = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((words) => {
    printed.out += String(words)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((words) => {
    printed.error += String(words)
    return true
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await life.disposeAsync()
  rmSync(dataDir, { recursive: true, force: true })
})

async function demo(...args: string[]): Promise<number> {
  printed = { out: '', error: '' }
  return runDemoCommand(args, { TRUNKLINE_DATA_DIR: dataDir })
}

function markTraining(): void {
  const plan = {
    range: 0,
    keys: { encoder: 'e', gateway: 'g', stream: 's' },
    passphrase: 'p',
    trainerPassword: 't',
  }
  writeFileSync(join(dataDir, 'training.json'), JSON.stringify(plan))
}

async function openSite(): Promise<void> {
  markTraining()
  const breaks = (['encoder-killed', 'bus-silent'] as const).map((name: BreakName) => ({
    name,
    sentence: BREAKS[name].sentence('Camera 1'),
    namedWithinS: 3 as const,
    subject: { kind: 'encoder' as const, objectId: '1' },
    isTrue: () => true,
    begin: async () => Promise.resolve(0),
    repair: async () => Promise.resolve(0),
  }))
  life.use(await openTrainingControl(dataDir, new BreakBook(join(dataDir, 'breaks.json'), breaks)))
}

test('it lists what is broken and what can be broken, each in a sentence', async () => {
  await openSite()
  expect(await demo()).toBe(0)
  expect(printed.out).toContain('Nothing is broken.')
  expect(printed.out).toMatch(
    /encoder-killed +The program of encoder 'Camera 1' is killed until somebody starts it\./,
  )
  expect(await demo('break', 'bus-silent')).toBe(0)
  expect(printed.out).toContain('npx trunkline demo heal bus-silent')
  expect(await demo()).toBe(0)
  expect(printed.out).toMatch(
    /Broken now:\n +bus-silent +Nothing arrives .* Since \d\d:\d\d:\d\d UTC\.\n/,
  )
})

test('a break is healed once, by its name or with all others', async () => {
  await openSite()
  await demo('break', 'bus-silent')
  await demo('break', 'bus-silent')
  expect(printed.out).toContain('It is broken already.')
  await demo('heal')
  expect(printed.out).toContain('bus-silent is healed.')
  expect(await demo('heal', 'bus-silent')).toBe(0)
  expect(printed.out).toContain('bus-silent is not broken.')
})

test.each([
  [['break'], 'Name what to break: encoder-killed, bus-silent.'],
  [['break', 'camera'], "There is no break 'camera'. Choose one of encoder-killed, bus-silent."],
  [['stop'], 'Use: npx trunkline demo'],
  [['heal', 'bus-silent', 'now'], 'Use: npx trunkline demo'],
])('demo %j is refused with what to type', async (args, sentence) => {
  await openSite()
  expect(await demo(...args)).toBe(1)
  expect(printed).toEqual({ out: '', error: expect.stringContaining(sentence) as string })
})

test('breaks are refused on a site that is no training site', async () => {
  writeFileSync(join(dataDir, 'site.json'), '{}')
  expect(await demo('break', 'encoder-killed')).toBe(1)
  expect(printed.error).toContain('nothing is broken on any other site')
})

test('a folder that is not there and a site that does not run say how to start it', async () => {
  markTraining()
  expect(await demo('heal')).toBe(1)
  expect(printed.error).toContain('does not run. Start it: TRUNKLINE_DEMO=fleet npm start.')
  rmSync(dataDir, { recursive: true })
  expect(await demo()).toBe(1)
  expect(printed.error).toContain('There is no training site in')
})

test('a caller without the key of the data folder gets no answer', async () => {
  await openSite()
  const file = readFileSync(join(dataDir, 'training-control.json'), 'utf8')
  const { port } = JSON.parse(file) as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.end(JSON.stringify({ key: 'guessed', ask: 'break', name: 'bus-silent' }))
  expect(await text(socket)).toBe('')
  await demo()
  expect(printed.out).toContain('Nothing is broken.')
})
