import { expect, test } from 'vitest'
import { andAlso, viewOfPush } from './push-view.rules.ts'

test.each([
  ['running', 'ok', 'Running'],
  ['establishing', 'move', 'Connecting'],
  ['retry', 'warn', 'Connecting'],
  ['stalling', 'warn', 'Running'],
  ['error', 'bad', 'Error'],
  ['finished', 'off', 'Stopped'],
  ['', 'blind', 'Unknown'],
])('CHAN-27 a push that is %j', (status, family, word) => {
  const view = viewOfPush({ url: 'rtmp://a/b', stats: { status } })
  expect(view).toMatchObject({ isOn: true, state: { family, word } })
})

test('CHAN-27 a push that is switched off shows Off in every previous state', () => {
  const view = viewOfPush({ url: 'rtmp://a/b', disabled: true, stats: { status: 'running' } })
  expect(view).toMatchObject({ isOn: false, state: { family: 'off', word: 'Disabled' } })
})

test.each([
  ['refused', 'tried 3 times', 'refused, tried 3 times'],
  ['It is away.', 'tried 3 times', 'It is away. Tried 3 times.'],
  ['', 'tried 3 times', 'tried 3 times'],
  ['It is away.', '', 'It is away.'],
])('the server’s text %j and our text %j are joined', (words, more, text) => {
  expect(andAlso(words, more)).toBe(text)
})
