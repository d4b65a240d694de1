import { expect, test } from 'vitest'
import { mergePushes, unmetPush } from './stream-push.rules.ts'

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

test('a push that the stream does not have, or not that often, is named', () => {
  const on = (url: string) => ({ url, disabled: false })
  expect(mergePushes(CURRENT, [on('udp://b:2'), on('udp://c:3')])).toEqual({ unknownAt: 1 })
  expect(mergePushes(CURRENT, [on('udp://b:2'), on('udp://b:2')])).toEqual({ unknownAt: 1 })
  expect(mergePushes([], [on('udp://b:2')])).toEqual({ unknownAt: 0 })
})

test('CHAN-28 of an outdated list only the switched push counts', () => {
  const stale = [
    { url: 'srt://a:1?passphrase=***', disabled: true },
    { url: 'srt://a:1?passphrase=***', disabled: true },
    { url: 'udp://gone:3', disabled: false },
    { url: 'udp://b:2', disabled: false },
  ]
  expect(mergePushes(CURRENT, stale, 1)).toEqual({
    pushes: [CURRENT[0], { ...CURRENT[1], disabled: true }, CURRENT[2]],
  })
  expect(mergePushes(CURRENT, stale, 3)).toEqual({
    pushes: [CURRENT[0], CURRENT[1], { url: 'udp://b:2', disabled: false }],
  })
  expect(mergePushes(CURRENT, stale, 2)).toEqual({ unknownAt: 2 })
})

const off = (url: string) => ({ url, disabled: true })
const on = (url: string) => ({ url })

test.each([
  ['as asked', [off('udp://b:2'), on('udp://c:3')], null],
  ['in another order', [on('udp://c:3'), off('udp://b:2')], null],
  ['still on', [on('udp://b:2'), on('udp://c:3')], { url: 'udp://b:2', disabled: false }],
  ['off as well', [off('udp://b:2'), off('udp://c:3')], { url: 'udp://c:3', disabled: true }],
  ['taken away', [on('udp://c:3')], null],
])('what a server shows differently after a change: %s', (_which, after, found) => {
  const asked = [off('udp://b:2'), { url: 'udp://c:3', disabled: false }]
  expect(unmetPush(asked, after)).toEqual(found)
})

test('of identical pushes as many must be off as were requested', () => {
  const asked = [off('srt://a:1?passphrase=first'), on('srt://a:1?passphrase=second')]
  const shown = 'srt://a:1?passphrase=***'
  expect(unmetPush(asked, [on(shown), off(shown)])).toBeNull()
  expect(unmetPush(asked, [on(shown), on(shown)])).toEqual({ url: shown, disabled: false })
})
