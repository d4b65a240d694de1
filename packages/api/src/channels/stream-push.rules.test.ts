import { expect, test } from 'vitest'
import { mergePushes } from './stream-push.rules.ts'

const CURRENT = [
  { url: 'srt://a:1?passphrase=first', disabled: false, retry_timeout: 5 },
  { url: 'srt://a:1?passphrase=second' },
  { url: 'udp://b:2', disabled: true },
]

test('CHAN-28 Q122 one switch is set, with the address in clear and every other setting kept', () => {
  const merged = mergePushes(CURRENT, [
    { url: 'srt://a:1?passphrase=***', disabled: true },
    { url: 'srt://a:1?passphrase=***', disabled: false },
    { url: 'udp://b:2', disabled: true },
  ])
  expect(merged).toEqual({
    pushes: [
      { url: 'srt://a:1?passphrase=first', disabled: true, retry_timeout: 5 },
      { url: 'srt://a:1?passphrase=second', disabled: false },
      { url: 'udp://b:2', disabled: true },
    ],
  })
})

test('Q130 pushes that are not named stay as they are', () => {
  expect(mergePushes(CURRENT, [{ url: 'udp://b:2', disabled: false }])).toEqual({
    pushes: [CURRENT[0], CURRENT[1], { url: 'udp://b:2', disabled: false }],
  })
  expect(mergePushes(CURRENT, [])).toEqual({ pushes: CURRENT })
})

test('a push that the stream does not have, or not so often, is named', () => {
  const on = (url: string) => ({ url, disabled: false })
  expect(mergePushes(CURRENT, [on('udp://b:2'), on('udp://c:3')])).toEqual({ unknownAt: 1 })
  expect(mergePushes(CURRENT, [on('udp://b:2'), on('udp://b:2')])).toEqual({ unknownAt: 1 })
  expect(mergePushes([], [on('udp://b:2')])).toEqual({ unknownAt: 0 })
})
