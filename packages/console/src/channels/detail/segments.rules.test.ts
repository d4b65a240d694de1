import { expect, test } from 'vitest'
import { streamOf } from '../../test/channel.samples.ts'
import { keyFramesText, rateText, segmentsText } from './segments.rules.ts'

const playlist = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }

test('CHAN-26 segments as the player reads them, else as configured', () => {
  const asked = streamOf('a', { segment_duration: 1000, segment_count: 6 })
  const played = { playlist, playlistAgeS: 2.1 }
  expect(segmentsText(played, asked)).toBe('6 listed, 2.0 s each, newest 2.1 s old')
  expect(segmentsText(null, asked)).toBe('6 listed, asked for 1 s each')
  expect(segmentsText({ playlist: null, playlistAgeS: null }, streamOf('a'))).toBe('–')
})

test('a note says that segments cannot be shorter than the key frame interval', () => {
  expect(keyFramesText(1000, 1.92)).toBe('Asked 1 s; key frames come every 1.9 s')
  expect(keyFramesText(2000, 1.92)).toBe('')
  expect(keyFramesText(1000, 1)).toBe('')
  expect(keyFramesText(undefined, 4)).toBe('')
})

test('the played bitrate says why it is below the input bitrate', () => {
  expect(rateText({ bitrateKbps: 1948 })).toBe('1,948 kbit/s without stuffing')
  expect(rateText({ bitrateKbps: null })).toBe('–')
  expect(rateText(null)).toBe('–')
})
