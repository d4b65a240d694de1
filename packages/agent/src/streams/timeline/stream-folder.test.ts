import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPackager } from './packager-folder.ts'
import { tracksOf } from '../health/segment-probe.ts'
import { emptyFolder, sweepFolder } from './stream-folder.ts'
import { append, emptyWindow } from './timeline.rules.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')
const [A, B, GONE, SHOWN] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd'] as const

function folderWith(files: Record<string, { ageS: number; text?: string }>) {
  const folder = mkdtempSync(join(tmpdir(), 'hls-'))
  for (const [name, { ageS, text = 'x'.repeat(1000) }] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, NOW_MS / 1000 - ageS, NOW_MS / 1000 - ageS)
  }
  for (const name of readdirSync(folder)) {
    if (!name.includes('.'))
      utimesSync(join(folder, name), NOW_MS / 1000 - 900, NOW_MS / 1000 - 900)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const LIST = '#EXTM3U\n#EXTINF:2.0,\nv0-00002.ts\n#EXTINF:1.5,\nv0-00003.ts\n'

test('stale files are removed; what is listed, shown, new or of an input stays', async () => {
  using site = folderWith({
    'v0.m3u8': { ageS: 900 },
    'v1.m3u8': { ageS: 900 },
    'seg00001.ts': { ageS: 900 },
    'seg00002.ts': { ageS: 5 },
    [`${A}/v0.m3u8`]: { ageS: 900, text: LIST },
    [`${A}/v0-00001.ts`]: { ageS: 900 },
    [`${A}/v0-00002.ts`]: { ageS: 900 },
    [`${A}/v0-00003.ts`]: { ageS: 900 },
    [`${A}/v1-00003.ts`]: { ageS: 900 },
    [`${A}/v0-00004.ts`]: { ageS: 5 },
    [`${B}/v0-00008.ts`]: { ageS: 900 },
    [`${B}/v0-00009.ts`]: { ageS: 900 },
    [`${GONE}/v0-00001.ts`]: { ageS: 900 },
    [`${SHOWN}/v0-00005.ts`]: { ageS: 900 },
  })
  const listed = { isBreak: false, durationsS: [2], bytes: 1, writtenAtMs: NOW_MS }
  const shown = append(emptyWindow(NOW_MS), SHOWN, [{ ...listed, number: 5 }])
  const window = append(shown, B, [{ ...listed, number: 9 }])
  await sweepFolder(site.folder, { sources: [A, B], renditions: 1, window }, NOW_MS)
  const left = readdirSync(site.folder, { recursive: true, encoding: 'utf8' })
  expect(new Set(left)).toEqual(
    new Set([
      'v0.m3u8',
      'seg00002.ts',
      A,
      `${A}/v0.m3u8`,
      `${A}/v0-00002.ts`,
      `${A}/v0-00003.ts`,
      `${A}/v0-00004.ts`,
      B,
      `${B}/v0-00009.ts`,
      SHOWN,
      `${SHOWN}/v0-00005.ts`,
    ]),
  )
  await emptyFolder(site.folder)
  expect(readdirSync(site.folder)).toEqual([])
})

test('a packager’s segments: those that all renditions have, with their sizes and times', () => {
  using site = folderWith({
    [`${A}/v0.m3u8`]: { ageS: 0, text: LIST },
    [`${A}/v1.m3u8`]: { ageS: 0, text: LIST.replaceAll('v0-', 'v1-').replace('2.0,', '1.8,') },
    [`${A}/v0-00002.ts`]: { ageS: 4 },
    [`${A}/v1-00002.ts`]: { ageS: 3, text: 'xxxxx' },
    [`${A}/v0-00003.ts`]: { ageS: 2 },
  })
  const folder = join(site.folder, A)
  const second = { number: 2, isBreak: false, writtenAtMs: NOW_MS - 4000, durationsS: [2] }
  expect(readPackager(folder, 1)).toEqual([
    { ...second, bytes: 1000 },
    { ...second, number: 3, bytes: 1000, writtenAtMs: NOW_MS - 2000, durationsS: [1.5] },
  ])
  expect(readPackager(folder, 2)).toEqual([
    { ...second, bytes: 1005, writtenAtMs: NOW_MS - 3000, durationsS: [2, 1.8] },
  ])
  expect(readPackager('/nonexistent', 1)).toEqual([])
})

test("ffprobe's answer in the media server's words", () => {
  const key = (isKey: boolean) => ({ stream_index: 0, flags: isKey ? 'K__' : '___' })
  const picture = {
    index: 0,
    codec_type: 'video',
    codec_name: 'h264',
    width: 720,
    height: 576,
    avg_frame_rate: '30000/1001',
  }
  const tracks = tracksOf({
    packets: [true, false, false, true, false, true].map(key),
    streams: [
      picture,
      { codec_type: 'audio', codec_name: 'mp2', bit_rate: '128000', tags: { language: 'fra' } },
      { codec_type: 'data' },
    ],
    format: { bit_rate: '1628000' },
  })
  expect(tracks).toEqual([
    {
      content: 'video',
      track_id: 'v1',
      codec: 'h264',
      width: 720,
      height: 576,
      bitrate: 1500,
      fps: 29.97,
      last_gop: 2,
    },
    { content: 'audio', track_id: 'a1', codec: 'mp2a', bitrate: 128, language: 'fra' },
  ])
  const gopOf = (flags: boolean[]) =>
    tracksOf({ packets: flags.map(key), streams: [picture], format: {} })[0]?.last_gop
  expect(gopOf([true, false, false])).toBe(3)
  expect(gopOf([false, true, false])).toBeUndefined()
  expect(gopOf([])).toBeUndefined()
})
