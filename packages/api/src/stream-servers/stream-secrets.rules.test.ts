import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { expect, test } from 'vitest'
import { publicStream, publicText, publicUrl } from './stream-secrets.rules.ts'

test.each([
  ['srt://:6010?passphrase=abc.DEF-1&latency=300', 'srt://:6010?passphrase=***&latency=300'],
  ['srt://h:1?pbkeylen=32&passphrase=a,b;c d', 'srt://h:1?pbkeylen=32&passphrase=***'],
  ['srt://h:1?pass%70hrase=abc', 'srt://h:1?pass%70hrase=***'],
  ['srt://h:1?PassPhrase=abc', 'srt://h:1?PassPhrase=***'],
  ['srt://h:1?streamid=#!::r=live,pass=abc,m=publish', 'srt://h:1?streamid=#!::r=live,pass=***'],
  ['rist://@:6012?secret=abc&aes-type=256', 'rist://@:6012?secret=***&aes-type=256'],
  ['https://h/live/index.m3u8?auth_token=abc', 'https://h/live/index.m3u8?auth_token=***'],
  ['https://h/a.m3u8?Policy=x&Signature=abc', 'https://h/a.m3u8?Policy=x&Signature=***'],
  ['http://h/a?apikey=abc#key=d', 'http://h/a?apikey=***'],
  ['rtsp://user:p@ss/w@camera/1', 'rtsp://***@camera/1'],
  ['rtmp://live.example/app/abc', 'rtmp://live.example/app/***'],
  ['rtmps://live.example:443/app/inst/abc?x=1', 'rtmps://live.example:443/app/inst/***'],
  ['udp://239.1.1.1:5000 password=abc', 'udp://239.1.1.1:5000 password=***'],
  ['rtmp://live.example/app/abc playpath=x', 'rtmp://live.example/app/*** playpath=x'],
  ['rtmp://live.example//abc', 'rtmp://live.example/***'],
  ['https://h/a.m3u8?hdnts=exp=1~hmac=abc', 'https://h/a.m3u8?hdnts=***'],
  ['https://h/a?to=srt%3A%2F%2Fh%3Fpassphrase%3Dabc', 'https://h/a?to=srt***'],
  ['https://h/a?to=http%3A%2F%2Fu%3Aabc%40h&b=1', 'https://h/a?to=http***&b=1'],
  ['https://h/a?to=x%2526token%253Dabc', 'https://h/a?to=x***'],
  ['srt://h:1\u202e\n?passphrase=abc', 'srt://h:1 ?passphrase=***'],
])('Q17 no secret of an address is shown: %s', (url, shown) => {
  expect(publicUrl(url)).toBe(shown)
  expect(publicUrl(shown)).toBe(shown)
})

test.each([
  'udp://239.1.1.1:5000',
  'udp://@239.1.1.1:5000?ttl=4',
  'rist://@:6012?buffer=300',
  'srt://198.51.100.7:6010?latency=300&mode=caller&pbkeylen=16',
  'm4s://origin/live',
  'rtmp://live.example',
  '',
])('an address without secrets stays as it is: %s', (url) => {
  expect(publicUrl(url)).toBe(url)
})

test('inputs and pushes alike', () => {
  const stream = StreamDetail.parse({
    name: 'demo',
    inputs: [{ url: 'srt://:1?passphrase=abc', stats: { active: true } }],
    pushes: [{ url: 'rtmp://h/app/abc', disabled: true }],
  })
  expect(publicStream(stream)).toEqual({
    ...stream,
    inputs: [{ url: 'srt://:1?passphrase=***', stats: { active: true } }],
    pushes: [{ url: 'rtmp://h/app/***', disabled: true }],
  })
})

test.each([
  ['cannot reach rtmp://live.example/app/abc: refused', 'cannot reach rtmp://live.example/app/***'],
  ['pull http://u:abc@h/1 failed', 'pull http://***@h/1 failed'],
  ['bad {"password":"abc","a":1}', 'bad {"password":***'],
  ["wrong passphrase 'abc'", "wrong passphrase '***"],
  ['sent Authorization: Basic abc', 'sent Authorization:***'],
  ['sent Bearer abc to it', 'sent Bearer *** to it'],
  ['no key frame for 5 s', 'no key frame for 5 s'],
  ['connection to srt://h:6010 timed out', 'connection to srt://h:6010 timed out'],
])('Q17 no secret of a sentence is shown: %s', (text, shown) => {
  expect(publicText(text).startsWith(shown)).toBe(true)
  expect(publicText(text)).not.toContain('abc')
})

test('Q17 wherever a stream may quote an address, it is without its secrets', () => {
  const quoting = 'lost srt://u:CANARY@h:1?passphrase=CANARY and rtmp://h/app/CANARY'
  const media_info = {
    tracks: [{ content: quoting, codec: quoting, language: quoting, track_id: quoting }],
  }
  const stream = StreamDetail.parse({
    name: 'demo',
    title: quoting,
    template: quoting,
    inputs: [{ url: quoting, stats: { error: quoting, unplayable: quoting, media_info } }],
    pushes: [{ url: quoting, stats: { status: quoting, last_error: quoting } }],
    stats: { status: quoting, unplayable: quoting, media_info },
  })
  expect(JSON.stringify(publicStream(stream))).not.toContain('CANARY')
})

test('T12 texts are cut to one line, without direction marks', () => {
  const long = `\u202e\u0000${'x'.repeat(100_000)}`
  const track = { content: long, codec: long }
  const stream = StreamDetail.parse({
    name: 'demo',
    title: long,
    inputs: [{ url: long, stats: { error: long, unplayable: long } }],
    pushes: [{ url: long, stats: { last_error: long } }],
    stats: { status: long, unplayable: long, media_info: { tracks: [track] } },
  })
  const shown = JSON.stringify(publicStream(stream))
  expect(shown.length).toBeLessThan(3000)
  expect(shown).not.toMatch(/\u202e|\\u/)
})

/** Each was made for one of the searches to look again from every place: minutes, were it so. */
test.each([
  '://',
  'a',
  'rtmp://h/',
  'rtmp://h/a/b ',
  '/a',
  '%25',
  'key',
  '&',
  '@',
  'key ',
  '=',
  "'",
])('T17 a text of 4 MB of %j is read in one go', (part) => {
  const text = `rtmp://h/${part.repeat(Math.ceil(4_000_000 / part.length))} `
  expect(publicUrl(text).length).toBeLessThanOrEqual(500)
  expect(publicText(text).length).toBeLessThanOrEqual(300)
})

test('Q17 a password that is longer than the checked part is not shown', () => {
  expect(publicUrl(`rtsp://user:abc${'d'.repeat(5000)}@camera/1`)).toBe('rtsp://***@')
  const inAddress = `http://h/?a=http%3A%2F%2Fu%3Aabc${'d'.repeat(5000)}%40h`
  expect(publicUrl(inAddress)).toBe('http://h/?a=http***')
})
