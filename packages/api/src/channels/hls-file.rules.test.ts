import { expect, test, vi } from 'vitest'
import { hlsFile, namesAround, ownPlaylist, PLAYLIST_LIMITS } from './hls-file.rules.ts'

test.each([
  ['index.m3u8', 'application/vnd.apple.mpegurl', 'playlist'],
  ['seg00012.ts', 'video/mp2t', 'media'],
  ['part_1-2.m4s', 'video/iso.segment', 'media'],
  ['init.mp4', 'video/mp4', 'media'],
  ['0a1b2c3d4e-v0-00012.ts', 'video/mp2t', 'media'],
  ['index.fmp4.m3u8', 'application/vnd.apple.mpegurl', 'playlist'],
])('%s is relayed as %s', (name, contentType, kind) => {
  expect(hlsFile(name)).toEqual({ name, folders: [], contentType, kind })
})

test.each([
  ['tracks-v1a1/mono.m3u8', ['tracks-v1a1']],
  [
    '2022/03/22/08/06/37-05000.ts',
    ['2022', '2022/03', '2022/03/22', '2022/03/22/08', '2022/03/22/08/06'],
  ],
])('the documented folders of a media server’s own are relayed: %s', (name, folders) => {
  expect(hlsFile(name)).toMatchObject({ name, folders })
})

test.each([
  '',
  'index',
  '.m3u8',
  'index.m3u8 ',
  'index.m3u8\n',
  'index.m3u8.html',
  'a..b.ts',
  'a.b.c.d.ts',
  'tracks-v1/../index.m3u8',
  'tracks-v1//mono.m3u8',
  'tracks-/mono.m3u8',
  'tracks-v1/tracks-v2/mono.m3u8',
  'xtracks-v1/mono.m3u8',
  '2022/03/mono.ts',
  '2022/03/22/08/06/07/37.ts',
  '/2022/03/22/08/06/37.ts',
  '../other/index.m3u8',
  '..%2fother%2findex.m3u8',
  'folder/index.m3u8',
  'folder\\index.m3u8',
  '/index.m3u8',
  '//evil.example/index.m3u8',
  'http://evil.example/index.m3u8',
  'index.m3u8?token=1',
  'index.m3u8#a',
  'ïndex.m3u8',
  'index.M3U8',
  `${'a'.repeat(201)}.ts`,
])('T14 no other name is relayed: %j', (name) => {
  expect(hlsFile(name)).toBeNull()
})

const HEAD = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n'

test('a playlist of files beside it is relayed', () => {
  const playlist = `${HEAD}#EXT-X-MAP:URI="init.mp4"\r\n#EXTINF:2,\r\nseg1.m4s\r\n\r\n  seg2.m4s?a=1\n`
  expect(ownPlaylist(playlist)).toEqual({
    text: `${HEAD}#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2,\nseg1.m4s\nseg2.m4s?a=1\n`,
  })
})

test('a master playlist may name renditions beside and below it', () => {
  const playlist = `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI="a1.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\ntracks-v2a1/mono.m3u8?token=x\n`
  expect(ownPlaylist(playlist)).toEqual({ text: playlist })
})

test.each([
  ['http://169.254.169.254/latest.ts', 'http://169.254.169.254/latest.ts'],
  ['//evil.example/a.ts', '//evil.example/a.ts'],
  ['/api/channel/other/hls/index.m3u8', '/api/channel/other/hls/index.m3u8'],
  ['../other/seg1.ts', '../other/seg1.ts'],
  ['#EXT-X-KEY:METHOD=AES-128,URI="http://10.0.0.1/key"', 'http://10.0.0.1/key'],
  ['#EXT-X-MEDIA:TYPE=AUDIO,uri="a/b.m3u8",NAME="x"', 'a/b.m3u8'],
  ['#EXT-X-KEY:METHOD=AES-128,URI=http://10.0.0.1/key', 'http://10.0.0.1/key'],
  ['#EXT-X-KEY:METHOD=AES-128,URI ="http://10.0.0.1/key"', 'http://10.0.0.1/key'],
  ['#EXT-X-KEY:METHOD=AES-128,URI="http://10.0.0.1/key', 'http://10.0.0.1/key'],
  ['#EXT-X-MAP:URI="data:video/mp4;base64,AA"', 'data:video/mp4;base64,AA'],
  ['#EXT-X-PART:DURATION=1,URI="{$host}.ts"', '{$host}.ts'],
  ['# a\u2028http://evil.example/a.ts', 'http://evil.example/a.ts'],
  ['# a\u000chttp://evil.example/a.ts', 'http://evil.example/a.ts'],
  ['seg1.ts?a http://evil.example/a.ts', 'seg1.ts?a http://evil.example/a.ts'],
])('T14 a playlist that points elsewhere is detected: %s', (line, stray) => {
  expect(ownPlaylist(`${HEAD}seg1.ts\n${line}\nseg2.ts\n`)).toEqual({ stray })
})

// A player looks for the next address wherever the last tag that it could read ends.
test.each([
  '#EXTINF:2http://evil.example/a.ts',
  '#EXTINF:2 http://evil.example/a.ts',
  '#EXTINF:http://evil.example/a.ts',
  '#EXT-X-DEFINE:NAME="host",VALUE="http://evil.example"',
  '#EXT-X-CONTENT-STEERING:SERVER-URI="http://evil.example"',
  '#EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",X-ASSET-LIST="http://evil.example"',
  '#EXT-X-SESSION-DATA:DATA-ID="a",URI="http://evil.example"',
  '#EXT-X-VERSIONhttp://evil.example/a.ts',
  '# http://evil.example/a.ts',
])('T14 a line that a player may read differently is left out: %s', (line) => {
  expect(ownPlaylist(`${HEAD}${line}\nseg1.ts`)).toEqual({ text: `${HEAD}seg1.ts\n` })
})

test('T14 the title of a segment is left out: without a line end an address in it would be played', () => {
  expect(ownPlaylist(`${HEAD}#EXTINF:2.5,a http://evil.example/a.ts`)).toEqual({
    text: `${HEAD}#EXTINF:2.5,\n`,
  })
})

test.each([
  ['a/tracks-v1', 'a', true],
  ['a/2026/03/22/08/06', 'a', true],
  ['a/b', 'a', false],
  ['a', 'a', false],
  ['ab/tracks-v1', 'a', false],
])('%s lies among the files of %s: %j', (name, other, isAmong) => {
  expect(namesAround(name).includes(other)).toBe(isAmong)
})

const { bytes, lines, lineCharacters } = PLAYLIST_LIMITS

test.each([
  ['of 1 MB', '#'.repeat(9999).concat('\n').repeat(104).concat('#'.repeat(8576))],
  ['of 20,000 lines', '#\n'.repeat(lines)],
  ['with a line of 10,000 characters', '#'.repeat(lineCharacters)],
])('T16 a playlist %s is read', (_what, playlist) => {
  expect(playlist.length).toBeLessThanOrEqual(bytes)
  expect(ownPlaylist(playlist)).toEqual({ text: '\n' })
})

test.each([
  ['is larger than 1 MB', 'a.ts\n'.repeat(bytes / 5 + 1)],
  ['is larger than 1 MB', 'a'.repeat(4 * bytes)],
  ['has more than 20,000 lines', 'a.ts\n'.repeat(lines + 1)],
  ['has a line of more than 10,000 characters', `a.ts?${'a'.repeat(lineCharacters)}`],
])('T16 a playlist that %s is refused with that reason', (excess, playlist) => {
  expect(ownPlaylist(playlist)).toEqual({ excess })
})

/** How often an expression is tried while the playlist is read. */
function stepsOf(playlist: string): number {
  const exec = vi.spyOn(RegExp.prototype, 'exec')
  try {
    ownPlaylist(playlist)
    return exec.mock.calls.length
  } finally {
    exec.mockRestore()
  }
}

test.each([
  ['segments', '#EXTINF:2,\na.ts\n'],
  ['addresses in one line', '#EXT-X-MAP:URI="a.ts",URI="b.ts",URI="c.ts"\n'],
  ['spaces', `${' '.repeat(200)}a.ts\n`],
])('T16 twice as many lines of %s take twice the steps', (_what, line) => {
  const [once, twice] = [stepsOf(line.repeat(1000)), stepsOf(line.repeat(2000))]
  expect(once).toBeGreaterThan(1000)
  expect(twice).toBeLessThanOrEqual(2 * once)
})

test('T16 nothing after a refused line is read', () => {
  const wrong = 'http://evil.example/a.ts\n'
  expect(stepsOf(wrong + 'a.ts\n'.repeat(10_000))).toBe(stepsOf(wrong))
})
