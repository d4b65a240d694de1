import { expect, test } from 'vitest'
import {
  channelState,
  downstreamKbps,
  inputTracks,
  qualityLabel,
  resolutionLabel,
  sourcesOf,
} from './channel.rules.ts'
import { takenPortsOf } from './stream-address.rules.ts'
import { StreamDetail } from './stream.schema.ts'

function stream(more: object): StreamDetail {
  return StreamDetail.parse({ name: 'demo', ...more })
}

test('STATE-06 disabled first, then alive, else Offline; a silent server is Offline', () => {
  expect(channelState(stream({ disabled: true, stats: { alive: true } }))).toBe('Disabled')
  expect(channelState(stream({ stats: { alive: true } }))).toBe('Online')
  expect(channelState(stream({ stats: { alive: false } }))).toBe('Offline')
  expect(channelState(stream({}))).toBe('Offline')
  expect(channelState(null)).toBe('Offline')
})

test('CHAN-17 4523499 bit/s shows 4523 kbit/s; older servers only say kbit/s', () => {
  expect(downstreamKbps(stream({ stats: { inputs_bandwidth: 4_523_499 } }))).toBe(4523)
  expect(downstreamKbps(stream({ stats: { input_bitrate: 137 } }))).toBe(137)
  expect(downstreamKbps(stream({}))).toBeNull()
})

test('ports of SRT sources that bring a picture are taken', () => {
  const inputs = [
    { url: 'srt://0.0.0.0:6010?mode=listener', stats: { since: 1 } },
    { url: 'srt://0.0.0.0:6011?mode=listener', stats: { since: 1, error: 'No caller yet.' } },
    { url: 'srt://far:6012', stats: { since: 1 } },
    { url: 'rist://@0.0.0.0:6020', stats: { since: 1 } },
    { url: 'srt://0.0.0.0:6013?mode=listener', stats: { active: true } },
  ]
  expect(takenPortsOf(stream({ inputs }))).toEqual([6010])
})

test('Q123 resolution labels', () => {
  expect([2160, 1080, 720, 576, 480, 360].map(resolutionLabel)).toEqual([
    '4K',
    'FHD',
    'HD',
    'SD',
    'SD',
    '360p',
  ])
})

test('Q123 quality is Source without a transcoder, else the highest rung', () => {
  const media_info = {
    tracks: [
      { content: 'video', height: 720 },
      { content: 'video', height: 1080 },
    ],
  }
  expect(qualityLabel(stream({ stats: { media_info } }))).toBe('Source')
  expect(qualityLabel(stream({ stats: { media_info, running_transcoder: true } }))).toBe('FHD')
})

test('CHAN-26 the facts of the input are its own, and unknown where only those of the transcoder are known', () => {
  const made = [{ content: 'audio', codec: 'aac', bitrate: 131 }]
  const came = [{ content: 'audio', codec: 'mp2a', bitrate: 128 }]
  const output = { media_info: { tracks: made } }
  const measured = { url: 'a', stats: { active: true, media_info: { tracks: came } } }
  const unmeasured = { url: 'a', stats: { active: true } }
  const transcoded = { ...output, running_transcoder: true }
  expect(inputTracks(stream({ inputs: [measured], stats: transcoded }))).toEqual(came)
  expect(inputTracks(stream({ inputs: [unmeasured], stats: output }))).toEqual(made)
  expect(inputTracks(stream({ inputs: [unmeasured], stats: transcoded }))).toBeNull()
})

test('CHAN-25 the active input is the current source, the rest stand by', () => {
  const inputs = [
    { url: 'a', stats: { active: false } },
    { url: 'b', stats: { active: true } },
  ]
  const { current, standby } = sourcesOf(stream({ inputs }))
  expect(current?.url).toBe('b')
  expect(standby.map((item) => item.url)).toEqual(['a'])
})
