import { expect, test } from 'vitest'
import { withFieldLabel } from './field-labels.ts'

test.each([
  // ERR-01: a word of English is the API's own sentence.
  ['title is too long.', 'title', 'title is too long.'],
  ['groupIds is required.', 'groupIds', 'Groups is required.'],
  ['config.port must be a port.', 'config.port', 'Port must be a port.'],
  ['times.days.0 must be a day.', 'times.days.0', 'Days must be a day.'],
  // A field of a newer API, and sentences that name none.
  ['maxKbps must be 1 to 5.', 'maxKbps', 'maxKbps must be 1 to 5.'],
  ['Port 5000 is taken.', 'port', 'Port 5000 is taken.'],
  ['titles differ.', 'title', 'titles differ.'],
  ['The body must be an object.', '', 'The body must be an object.'],
])('%s', (sentence, field, expected) => {
  expect(withFieldLabel(sentence, field)).toBe(expected)
})
