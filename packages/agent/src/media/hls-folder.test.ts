import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, readHlsFolder, SEGMENT_NAME, sweepFolder } from './hls-folder.ts'
import { tracksOf } from './segment-probe.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')

function folderWith(files: Record<string, { bytes: number; ageSeconds: number }>) {
  const folder = mkdtempSync(join(tmpdir(), 'hls-'))
  for (const [name, { bytes, ageSeconds }] of Object.entries(files)) {
    writeFileSync(join(folder, name), Buffer.alloc(bytes))
    const at = (NOW_MS - ageSeconds * 1000) / 1000
    utimesSync(join(folder, name), at, at)
  }
  const playlist = '#EXTM3U\n#EXTINF:2.0,\n#EXT-X-X\nseg00002.ts\n#EXTINF:1.5,\nseg00003.ts\n'
  writeFileSync(join(folder, 'index.m3u8'), playlist)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('rate over the listed segments, newest by its time; leftovers are swept, listed ones stay', async () => {
  using site = folderWith({
    'seg00001.ts': { bytes: 9000, ageSeconds: 90 },
    'seg00002.ts': { bytes: 1000, ageSeconds: 80 },
    'seg00003.ts': { bytes: 750, ageSeconds: 3 },
    'seg00004.ts.tmp': { bytes: 5, ageSeconds: 0 },
  })
  const { newest, bitrateBps } = readHlsFolder(site.folder)
  expect(newest).toEqual({ file: 'seg00003.ts', bytes: 750, writtenAtMs: NOW_MS - 3000 })
  expect(bitrateBps).toBe(4000)
  await sweepFolder(site.folder, NOW_MS)
  expect(readdirSync(site.folder)).toEqual([
    'index.m3u8',
    'seg00002.ts',
    'seg00003.ts',
    'seg00004.ts.tmp',
  ])
  await emptyFolder(site.folder)
  expect(readHlsFolder(site.folder)).toEqual({ newest: null, bitrateBps: null })
})

test('a folder that is not there holds nothing', () => {
  expect(readHlsFolder('/nonexistent')).toEqual({ newest: null, bitrateBps: null })
})

test('segment names, and nothing that looks like one', () => {
  expect(SEGMENT_NAME.test('seg1795180395.ts')).toBe(true)
  for (const name of [
    'seg1.ts',
    'seg00001.ts.tmp',
    'xseg00001.ts',
    '../seg00001.ts',
    'seg00001_ts',
  ]) {
    expect(SEGMENT_NAME.test(name), name).toBe(false)
  }
})

test("ffprobe's answer in the media server's words", () => {
  const tracks = tracksOf({
    streams: [
      {
        codec_type: 'video',
        codec_name: 'h264',
        width: 720,
        height: 576,
        avg_frame_rate: '30000/1001',
      },
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
    },
    { content: 'audio', track_id: 'a1', codec: 'mp2a', bitrate: 128, language: 'fra' },
  ])
})
