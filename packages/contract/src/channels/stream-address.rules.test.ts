import { expect, test } from 'vitest'
import { streamAddressOf } from './stream-address.rules.ts'

test.each([
  ['srt://:6010?passphrase=***&latency=300', ['srt', 'listen', '', 6010]],
  ['srt://0.0.0.0:6010?mode=listener', ['srt', 'listen', '', 6010]],
  ['srt://10.0.0.7:6010?latency=300&mode=listener', ['srt', 'listen', '', 6010]],
  ['rist://@:6012?buffer=300', ['rist', 'listen', '', 6012]],
  ['srt://Far.example.org:7000', ['srt', 'call', 'far.example.org', 7000]],
  ['RIST://198.51.100.7:7002?buffer=1', ['rist', 'call', '198.51.100.7', 7002]],
] as const)('reads %s', (url, expected) => {
  const { protocol, mode, host, port } = streamAddressOf(url) ?? {}
  expect([protocol, mode, host, port]).toEqual(expected)
})

test.each(['udp://239.1.2.3:5000', 'https://media.example/one/index.m3u8', 'srt://far', ''])(
  '%j is no SRT or RIST link',
  (url) => expect(streamAddressOf(url)).toBeNull(),
)
