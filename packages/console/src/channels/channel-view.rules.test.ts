import { outputTracks } from '@trunkline/contract/channels/channel.rules'
import { expect, test } from 'vitest'
import { streamOf } from '../test/channel.samples.ts'
import { noMediaText } from './sources/sources.rules.ts'
import { viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import {
  audioText,
  mediaText,
  sentText,
  settingsText,
  templateText,
  videosText,
  videoText,
} from './channel-view.rules.ts'

const fresh = { nowMs: 100_000, isLoaded: true, brokenSinceMs: null }
const dead = { alive: false }

test.each([
  ['CHAN-09 disabled', streamOf('a', { disabled: true }), 'off', 'Disabled', ''],
  ['CHAN-09 disabled wins over alive', streamOf('a', { disabled: true }), 'off', 'Disabled', ''],
  ['CHAN-10 alive', streamOf('a'), 'ok', 'Online', ''],
  ['CHAN-11 not alive', streamOf('a', { stats: dead }), 'bad', 'Offline', 'no media'],
  ['CHAN-11 the server is silent', 'silent', 'blind', 'Offline', 'server silent'],
  ['Q129 the server lists it no more', 'gone', 'bad', 'Offline', 'no such stream'],
  ['not read yet', 'unread', 'move', 'Reading', ''],
] as const)('%s', (_name, reading, family, word, cause) => {
  expect(viewOfStream(reading, fresh)).toMatchObject({ family, word, cause })
})

test('CHAN-11 a channel is being read while its server had no time to answer yet', () => {
  const unheard = { online: false, sinceMs: fresh.nowMs - 9999, heardAtMs: null }
  const reading = { family: 'move', word: 'Reading', cause: '', sinceMs: null }
  expect(viewOfStream('silent', fresh, unheard)).toMatchObject(reading)
  const offline = { family: 'blind', word: 'Offline', cause: 'server silent' }
  const late = { ...unheard, sinceMs: fresh.nowMs - 10_000 }
  expect(viewOfStream('silent', fresh, late)).toMatchObject({ ...offline, sinceMs: late.sinceMs })
  const lost = { ...unheard, heardAtMs: unheard.sinceMs }
  expect(viewOfStream('silent', fresh, lost)).toMatchObject(offline)
})

test('a channel that was just enabled is starting, with its own age, for 20 s', () => {
  const beganMs = Date.parse('2026-01-02T14:00:00Z')
  const stream = streamOf('a', { stats: { alive: false, since: beganMs } })
  const at = (nowMs: number) => viewOfStream(stream, { ...fresh, nowMs })
  expect(at(beganMs + 19_999)).toMatchObject({ family: 'move', word: 'Starting', sinceMs: beganMs })
  expect(at(beganMs + 20_000)).toMatchObject({ family: 'bad', word: 'Offline', sinceMs: beganMs })
  const lost = streamOf('a', { stats: { alive: false, since: beganMs, last_dts_at: beganMs } })
  expect(viewOfStream(lost, { ...fresh, nowMs: beganMs })).toMatchObject({
    word: 'Offline',
    cause: 'no media',
  })
})

test('CHAN-11 a channel whose source came back is starting until its first segment, for 20 s', () => {
  const beganMs = Date.parse('2026-01-02T14:00:00Z')
  const inputs = [{ url: 'srt://:7016', stats: { active: true, active_since: beganMs } }]
  const stats = { alive: false, since: beganMs, last_dts_at: beganMs - 60_000 }
  const at = (nowMs: number) => viewOfStream(streamOf('a', { inputs, stats }), { ...fresh, nowMs })
  expect(at(beganMs + 19_999)).toMatchObject({ family: 'move', word: 'Starting', sinceMs: beganMs })
  expect(at(beganMs + 20_000)).toMatchObject({ word: 'Offline', sinceMs: beganMs - 60_000 })
})

test('CHAN-11 CHAN-32 a channel that is restarted says so, first on its last segments, then without any', () => {
  const beganMs = Date.parse('2026-01-02T14:00:00Z')
  const lost = { active: true, since: beganMs, error: 'The packager of this input is starting.' }
  const seen = (alive: boolean, afterMs: number, more: object = {}) => {
    const stats = { alive, starting_since: beganMs, since: beganMs, last_dts_at: beganMs - 1 }
    const inputs = [{ url: 'srt://:7016', stats: { ...lost, ...more } }]
    return viewOfStream(streamOf('a', { inputs, stats }), { ...fresh, nowMs: beganMs + afterMs })
  }
  const moving = { family: 'move', shape: 'arc', sinceMs: beganMs }
  expect(seen(true, 4000)).toMatchObject({ ...moving, word: 'Online', cause: 'restarting' })
  expect(seen(false, 4000)).toMatchObject({ ...moving, word: 'Starting', cause: '' })
  expect(seen(true, 20_000)).toMatchObject({ family: 'warn', cause: 'source lost' })
  // It cannot come up: no start is waited for.
  const down = seen(false, 4000, { receiver_down: true })
  expect(down).toMatchObject({ family: 'bad', cause: 'receiver down' })
})

test('CHAN-11 a channel whose server does not receive its source says so, also while it plays on', () => {
  const error = 'Its process is paused (SIGSTOP). Restart it.'
  const source = (more: object) => [{ url: 'srt://:7016', stats: { active: true, error, ...more } }]
  const seen = (alive: boolean, more: object) =>
    viewOfStream(streamOf('a', { inputs: source({ since: 1, ...more }), stats: { alive } }), fresh)
  const down = { receiver_down: true }
  expect(seen(false, down)).toMatchObject({ word: 'Offline', cause: 'receiver down' })
  expect(seen(true, down)).toMatchObject({ word: 'Online', cause: 'receiver down' })
  expect([seen(false, {}).cause, seen(true, {}).cause]).toEqual(['no media', 'source lost'])
})

test('no media: since the last media; a clock that is ahead is ignored', () => {
  const nowMs = Date.parse('2026-01-02T14:00:00Z')
  const since = (lastMs: number) => {
    const stream = streamOf('a', { stats: { alive: false, last_dts_at: lastMs } })
    return viewOfStream(stream, { ...fresh, nowMs }).sinceMs
  }
  expect([since(nowMs - 42_000), since(nowMs + 60_000)]).toEqual([nowMs - 42_000, null])
})

test('CHAN-10 a channel that is online says that its picture is black or frozen, its sound silent, and since when', () => {
  const nowMs = Date.parse('2026-01-02T14:00:00Z')
  const found = (...kinds: string[]) => {
    const findings = kinds.map((kind, at) => ({ kind, since: nowMs - 22_000 + at }))
    return viewOfStream(streamOf('a', { stats: { alive: true, findings } as object }), fresh)
  }
  const bad = { family: 'warn', word: 'Online', sinceMs: nowMs - 22_000 }
  expect(found('black')).toMatchObject({ ...bad, cause: 'black picture' })
  expect(found('frozen', 'silent')).toMatchObject({
    ...bad,
    cause: 'frozen picture, silent audio',
  })
  expect(found()).toMatchObject({ family: 'ok', cause: '' })
})

test('CHAN-10 a lost source is shown at once, although its playlist lasts some seconds longer', () => {
  const stats = { active: true, error: 'No caller yet.', since: Date.parse('2026-01-02T14:00:00Z') }
  const stream = streamOf('a', { inputs: [{ url: 'srt://:7016', stats }] })
  const expected = { family: 'warn', word: 'Online', cause: 'source lost', sinceMs: stats.since }
  expect(viewOfStream(stream, fresh)).toMatchObject(expected)
  expect(noMediaText(stream, fresh.nowMs)).toBe('No caller yet.')
})

test('CHAN-25 a channel that is on its backup source says so, since the primary source is lost', () => {
  const sinceMs = Date.parse('2026-01-02T14:00:00Z')
  const backup = { url: 'rist://:7018', priority: 2, stats: { active: true } }
  const primary = { url: 'srt://:7016', priority: 1, stats: { error: 'Gone.', since: sinceMs } }
  const view = viewOfStream(streamOf('a', { inputs: [backup, primary] }), fresh)
  expect(view).toMatchObject({ family: 'warn', cause: 'on backup source', sinceMs })
  const chosen = { ...backup, stats: { active: true, selected: true } }
  expect(viewOfStream(streamOf('a', { inputs: [chosen, primary] }), fresh).family).toBe('ok')
})

test('CHAN-25 a channel without a backup that is ready says so', () => {
  const sinceMs = Date.parse('2026-01-02T14:00:00Z')
  const primary = { url: 'srt://:7016', priority: 1, stats: { active: true } }
  const backup = { url: 'rist://:7018', priority: 2, stats: { error: 'Gone.', since: sinceMs } }
  const ready = { url: 'rist://:7020', priority: 3, stats: { since: sinceMs } }
  const view = viewOfStream(streamOf('a', { inputs: [backup, primary] }), fresh)
  expect(view).toMatchObject({ family: 'warn', cause: 'backup not ready', sinceMs })
  const secured = streamOf('a', { inputs: [backup, primary, ready] })
  expect(viewOfStream(secured, fresh).family).toBe('ok')
})

test('no media: since the server lost it, also where none has come since it was switched on', () => {
  const nowMs = Date.parse('2026-01-02T14:00:00Z')
  const since = (stats: object) =>
    viewOfStream(streamOf('a', { stats: { alive: false, ...stats } }), { ...fresh, nowMs }).sinceMs
  const lost = { last_dts_at: nowMs - 60_000, since: nowMs - 40_000 }
  expect(since(lost)).toBe(nowMs - 40_000)
  expect(since({ since: nowMs - 9000 })).toBe(nowMs - 9000)
})

test('after updates have been missing for long, Online is shown as uncertain', () => {
  const freshness = { ...fresh, brokenSinceMs: 10_000 }
  expect(viewOfStream(streamOf('a'), freshness)).toMatchObject({ family: 'blind', word: 'Unknown' })
})

test('CHAN-13 CHAN-14 CHAN-17 the media in one line', () => {
  expect(mediaText(streamOf('a'))).toBe('h264 1920×1080 FHD, aac 256, 4,523 kbit/s')
  expect(videoText(outputTracks(streamOf('a')))).toBe('h264 1920×1080 FHD')
  expect(audioText(outputTracks(streamOf('a')))).toBe('aac 256')
})

test('CHAN-13 CHAN-14 a row shows the media of the input, not of the output', () => {
  const tracks = [
    { content: 'video', codec: 'h264', width: 720, height: 576 },
    { content: 'audio', codec: 'mp2a', bitrate: 128 },
  ]
  const input = { url: 'srt://:7016', stats: { active: true, media_info: { tracks } } }
  expect(mediaText(streamOf('a', { inputs: [input] }))).toBe(
    'h264 720×576 SD, mp2a 128, 4,523 kbit/s',
  )
  // Looked into, and nothing found yet: no other figure takes its place.
  const empty = { url: 'srt://:7016', stats: { active: true, media_info: { tracks: [] } } }
  expect(mediaText(streamOf('a', { inputs: [empty] }))).toBe('4,523 kbit/s')
})

test('CHAN-26 the sizes of the output in one line', () => {
  const sizes = [720, 360].map((height) => ({ content: 'video', width: height * 2, height }))
  const tracks = sizes.map((size) => ({ ...size, codec: 'h264' }))
  expect(videosText(tracks)).toBe('h264 1440×720 HD, 720×360 360p')
  expect(videosText([])).toBe('')
})

test('a value that the server does not report is an en dash, not 0', () => {
  expect(mediaText(streamOf('a', { stats: {} }))).toBe('–')
  expect(templateText(streamOf('a', { template: null, stats: {} }))).toBe('No template, Source')
})

test('a stream that is off has no bandwidth, instead of 0', () => {
  const stats = { inputs_bandwidth: 0 }
  expect(mediaText(streamOf('a', { disabled: true, stats }))).toBe('–')
  expect(mediaText(streamOf('a', { stats }))).toBe('0 kbit/s')
})

test('CHAN-16 transcoder, DVR, template and quality', () => {
  expect(settingsText(streamOf('a'))).toBe('Transcoder off, DVR on')
  expect(templateText(streamOf('a'))).toBe('abr-3, Source')
})

test.each([
  [{ status: 'running', bitrate: 4790, bytes: 1_240_000_000 }, '4,790 kbit/s, 1.2 GB sent'],
  [{ status: 'running', bitrate: 0, bytes: 0 }, '0 kbit/s, 0 kB sent'],
  [{ status: 'running', bitrate: 4790 }, '4,790 kbit/s'],
  [{ status: 'running', bytes: 999_600_000 }, '1.0 GB sent'],
  [{ status: 'running', bytes: 42_000_000 }, '42 MB sent'],
  [{ status: 'running' }, ''],
  [{ status: 'retry', bitrate: 0, bytes: 12 }, ''],
  [undefined, ''],
])('CHAN-27 a push %j says what it sends: %s', (stats, text) => {
  expect(sentText({ url: 'rtmp://a/b', stats })).toBe(text)
  expect(sentText({ url: 'rtmp://a/b', disabled: true, stats })).toBe('')
})
