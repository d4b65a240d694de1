import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  configName,
  EncoderOutput,
  Feeder,
  formatTarget,
  parseTarget,
} from './encoder-config.schema.ts'

test('CFG-06 CONST-16 the name is the prefix and the card index', () => {
  expect(configName(2)).toBe('encoder2')
})

test('CFG-11 targets survive a round trip', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(
      fc.constantFrom('udp' as const, 'rtp' as const),
      fc.tuple(octet, octet, octet, octet),
      fc.integer({ min: 1024, max: 65535 }),
      octet,
      (type, ip, port, ttl) => {
        const target = { type, host: ip.join('.'), port, ttl }
        expect(parseTarget(formatTarget(target))).toEqual(target)
      },
    ),
  )
})

test('CFG-40 nothing else passes as a target', () => {
  for (const bad of [
    'udp://1.2.3.4:80?ttl=1',
    'udp://1.2.3.4:5000?ttl=256',
    'udp://1.2.3.4:5000?pkt_size=9',
    'udp://1.2.3.400:5000',
    'file:///etc/passwd',
    'udp://1.2.3.4:5000?ttl=1|rm',
    ' udp://1.2.3.4:5000',
    'udp://1.2.3.4:5000 ',
    'udp://1.2.3.4:5000\n',
    'UDP://1.2.3.4:5000',
    'udp://[::1]:5000',
    'udp://::1:5000',
    'udp://user:word@1.2.3.4:5000',
    'udp://1.2.3.4:0',
    'udp://1.2.3.4:05000',
    'udp://1.2.3.4:65536',
    'udp://1.2.3.4',
    'udp://1.2.3.04:5000',
    'udp://1.2.3:5000',
    'udp://1.2.3.4:5000?ttl=-0',
    'udp://1.2.3.4:5000?ttl=012',
    'udp://1.2.3.4:5000#x',
    'udp://1.2.3.4:\u0665\u0660\u0660\u0660',
    'udp://example.org:5000',
  ]) {
    expect(parseTarget(bad), bad).toBeNull()
  }
})

test('the protocol of a target is the chosen protocol', () => {
  const parsed = EncoderOutput.safeParse({ type: 'rtp', target: 'udp://1.2.3.4:5000?ttl=1' })
  expect(parsed.error?.issues[0]?.path).toEqual(['target'])
})

test('FEED-17 FEED-18 FEED-19 CONST-11 feeder defaults', () => {
  const feeder = Feeder.parse({
    name: 'a',
    serverId: 's',
    input: { title: 't', addr: '127.0.0.1:5000', port: 5000 },
    output: [{ addr: 'host:6000', port: '6000' }],
  })
  expect(feeder.input).toMatchObject({ type: 'udp', max_bw: 625_000 })
  expect(feeder.output[0]).toMatchObject({
    type: 'srt',
    latency: 3000,
    max_bw: 625_000,
    port: 6000,
  })
})
