import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freeUdpPort, openLink, openTestAgent, temporaryFolder } from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { sourceFault } from './source-check.ts'
import { inputDevices, outputOf } from './tools.ts'

const NEEDS = { hasFfmpeg: true, inputDevices: ['lavfi', 'v4l2'], fontFile: '/font.ttf' }
const folder = temporaryFolder()
const clip = join(folder, "it's a clip.ts")
beforeAll(() => {
  const args = '-v error -f lavfi -i testsrc=size=64x64:rate=25:duration=0.2 -f mpegts'.split(' ')
  spawnSync('ffmpeg', [...args, clip])
  writeFileSync(join(folder, 'notes.txt'), 'no picture in here')
  mkdirSync(join(folder, 'folder'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const cases: [kind: SourceConfig['kind'], device: string, sentence: string][] = [
  ['test-pattern', '', ''],
  ['file', "it's a clip.ts", ''],
  ['file', 'gone.ts', 'There is no file'],
  ['file', 'folder', 'is not a file'],
  ['file', 'notes.txt', 'finds no picture'],
  ['v4l2', 'video99', 'There is no device'],
  ['v4l2', 'notes.txt', 'is not a video device'],
  ['v4l2', '/dev/null', ''],
  ['decklink', 'DeckLink Mini Recorder', 'no DeckLink support'],
]
test.each(cases)('%s %s: "%s"', async (kind, device, sentence) => {
  const path = device === '' || kind === 'decklink' ? device : resolve(folder, device)
  const found = await sourceFault({ cardIdx: 0, kind, device: path }, NEEDS)
  expect(found === '').toBe(sentence === '')
  expect(found).toContain(sentence)
})

test('missing parts of the host are named', async () => {
  const pattern = { cardIdx: 0, kind: 'test-pattern', device: '' } as const
  const card = { cardIdx: 1, kind: 'decklink', device: 'Duo (1)' } as const
  const camera = { cardIdx: 2, kind: 'v4l2', device: '/dev/null' } as const
  expect(await sourceFault(pattern, { ...NEEDS, fontFile: '' })).toContain('no font')
  expect(await sourceFault(pattern, { ...NEEDS, hasFfmpeg: false })).toContain('no ffmpeg')
  expect(await sourceFault(camera, { ...NEEDS, inputDevices: [] })).toContain('Video4Linux')
  expect(await sourceFault(card, { ...NEEDS, inputDevices: ['decklink'] })).toBe('')
})

test('the devices of the ffmpeg here are read by all their names', async () => {
  expect(await inputDevices(outputOf)).toEqual(
    expect.arrayContaining(['lavfi', 'v4l2', 'video4linux2']),
  )
})

test('a file that appears later is reported at the next link and can be encoded; before, it is refused', async () => {
  const later = join(folder, 'later.ts')
  await using agent = await openTestAgent(
    ['encoder'],
    [{ cardIdx: 0, kind: 'file', device: later }],
  )
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  const spec = {
    kind: 'encoder',
    config: configOf('pal', [`udp://127.0.0.1:${await freeUdpPort()}?ttl=1`]),
    feederLegs: [],
  }
  const asked = { programId: 'encoder-later', revision: 'r1', spec }
  await using early = await openLink(seat)
  const missing = expect.stringContaining(`There is no file ${later}`) as string
  expect(unusableIn(early.messages[0])).toEqual([missing])
  await expect(early.ask('applyProgram', { ...asked, wanted: 'running' })).rejects.toMatchObject({
    code: 'refused',
    message: missing,
  })
  await early.ask('applyProgram', { ...asked, wanted: 'stopped' })
  const start = { programId: 'encoder-later', command: 'start' }
  await expect(early.ask('controlProgram', start)).rejects.toMatchObject({ message: missing })

  spawnSync('cp', [clip, later])
  const { sources } = await early.ask('readCapabilities', {})
  expect(sources.map(({ unusable }) => unusable)).toEqual([''])
  rmSync(later)
  await using gone = await openLink(seat)
  expect(unusableIn(gone.messages[0])).toEqual([missing])
  spawnSync('cp', [clip, later])
  await using back = await openLink(seat)
  expect(unusableIn(back.messages[0])).toEqual([''])
  expect(await back.ask('controlProgram', start)).toMatchObject({ wanted: 'running' })
})

function unusableIn(hello: HostMessage | undefined): string[] {
  if (hello?.type !== 'hello') throw new Error('no hello')
  return hello.capabilities.sources.map(({ unusable }) => unusable)
}
