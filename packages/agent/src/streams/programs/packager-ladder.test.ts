/** A template with several rungs, by a real packager: sizes, common numbers, and what each may lack. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { eventually, LIFE_LIMIT_MS, shared } from '../../agent.fixture.ts'
import {
  AAC,
  H264,
  makeStream,
  newLeg,
  openUnitSite,
  PICTURE,
  play,
  runPackager,
  SECONDS,
  segmentsIn,
  SOUND,
  untilDecodes,
} from '../unit-site.fixture.ts'
import { rungsOf } from '../definition/template.rules.ts'

const site = shared(openUnitSite)

/** Two rungs below the picture's own 480 lines, and one above. */
const LADDER = [360, 120, 720].map((heightLines) => ({
  heightLines,
  videoKbps: 300,
  audioKbps: 96,
}))

function kindsOf(path: string): string[] {
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0']
  const text = spawnSync('ffprobe', [...args, path], { encoding: 'utf8' }).stdout
  // Each stands there once more as a part of its program.
  return [...new Set(text.split('\n'))].filter((line) => line !== '')
}

test.each([
  ['with-sound', [...PICTURE, ...SOUND, ...H264, ...AAC], ['h264,480,360', 'aac']],
  ['silent', [...PICTURE, ...H264], ['h264,480,360']],
  ['sound-alone', [...SOUND, ...AAC], ['aac']],
])('CHAN: a ladder of a stream %s', { timeout: LIFE_LIMIT_MS }, async (name, args, kinds) => {
  const large = args.map((argument) => argument.replace('320x240', '640x480'))
  const leg = await newLeg()
  const packaging = { ...SECONDS, rungs: LADDER }
  const { folder } = await runPackager(site, `ch-ladder-${name}`, leg, packaging)
  await using _feed = play(makeStream(site, name, large, 8), leg)
  const files = await Promise.all(LADDER.map(async (_rung, at) => untilDecodes(folder, at)))
  // Sizes of a rung below the source, of one far below it, and of one above, which is left as it came.
  const sizes = ['480,360', '160,120', '640,480']
  const expected = sizes.map((size) => kinds.map((kind) => kind.replace('480,360', size)))
  expect(files.map(kindsOf)).toEqual(expected)
  // The same segment has the same number in each.
  await eventually(() => {
    const [first, ...others] = LADDER.map((_rung, at) =>
      segmentsIn(folder, at)
        .slice(0, 2)
        .map((file) => file.slice('v0-'.length)),
    )
    expect(others).toEqual(others.map(() => first))
  })
})

test(
  'CHAN: an interlaced picture of 1080 lines leaves a template progressive',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=50,interlace=scan=tff']
    const interlaced = ['-c:v', 'mpeg2video', '-flags', '+ildct+ilme', '-b:v', '8M', '-g', '12']
    const file = makeStream(site, 'interlaced', [...moving, ...interlaced, '-top', '1'], 3)
    expect(fieldOrderOf(file)).toBe('tt')
    const leg = await newLeg()
    const packaging = { ...SECONDS, rungs: rungsOf('hd') ?? [] }
    const { folder } = await runPackager(site, 'ch-interlaced', leg, packaging)
    await using _feed = play(file, leg)
    const segment = await untilDecodes(folder)
    expect(kindsOf(segment)).toEqual(['h264,1280,720'])
    expect(fieldOrderOf(segment)).toBe('progressive')
    expect(combedShare(file)).toBeGreaterThan(0.5)
    expect(combedShare(segment)).toBeLessThan(0.1)
  },
)

function fieldOrderOf(path: string): string {
  const fields = ['-select_streams', 'v', '-show_entries', 'stream=field_order', '-of', 'csv=p=0']
  const text = spawnSync('ffprobe', ['-v', 'error', ...fields, path], { encoding: 'utf8' }).stdout
  return text.match(/^\w+/)?.[0] ?? ''
}

/** Of its pictures, as ffmpeg sees it: those whose lines are of two moments. */
function combedShare(path: string): number {
  const args = ['-hide_banner', '-i', path, '-vf', 'idet', '-an', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  const counts = /Multi frame.*TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+)/.exec(stderr) ?? []
  const [top = 0, bottom = 0, progressive = 0] = counts.slice(1).map(Number)
  return (top + bottom) / (top + bottom + progressive)
}
