import { expect, test } from 'vitest'
import { streamOf } from '../../test/channel.samples.ts'
import { bringsText, currentText, noMediaText, readinessOf } from './sources.rules.ts'

const NOW = 1_800_000_000_000
const url = 'udp://239.10.4.16:5000'

test.each([
  ['data comes', { bitrate: 4790, last_dts_at: NOW - 2000 }, { kind: 'ready' }],
  ['tracks are known', { media_info: { tracks: [{ content: 'video' }] } }, { kind: 'ready' }],
  ['nothing is known of it', { active: false }, { kind: 'unknown' }],
  [
    'its last picture is old',
    { last_dts_at: NOW - 130_000 },
    { kind: 'not ready', why: 'No data for 2:10' },
  ],
  ['nothing comes', { bitrate: 0 }, { kind: 'not ready', why: 'No data' }],
  [
    'its server names a fault',
    { bitrate: 9, error: 'No caller yet' },
    { kind: 'not ready', why: 'No caller yet' },
  ],
])('CHAN-25 a standby source is ready or says why not: %s', (_what, stats, expected) => {
  const [input] = streamOf('a', { inputs: [{ url, stats }] }).inputs
  expect(input && readinessOf(input, NOW)).toEqual(expected)
})

test('CHAN-25 the media of a source, and for how long it has been current', () => {
  const tracks = [{ content: 'video', codec: 'h264', width: 1920, height: 1080 }]
  const stats = { bitrate: 4790, selected: true, opened_at: NOW - 62_000, media_info: { tracks } }
  const stream = streamOf('a', { inputs: [{ url, stats }, { url }] })
  const [measured, unmeasured] = stream.inputs
  expect(measured && bringsText(measured)).toBe('4,790 kbit/s, h264 1920×1080 FHD')
  expect(unmeasured && bringsText(unmeasured)).toBe('')
  expect(measured && currentText(stream, measured, NOW)).toBe(
    '4,790 kbit/s, active for 1:02, chosen by hand',
  )
  // Without a rate of its own, the stream's.
  expect(unmeasured && currentText(stream, unmeasured, NOW)).toBe('4,523 kbit/s')
})

test('CHAN-25 after a switch a source is active since the switch, not since its program started', () => {
  const stats = { bitrate: 4790, opened_at: NOW - 3_600_000, since: NOW - 900_000 }
  const text = (more: object) => {
    const stream = streamOf('a', { inputs: [{ url, stats: { ...stats, ...more } }] })
    const [input] = stream.inputs
    return input && currentText(stream, input, NOW)
  }
  expect(text({ active_since: NOW - 5000 })).toBe('4,790 kbit/s, active for 0:05')
  expect(text({})).toBe('4,790 kbit/s')
})

test('CHAN-25 a current source without media shows the cause in place of its figures', () => {
  const error = 'The far end does not answer.'
  const stats = { active: true, bitrate: 0, opened_at: NOW - 62_000, error }
  const [chosen] = streamOf('a', { inputs: [{ url, stats: { ...stats, selected: true } }] }).inputs
  const stream = streamOf('a', { inputs: [{ url, stats }] })
  const [input] = stream.inputs
  expect(input && currentText(stream, input, NOW)).toBe(error)
  expect(chosen && currentText(stream, chosen, NOW)).toBe(`${error} Chosen by hand.`)
})

test.each([
  ['Offline', { alive: false }, false, 'No caller yet.'],
  ['Online', { alive: true }, false, ''],
  ['Disabled', { alive: false }, true, ''],
])(
  'CHAN-12 the row of a stream that is %s: why nothing comes in',
  (_state, stats, disabled, why) => {
    const inputs = [{ url, stats: { active: true, error: 'No caller yet.' } }]
    expect(noMediaText(streamOf('a', { inputs, stats, disabled }), NOW)).toBe(why)
  },
)
