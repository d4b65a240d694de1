import { expect, test } from 'vitest'
import {
  masterPlaylist,
  mediaPlaylist,
  pathOfFile,
  readMediaPlaylist,
  readPackagerList,
} from './playlist-text.ts'
import type { Window } from './timeline.rules.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12)
const INPUT = '0123456789'

const WINDOW: Window = {
  sequence: 41,
  breaksBefore: 3,
  hasPast: true,
  targetDurationS: 3,
  rows: [
    { number: 7, isBreak: false, durationsS: [1.92, 2] },
    { number: 1_795_334_595, isBreak: true, durationsS: [2.6, 2] },
  ].map((row, at) => ({
    ...row,
    source: INPUT,
    bytes: 0,
    writtenAtMs: 0,
    startsAtMs: NOW_MS + at * 1920,
  })),
}

test('golden: what viewers get, and read back it is the same', () => {
  const text = mediaPlaylist(WINDOW, 0)
  expect(text).toBe(
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:3
#EXT-X-MEDIA-SEQUENCE:41
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
#EXTINF:1.920000,
0123456789-v0-00007.ts
#EXT-X-DISCONTINUITY
#EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:01.920Z
#EXTINF:2.600000,
0123456789-v0-1795334595.ts
`,
  )
  const rows = WINDOW.rows.map(({ source, number, isBreak, startsAtMs, durationsS }) => {
    return { source, number, isBreak, startsAtMs, durationS: durationsS[0] }
  })
  expect(readMediaPlaylist(text)).toEqual({ ...WINDOW, rows })
  expect(mediaPlaylist(WINDOW, 1)).toContain('TARGETDURATION:3\n')
  expect(mediaPlaylist(WINDOW, 1)).toContain('\n0123456789-v1-00007.ts\n')
})

test.each([
  ['nothing', ''],
  ['nonsense', 'nonsense'],
  ['a head alone', mediaPlaylist({ ...WINDOW, rows: [] }, 0)],
  ['cut before the last file', mediaPlaylist(WINDOW, 0).split('\n').slice(0, -2).join('\n')],
  ['half of a head', '#EXTM3U\n#EXT-X-VERSION:6\n'],
  ['a number that is none', mediaPlaylist(WINDOW, 0).replace(':41', ':4x1')],
  ['a file of elsewhere', mediaPlaylist(WINDOW, 0).replace('0123456789-v0-00007', '../passwd')],
  ['no length', mediaPlaylist(WINDOW, 0).replace('#EXTINF:1.920000,\n', '')],
  ['no time', mediaPlaylist(WINDOW, 0).replace(/#EXT-X-PROGRAM[^\n]*\n/, '')],
  ['a folder', mediaPlaylist(WINDOW, 0).replace('0123456789', 'shadow/../')],
])('a damaged playlist counts as no playlist: %s', (_what, text) => {
  expect(readMediaPlaylist(text)).toBeNull()
})

test('a packager’s playlist with a discontinuity and unknown lines', () => {
  const text = `#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-DISCONTINUITY
#EXTINF:2.000000,
#EXT-X-PROGRAM-DATE-TIME:2026-11-22T08:03:17.583+0000
v0-1795334595.ts
#EXTINF:1.5,
#EXT-X-NEW:1
v0-1795334596.ts
v0-1795334597.ts
#EXTINF:1.5,
/etc/passwd
#EXTINF:nonsense,
v0-1795334598.ts
`
  expect(readPackagerList(text)).toEqual([
    { number: 1_795_334_595, durationS: 2, isBreak: true },
    { number: 1_795_334_596, durationS: 1.5, isBreak: false },
  ])
  expect(readPackagerList('')).toEqual([])
})

test('golden: the list of renditions', () => {
  const renditions = [
    { bandwidthBps: 3_285_000, size: { width: 1280, height: 720 } },
    { bandwidthBps: 1_120_000, size: null },
  ]
  expect(masterPlaylist(renditions)).toBe(
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=3285000,RESOLUTION=1280x720
v0.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1120000
v1.m3u8
`,
  )
})

test('a requested file is in the folder of the stream or of a packager, or does not exist', () => {
  expect(pathOfFile('index.m3u8', 1)).toEqual(['v0.m3u8'])
  expect(pathOfFile('index.m3u8', 2)).toEqual(['index.m3u8'])
  expect(pathOfFile('v1.m3u8', 2)).toEqual(['v1.m3u8'])
  expect(pathOfFile(`${INPUT}-v1-00012.ts`, 2)).toEqual([INPUT, 'v1-00012.ts'])
  for (const file of [
    '',
    'v10.m3u8',
    'v0-00012.ts',
    `${INPUT}-v0-12.ts`,
    `${INPUT}-v0-00012.ts.tmp`,
    `${INPUT}/v0-00012.ts`,
    '..........-v0-00012.ts',
    `x${INPUT}-v0-00012.ts`,
    `${INPUT}-v0-00012.ts\n`,
  ]) {
    expect(pathOfFile(file, 2), file).toBeNull()
  }
})
