import { afterEach, expect, test } from 'vitest'
import { frenchReader } from './language/french.ts'
import { CommandSentence, readSentencesBy, Sentence } from './sentence.schema.ts'

const FAILED = 'The host 127.0.0.1:8000 did not answer within 5 s.'

afterEach(() => readSentencesBy(null))

test('the reason of a command is read behind the command, which stays a word of the record', () => {
  expect(CommandSentence.parse(`start: ${FAILED}`)).toBe(`start: ${FAILED}`)
  readSentencesBy(frenchReader())
  const french = Sentence.parse(FAILED)
  expect(french).not.toBe(FAILED)
  expect(CommandSentence.parse(`start: ${FAILED}`)).toBe(`start: ${french}`)
  expect(CommandSentence.parse(FAILED)).toBe(french)
  expect(
    ['start', 'start: ffmpeg ended with 1'].map((text) => CommandSentence.parse(text)),
  ).toEqual(['start', 'start: ffmpeg ended with 1'])
})
