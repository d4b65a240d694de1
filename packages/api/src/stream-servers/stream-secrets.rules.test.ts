import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { expect, test } from 'vitest'
import { publicStream, publicUrl } from './stream-secrets.rules.ts'

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
