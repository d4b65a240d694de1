/** Answers shaped from the public documentation of the streamer API v3, newer and older. */
import { expect, test } from 'vitest'
import { cursorOf, errorOf, inputPlacesOf, pushesOf, StreamPage, streamOf } from './media-answer.ts'

test('a page of a newer server: cursor, count and timing beside the streams', () => {
  const page = StreamPage.parse({
    streams: [{ name: 'a' }],
    estimated_count: 5,
    next: 'JTI0cG9zaXRpb25fZ3Q9MA==',
    prev: null,
    timing: { load: 1, filter: 2, sort: 3, limit: 4 },
  })
  expect(page.streams).toEqual([{ name: 'a' }])
  expect(cursorOf(page)).toBe('JTI0cG9zaXRpb25fZ3Q9MA==')
})

test.each([
  ['without a cursor', { streams: [] }, ''],
  ['with a null cursor', { streams: [], next: null }, ''],
  ['with an empty cursor', { streams: [], next: '' }, ''],
  ['with a number', { streams: [], next: 100 }, '100'],
  ['with a cursor of no use', { streams: [], next: { at: 1 } }, ''],
  ['with a count in text', { streams: [], estimated_count: '5' }, ''],
  ['without streams', { streams: null }, ''],
])('the last page of an older server: %s', (_which, body, cursor) => {
  const page = StreamPage.parse(body)
  expect([page.streams, cursorOf(page)]).toEqual([[], cursor])
})

test.each([null, {}, [], 'text', { stream: [] }, { streams: {} }, { streams: 'none' }])(
  'no page: %j',
  (body) => {
    expect(StreamPage.safeParse(body).success).toBe(false)
  },
)

test('a stream of a newer server is read whole, its addresses without their secrets', () => {
  const tracks = [
    { content: 'video', codec: 'h264', width: 1920, height: 1080, bitrate: 4000, track_id: 'v1' },
    { content: 'audio', codec: 'aac', bitrate: 128, channels: 2, sample_rate: 48_000 },
  ]
  const stats = {
    id: '61496e23-2ab2-4b1b-8c4d-28f3e0c2a0ee',
    alive: true,
    status: 'running',
    input_bitrate: 4523,
    inputs_bandwidth: 4_523_499,
    running_transcoder: false,
    dvr_enabled: true,
    opened_at: 1_763_712_000_123,
    media_info: { tracks, duration: 0 },
  }
  const stream = streamOf({
    name: 'part1/part2',
    static: true,
    named_by: 'config',
    position: 3,
    inputs: [{ url: 'srt://far.example:1234?passphrase=secret-word', priority: 1, stats: {} }],
    pushes: [{ url: 'udp://239.1.1.1:5000', stats: { status: 'running', bytes: 5, retries: 0 } }],
    stats,
  })
  expect(stream).toMatchObject({
    name: 'part1/part2',
    inputs: [{ url: 'srt://far.example:1234?passphrase=***', priority: 1, stats: {} }],
    pushes: [{ stats: { status: 'running', bytes: 5, retries: 0 } }],
    stats: { alive: true, inputs_bandwidth: 4_523_499, opened_at: 1_763_712_000_123 },
  })
  expect(stream?.stats.media_info?.tracks).toHaveLength(2)
})

test.each([
  ['nothing but a name', {}],
  ['nulls', { title: null, disabled: null, inputs: null, pushes: null, stats: null }],
  ['other forms', { title: 7, disabled: 'no', inputs: {}, pushes: 'none', stats: [] }],
])('a stream of an older server with %s', (_which, more) => {
  expect(streamOf({ name: 'old', ...more })).toMatchObject({
    name: 'old',
    inputs: [],
    pushes: [],
    stats: {},
  })
})

test('older servers: inputs without figures, seconds for milliseconds, no bandwidth, text tracks', () => {
  const stream = streamOf({
    name: 'old',
    inputs: [{ url: 'udp://239.1.1.1:5000' }, { url: 'udp://239.1.1.2:5000', stats: null }, null],
    stats: {
      alive: true,
      opened_at: 1_763_712_000,
      input_bitrate: 137,
      inputs_bandwidth: '4523499',
      media_info: { tracks: [{ content: 'text', codec: 'tx3g' }, { content: 'video' }] },
    },
  })
  expect(stream?.inputs.map(({ url, stats }) => [url, stats])).toEqual([
    ['udp://239.1.1.1:5000', undefined],
    ['udp://239.1.1.2:5000', undefined],
  ])
  expect(stream?.stats).toMatchObject({ opened_at: 1_763_712_000_000, input_bitrate: 137 })
  expect(stream?.stats.inputs_bandwidth).toBeUndefined()
  expect(stream?.stats.media_info?.tracks?.map((track) => track.content)).toEqual(['text', 'video'])
})

test.each([null, 7, [], {}, { name: 7 }, { name: '' }, { name: 'a b' }, { name: '../a' }])(
  'no stream of ours: %j',
  (value) => {
    expect(streamOf(value)).toBeNull()
  },
)

test('Q122 pushes are sent back unchanged, without figures; of an unreadable list, none', () => {
  const push = { url: 'srt://h:1?passphrase=clear', retry_timeout: 5, stats: { bytes: 1 } }
  expect(
    JSON.stringify(pushesOf({ name: 'a', pushes: [push, { url: 'u', disabled: null }] })),
  ).toBe('[{"url":"srt://h:1?passphrase=clear","retry_timeout":5},{"url":"u"}]')
  expect(pushesOf({ name: 'a' })).toEqual([])
  expect(pushesOf({ name: 'a', pushes: null })).toEqual([])
  // To send the others back would take this one off.
  expect(pushesOf({ name: 'a', pushes: [push, { address: 'x' }] })).toBeNull()
})

test('hidden inputs count for the index of the others', () => {
  const inputs = [{ url: 'a' }, { address: 'x' }, null, { url: 'srt://h:1?passphrase=clear' }]
  expect(inputPlacesOf({ inputs })).toEqual([
    { url: 'a', place: 0 },
    { url: 'srt://h:1?passphrase=***', place: 3 },
  ])
  for (const none of [null, {}, { inputs: null }, { inputs: 'x' }]) {
    expect(inputPlacesOf(none)).toEqual([])
  }
})

test.each([
  [
    'newer',
    { errors: [{ code: 'stream_not_found', status: '404', title: 'Stream not found' }] },
    'stream_not_found',
    'Stream not found',
  ],
  ['newer, without a title', { errors: [{ code: 'bad' }] }, 'bad', 'bad'],
  ['newer, a number for a code', { errors: [{ code: 404, title: 'No' }] }, '404', 'No'],
  ['newer, nulls', { errors: [{ code: null, title: null }] }, '', ''],
  ['older', { error: 'enoent' }, '', 'enoent'],
  [
    'with a secret',
    { error: 'bad srt://h:1?passphrase=clear' },
    '',
    'bad srt://h:1?passphrase=***',
  ],
  ['long', { error: 'x'.repeat(1000) }, '', 'x'.repeat(300)],
])('an error is read: %s', (_which, body, code, text) => {
  expect(errorOf(body)).toEqual({ code, text })
})

test.each([null, {}, { errors: [] }, { errors: {} }, { error: { a: 1 } }, 'error'])(
  'no error: %j',
  (body) => {
    expect(errorOf(body)).toBeNull()
  },
)
