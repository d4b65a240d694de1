import { expect, test } from 'vitest'
import { recordStream } from '@trunkline/agent/transport/transport.fixture'
import { foreignTexts } from './foreign-texts.ts'
import { tryParser } from './try-parser.ts'

const INPUTS = 1500

test('T12 T17 no damaged text or stream makes a parser fail', async () => {
  const stream = (await recordStream()).subarray(0, 188 * 140)
  const outcomes = foreignTexts(stream).map((parser) =>
    tryParser(parser, 1, (inputs) => inputs < INPUTS),
  )
  expect(outcomes.filter(({ crashes }) => crashes.length > 0)).toEqual([])
})

test('a parser that fails is noted with the text', () => {
  const failing = {
    name: 'failing',
    samples: [new TextEncoder().encode('{"a":1}')],
    isExpected: () => false,
    read: (bytes: Uint8Array) => void JSON.parse(new TextDecoder().decode(bytes)),
  }
  const { crashes } = tryParser(failing, 1, (inputs) => inputs < 20)
  expect(crashes[0]).toMatch(/^SyntaxError: /)
})
