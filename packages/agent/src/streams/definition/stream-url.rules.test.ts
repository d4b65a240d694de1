import { expect, test } from 'vitest'
import {
  hostToLookUp,
  isMasked,
  parseInputUrl,
  parsePushUrl,
  portsOf,
  publicUrl,
  UrlRefused,
} from './stream-url.rules.ts'

const KEY = 'a-secret.of~the_link'

test('decisions 12: an SRT listener with a key', () => {
  const source = parseInputUrl(`srt://:6010?passphrase=${KEY}&pbkeylen=32&latency=300&tlpktdrop=1`)
  expect(source).toEqual({
    kind: 'link',
    leg: {
      protocol: 'srt',
      mode: 'listen',
      host: '',
      port: 6010,
      adapterIp: '',
      key: { passphrase: KEY, bits: 256 },
      latencyMs: 300,
      maxBandwidthBytes: 0,
      advanced: [{ key: 'tlpktdrop', value: '1' }],
    },
  })
  expect(portsOf(source)).toEqual([6010])
})

test('a RIST listener, and RIST Simple that takes the next port too', () => {
  const source = parseInputUrl('rist://@:6012?buffer=300')
  expect(source).toMatchObject({
    leg: { protocol: 'rist', mode: 'listen', host: '', port: 6012, profile: 'main', bufferMs: 300 },
  })
  expect(portsOf(parseInputUrl('rist://@192.0.2.1:6014?profile=simple'))).toEqual([6014, 6015])
})

test.each([
  ['srt://far.example:6000', 'call', 'far.example'],
  ['srt://far.example:6000?mode=caller', 'call', 'far.example'],
  ['srt://192.0.2.1:6000?mode=listener', 'listen', '192.0.2.1'],
  ['rist://far.example:6000', 'call', 'far.example'],
])('which end calls in %s', (url, mode, host) => {
  expect(parseInputUrl(url)).toMatchObject({ leg: { mode, host } })
})

test('SRV-08 a port below 1024 is called, and never listened on', () => {
  for (const url of ['srt://far.example:443', 'rist://far.example:443']) {
    expect(parseInputUrl(url)).toMatchObject({ leg: { mode: 'call', port: 443 } })
    expect(parsePushUrl(url)).toMatchObject({ leg: { mode: 'call', port: 443 } })
  }
  expect(parsePushUrl('udp://192.0.2.1:443')).toMatchObject({ port: 443 })
  for (const url of ['srt://:443', 'rist://@:443', 'udp://239.1.2.3:443']) {
    expect(() => parseInputUrl(url)).toThrow('between 1024 and 65535')
  }
  expect(() => parsePushUrl('srt://far.example:0')).toThrow('between 1 and 65535')
})

test('UDP: an address of ours takes its port, a group does not', () => {
  expect(parseInputUrl('udp://239.1.2.3:5000?adapter=192.0.2.10')).toEqual({
    kind: 'udp',
    host: '239.1.2.3',
    port: 5000,
    adapterIp: '192.0.2.10',
    ttl: 1,
  })
  expect(portsOf(parseInputUrl('udp://@239.1.2.3:5000'))).toEqual([])
  expect(portsOf(parseInputUrl('udp://127.0.0.1:5000'))).toEqual([5000])
})

test('pushes: links call, RTMP has its key last', () => {
  expect(parsePushUrl('rtmp://live.example:1935/app/room/the-key?x=1')).toEqual({
    kind: 'rtmp',
    url: 'rtmp://live.example:1935/app/room/the-key?x=1',
    secret: 'the-key?x=1',
  })
  expect(parsePushUrl('udp://239.1.2.3:5000?ttl=7')).toMatchObject({ host: '239.1.2.3', ttl: 7 })
  expect(() => parsePushUrl('rtmp://live.example/key')).toThrow(UrlRefused)
  expect(() => parsePushUrl('rtmp://live.example/app/a b')).toThrow('stream key')
})

test('only a RIST caller waits for its name', () => {
  expect(hostToLookUp(parseInputUrl('rist://far.example:6000'))).toBe('far.example')
  expect(hostToLookUp(parseInputUrl('rist://192.0.2.1:6000'))).toBe('')
  expect(hostToLookUp(parseInputUrl('srt://far.example:6000'))).toBe('')
  expect(hostToLookUp(parseInputUrl('rist://@:6000'))).toBe('')
})

test.each([
  'srt://:6010?passphrase=short',
  'srt://:6010?passphrase=',
  `srt://:6010?passphrase=${KEY}&pbkeylen=128`,
  'srt://:6010?latency=1',
  'srt://:6010?latency=300&LATENCY=400',
  'srt://:6010?mode=rendezvous',
  'srt://:6010?mode=caller',
  'srt://:6010?streamid=a b',
  'srt://:6010?x',
  'srt://:6010?=1',
  'srt://a_b:6010',
  'srt://:70000',
  'srt://:6010/path',
  'srt://user:pass@host:6010',
  'srt://[::1]:6010',
  'rist://@:6012?mode=listener',
  'rist://@:6012?secret=short',
  'rist://@:6012?ttl=1',
  'rist://@:6012?profile=advanced',
  'udp://host.example:5000',
  'udp://127.0.0.1:5000?timeout=1',
  'SRT://:6010',
  `srt://:6010?streamid=${'x'.repeat(600)}`,
  '',
])('refused: %s', (url) => {
  expect(() => parseInputUrl(url)).toThrow(UrlRefused)
})

test('addresses are shown without their secrets', () => {
  const shown = publicUrl(`srt://:1?passphrase=${KEY}&latency=1`)
  expect(shown).toBe('srt://:1?passphrase=***&latency=1')
  expect(isMasked(shown)).toBe(true)
  expect(publicUrl(`rist://@:2?SECRET=${KEY}`)).toBe('rist://@:2?SECRET=***')
  expect(publicUrl('rtmps://h.example/app/key')).toBe('rtmps://h.example/app/***')
  expect(publicUrl('udp://239.1.2.3:5000')).toBe('udp://239.1.2.3:5000')
  expect(() => parseInputUrl(shown)).toThrow(UrlRefused)
})
