import { START_MARK } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { afterFfmpegRate, readFfmpegPeer } from './ffmpeg-peer.ts'
import { NO_PEER_YET, retriesOf, type PeerView } from './peer-state.ts'
import { readSrtPeer } from './srt-peer.ts'

const START = `${START_MARK} 2026-11-22T08:00:00Z (pid 7)`
const REFUSED = [
  '[tcp @ 0x55f6ae1f2300] [error] Connection to tcp://127.0.0.1:1 failed: Connection refused',
  '[error] rtmp://127.0.0.1:1/app/key: Connection refused',
]

function read(lines: readonly string[], from: PeerView = NO_PEER_YET): PeerView {
  return lines.reduce(readFfmpegPeer, from)
}

test('CHAN: each try counts until bytes are sent, and the reason is kept meanwhile', () => {
  const first = read([START])
  expect(first).toMatchObject({ peer: '', trouble: '' })
  expect(retriesOf(first)).toBe(0)
  const third = read([...REFUSED, START, ...REFUSED, START], first)
  expect(third).toMatchObject({ peer: '' })
  expect(third.trouble).toMatch(/connection refused/)
  expect(retriesOf(third)).toBe(2)
  expect(afterFfmpegRate(third, 0)).toBe(third)
  const through = afterFfmpegRate(third, 800)
  expect(through).toMatchObject({ peer: 'connected', trouble: '' })
  expect(retriesOf(through)).toBe(0)
  const lost = read(['[error] av_interleaved_write_frame(): Broken pipe', START], through)
  expect(lost).toMatchObject({
    peer: 'disconnected',
    trouble: 'The far end ended the connection.',
  })
  expect(retriesOf(lost)).toBe(1)
  // Another process knows of no far end yet.
  const anew = readFfmpegPeer(lost, START.replace('pid 7', 'pid 8'))
  expect(anew).toMatchObject({ peer: '', wasHere: false, tries: 1 })
})

test.each([
  ['[error] http://h.example/a.ts: Server returned 404 Not Found', /404/],
  [
    '[error] http://h.example/a.ts: Server returned 401 Unauthorized (authorization failed)',
    /refuses access/,
  ],
  ['[error] http://h.example/a.ts: Server returned 5XX Server Error reply', /error of its own/],
  ['[tcp @ 0x5] [error] Failed to resolve hostname no.example: Name or service not known', /name/],
  ['[error] rtmp://h.example/app: Connection timed out', /in time/],
  ['[error] rtmp://h.example/app: No route to host', /no route/],
  [
    '[flv @ 0x55] [error] Video codec mpeg2video not compatible with flv',
    /^Video codec mpeg2video/,
  ],
])('an error line becomes a sentence: %s', (line, sentence) => {
  expect(read([START, line]).trouble).toMatch(sentence)
})

test('lines after the reason, and warnings, do not hide it', () => {
  const resolve =
    '[tcp @ 0x5] [error] Failed to resolve hostname no.example: Name or service not known'
  const lines = [START, resolve, '[error] http://no.example/x: Input/output error']
  expect(read([...lines, '[mpegts @ 0x5] [warning] Packet corrupt']).trouble).toMatch(/name/)
  expect(read([START, '[error] http://a.example/x: Input/output error']).trouble).toMatch(
    /Input\/output error/,
  )
})

test('an SRT caller counts its calls, and a lost connection is never a first call', () => {
  const media = "Media path: 'udp://127.0.0.1:1' --> 'srt://h.example:2?mode=caller'"
  const calling = [START, media, media, media].reduce(readSrtPeer, NO_PEER_YET)
  expect(retriesOf(calling)).toBe(2)
  const here = readSrtPeer(calling, 'SRT target connected')
  expect(retriesOf(here)).toBe(0)
  expect(retriesOf(readSrtPeer(here, 'SRT target disconnected'))).toBe(1)
})
