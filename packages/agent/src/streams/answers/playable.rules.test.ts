import { expect, test } from 'vitest'
import { unplayable } from './playable.rules.ts'

const SOUND = { content: 'audio', codec: 'aac' }

test.each([
  ['mp2v', 'The picture is MPEG-2, which browsers cannot play. Choose a template.'],
  ['hevc', 'The picture is HEVC, which many browsers cannot play. Choose a template.'],
  ['cavs', 'The picture is CAVS, which browsers cannot play. Choose a template.'],
])('CHAN-13 a picture that browsers do not play says so: %s', (codec, sentence) => {
  expect(unplayable([SOUND, { content: 'video', codec }])).toEqual({ unplayable: sentence })
})

test('CHAN-13 a playable picture, and audio alone, give no message', () => {
  expect(unplayable([{ content: 'video', codec: 'h264' }, SOUND])).toEqual({})
  expect(unplayable([SOUND])).toEqual({})
  expect(unplayable([])).toEqual({})
})
