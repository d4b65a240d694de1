import { expect, test } from 'vitest'
import { StreamDetail } from './stream.schema.ts'

const BARE = { name: 'demo', inputs: [], pushes: [], stats: {} }

test('API-38 a name is enough for a stream', () => {
  expect(StreamDetail.parse({ name: 'demo' })).toEqual(BARE)
})

test.each([null, 'demo', [], {}, { name: null }, { name: 7 }, { title: 'demo' }])(
  'without a name it is not a stream: %j',
  (value) => {
    expect(StreamDetail.safeParse(value).success).toBe(false)
  },
)

test.each([null, 7, 'text', true, ['a'], { of: 'another kind' }])(
  'a field of another form counts as left out: %j',
  (other) => {
    const stream = StreamDetail.parse({
      name: 'demo',
      title: { of: 'another kind' },
      disabled: 'no',
      segment_duration: '2000',
      inputs: other === null || Array.isArray(other) ? other : [other],
      pushes: other,
      stats: other,
    })
    const { title, disabled, segment_duration, inputs, pushes, stats } = stream
    expect([title, disabled, segment_duration]).toEqual([undefined, undefined, undefined])
    expect([inputs, pushes, stats]).toEqual([[], [], {}])
  },
)

test('an invalid figure does not affect the others', () => {
  const { stats } = StreamDetail.parse({
    name: 'demo',
    stats: {
      alive: true,
      inputs_bandwidth: '4523499',
      input_bitrate: 137,
      running_transcoder: null,
      media_info: { tracks: [{ content: 'video', height: '720', width: 1280 }, { codec: 'aac' }] },
    },
  })
  expect(stats).toMatchObject({ alive: true, input_bitrate: 137 })
  expect(stats.inputs_bandwidth).toBeUndefined()
  // A track that does not say what it holds is none.
  expect(stats.media_info?.tracks).toEqual([{ content: 'video', width: 1280 }])
})

test('an input or a push without an address is left out, one without figures is not', () => {
  const stream = StreamDetail.parse({
    name: 'demo',
    inputs: [{ url: 'a' }, { priority: 1 }, null, { url: 'b', stats: null, priority: 'first' }],
    pushes: [{ url: 'c', disabled: null, stats: { status: 7, bytes: 5 } }, { disabled: true }],
  })
  expect(stream.inputs.map(({ url }) => url)).toEqual(['a', 'b'])
  expect(stream.inputs[1]?.priority).toBeUndefined()
  expect(stream.pushes).toEqual([{ url: 'c', stats: { bytes: 5 } }])
})

test.each([
  [1_763_712_000_123, 1_763_712_000_123],
  [1_763_712_000, 1_763_712_000_000],
  [0, 0],
  [-1, undefined],
  // A browser has no such date, and ends in an error.
  [1e308, undefined],
  ['1763712000', undefined],
])('times come in seconds or milliseconds: %j', (wire, timeMs) => {
  const { stats, inputs } = StreamDetail.parse({
    name: 'demo',
    inputs: [{ url: 'a', stats: { last_dts_at: wire } }],
    stats: { opened_at: wire },
  })
  expect([stats.opened_at, inputs[0]?.stats?.last_dts_at]).toEqual([timeMs, timeMs])
})

test('unknown fields are not passed on', () => {
  expect(StreamDetail.parse({ ...BARE, dvr: { root: '/storage' } })).toEqual(BARE)
})

test('T12 very long lists are cut', () => {
  const pushes = Array.from({ length: 1000 }, (_, at) => ({ url: `udp://239.1.1.1:${at}` }))
  const stream = StreamDetail.parse({ name: 'demo', inputs: pushes, pushes })
  expect([stream.inputs.length, stream.pushes.length]).toEqual([64, 64])
})
