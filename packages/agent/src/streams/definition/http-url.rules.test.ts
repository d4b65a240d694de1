import { expect, test } from 'vitest'
import { isMasked, parseInputUrl, portsOf, publicUrl, UrlRefused } from './stream-url.rules.ts'

test.each([
  ['http://media.example/one/mpegts', 'http://media.example/one/mpegts'],
  ['https://192.0.2.10:8443/a.ts?x=1', 'https://192.0.2.10:8443/a.ts?x=1'],
  ['tshttp://media.example:80/one/mpegts', 'http://media.example:80/one/mpegts'],
  ['tshttps://media.example', 'https://media.example/'],
])('CHAN: a stream is fetched from %s', (asked, url) => {
  const source = parseInputUrl(asked)
  expect(source).toEqual({ kind: 'http', url, secrets: [] })
  expect(portsOf(source)).toEqual([])
  expect(publicUrl(asked)).toBe(asked)
})

test('CHAN: user, password and tokens are secrets', () => {
  const asked = 'https://ann:p-w_1@media.example/one.ts?from=now&token=t0ken&api_key=k-1&user=u'
  expect(parseInputUrl(asked)).toMatchObject({ secrets: ['ann:p-w_1', 'p-w_1', 't0ken', 'k-1'] })
  const shown = publicUrl(asked)
  expect(shown).toBe('https://***@media.example/one.ts?from=now&token=***&api_key=***&user=u')
  expect(isMasked(shown)).toBe(true)
  expect(publicUrl('tshttp://t0ken@media.example/a')).toBe('tshttp://***@media.example/a')
})

test.each([
  'http://',
  'http:///a.ts',
  'http://a_b/a.ts',
  'http://[::1]/a.ts',
  'http://media.example:70000/a.ts',
  'http://media.example:0/a.ts',
  'http://media.example/a b.ts',
  'http://media.example/a%20b.ts',
  "http://media.example/a'b.ts",
  'http://media.example/a"b.ts',
  'http://media.example/a|b.ts',
  'http://media.example/a\nb.ts',
  'http://media.example/$(id).ts',
  'http://media.example/a.ts#part',
  'http://media.example/a.ts?x=`id`',
  'http://ann:p w@media.example/a.ts',
  'http://ann:pw@two@media.example/a.ts',
  'http://***@media.example/a.ts',
  'http://media.example/a.ts?token=***',
  'HTTP://media.example/a.ts',
  'file:///etc/passwd',
  'ftp://media.example/a.ts',
  'concat:http://media.example/a.ts',
  'hls://media.example/a.m3u8',
  'rtmp://media.example/app/key',
])('CHAN: refused: %s', (url) => {
  expect(() => parseInputUrl(url)).toThrow(UrlRefused)
})

test('the sentence names the allowed forms, and the length', () => {
  expect(() => parseInputUrl('ftp://a')).toThrow(/srt:.*rist:.*udp:.*http\(s\):/)
  const long = `http://media.example/${'x'.repeat(600)}`
  expect(() => parseInputUrl(long)).toThrow(/characters/)
})
