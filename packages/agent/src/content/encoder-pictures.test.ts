import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configOf, HOST } from '../commands/encoder-config.fixture.ts'
import { sourceArgs } from '../commands/encoder-source.command.ts'
import type { Unit } from '../commands/unit.ts'
import { eventually } from '../agent.fixture.ts'
import { newProgram, type SeenContent } from '../programs/program.ts'
import { BLACK_BYTES, EncoderPictures } from './encoder-pictures.ts'

/** As an encoder writes them. */
function jpegOf(source: string): Buffer {
  const input = ['-v', 'error', '-f', 'lavfi', '-i', source]
  const output = ['-frames:v', '1', '-q:v', '5', '-f', 'image2', '-c:v', 'mjpeg', 'pipe:1']
  return execFileSync('ffmpeg', [...input, ...output])
}

const BLACK = jpegOf('color=black:s=320x180,noise=alls=8:allf=t')
const BARS = jpegOf('smptebars=s=320x180')
const BLUE = jpegOf('color=blue:s=320x180')

/** What is found after each of the pictures, two seconds apart. */
async function seenOf(pictures: readonly Buffer[]): Promise<(string | null)[]> {
  const unit: Unit = { argv: [], repeat: 'never', output: 'ffmpeg', direction: 'none', secrets: [] }
  const asked = { programId: 'encoder-a', owner: 'encoder-0', spec: null, ports: [], bus: null }
  const program = newProgram({ ...asked, unit, revision: 'r1', wanted: 'running' }, 0)
  program.startedAtMs = 1
  const contents: SeenContent[] = []
  await using _watch = new EncoderPictures({
    clock: () => contents.length * 2000,
    encoders: () => [program],
    pictureOf: () => {
      const bytes = pictures[contents.length]
      return bytes === undefined ? null : { bytes, takenAtMs: (contents.length + 1) * 2000 }
    },
    onContent: (_program, content) => {
      if (content !== null) contents.push(content)
    },
    lookMs: 20,
  })
  await eventually(() => expect(contents).toHaveLength(pictures.length))
  return contents.map(({ picture }) => picture && `${picture.kind} ${picture.sinceMs / 2000}`)
}

test('a source is black after two black pictures, counted from the first', async () => {
  expect(await seenOf([BARS, BLACK, BLACK, BARS])).toEqual([null, null, 'black 2', 'moving 4'])
})

test('a source is frozen when its picture stays the same for longer than a presenter holds still', async () => {
  const [first, ...later] = await seenOf([BLUE, ...Array<Buffer>(6).fill(BARS), BLUE])
  expect([first, later[0], later.at(-2), later.at(-1)]).toEqual([
    null,
    'moving 2',
    'frozen 2',
    'moving 8',
  ])
})

test('a plain picture of another colour is not black', async () => {
  expect(await seenOf([BLUE, BARS, BLUE])).toEqual([null, 'moving 2', 'moving 3'])
})

test('the pattern of a practice encoder need not be decoded to know that it is not black', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-cover-'))
  const practiceCover = join(folder, 'cover.txt')
  writeFileSync(practiceCover, '')
  const source = { cardIdx: 0, kind: 'test-pattern' as const, device: '', practiceCover }
  const argv = sourceArgs(source, configOf('pal', ['udp://127.0.0.1:5000?ttl=12']), HOST.fontFile)
  const [video = ''] = (argv[argv.indexOf('-i') + 1] ?? '').split('[out0]')
  expect(jpegOf(video).length).toBeGreaterThan(BLACK_BYTES)
  rmSync(folder, { recursive: true })
})
