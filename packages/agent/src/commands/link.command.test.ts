import type { Leg, ProgramSpec, RistLeg, SrtLeg } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import { HOST } from './encoder-config.fixture.ts'
import { boundPorts, hostsToResolve, unitOf, withHosts } from './program.command.ts'
import { CommandRefused } from './refused.ts'

const KEY = { passphrase: 'a.secret_of~16-bytes', bits: 256 } as const
const BUS = { ip: '239.1.2.3', port: 7000, ttl: 4 }
const PLAIN = { ip: '127.0.0.1', port: 7002, ttl: 1 }

function srt(more: Partial<SrtLeg>): SrtLeg {
  return {
    protocol: 'srt',
    mode: 'call',
    host: 'far.example',
    port: 6000,
    adapterIp: '',
    key: null,
    latencyMs: 300,
    maxBandwidthBytes: 625_000,
    advanced: [],
    ...more,
  }
}

function rist(more: Partial<RistLeg>): RistLeg {
  return {
    protocol: 'rist',
    mode: 'call',
    host: '192.0.2.20',
    port: 6002,
    adapterIp: '',
    key: null,
    profile: 'main',
    bufferMs: 300,
    bandwidthKbps: 625_000,
    reorderBufferMs: null,
    rttMinMs: null,
    statIntervalMs: 2000,
    ...more,
  }
}

function line(kind: 'sender' | 'receiver', local: typeof BUS, outer: Leg): string {
  return unitOf({ kind, local, outer }, HOST).unit.argv.join(' ')
}

test('golden: SRT caller of a feeder', () => {
  const { unit, warnings } = unitOf(
    { kind: 'sender', local: PLAIN, outer: srt({ key: KEY, adapterIp: '192.0.2.10' }) },
    HOST,
  )
  expect(unit).toEqual({
    argv: [
      ...'srt-live-transmit -a no -s 200 -pf json -ll note'.split(' '),
      'udp://127.0.0.1:7002?rcvbuf=2000000',
      'srt://far.example:6000?mode=caller&latency=300&maxbw=625000&passphrase=a.secret_of~16-bytes&pbkeylen=32&adapter=192.0.2.10',
    ],
    repeat: 'after-clean-exit',
    output: 'srt',
    direction: 'send',
    secrets: [KEY.passphrase],
  })
  expect(warnings).toEqual([])
})

test('golden: SRT listener of an input, on any address and on one', () => {
  const listen = srt({ mode: 'listen', host: '' })
  expect(line('receiver', BUS, listen)).toBe(
    'srt-live-transmit -s 200 -pf json -ll note srt://:6000?mode=listener&latency=300&maxbw=625000 udp://239.1.2.3:7000?adapter=127.0.0.1&ttl=4',
  )
  expect(line('receiver', PLAIN, { ...listen, adapterIp: '192.0.2.10' })).toBe(
    'srt-live-transmit -s 200 -pf json -ll note srt://192.0.2.10:6000?mode=listener&latency=300&maxbw=625000 udp://127.0.0.1:7002',
  )
  expect(unitOf({ kind: 'receiver', local: BUS, outer: listen }, HOST).unit.repeat).toBe('never')
})

test('golden: SRT output that listens reads the local bus', () => {
  expect(line('sender', BUS, srt({ mode: 'listen', host: '', maxBandwidthBytes: 0 }))).toBe(
    'srt-live-transmit -s 200 -pf json -ll note udp://239.1.2.3:7000?adapter=127.0.0.1&rcvbuf=2000000 srt://:6000?mode=listener&latency=300',
  )
})

test('advanced parameters appear once each; a mode, a key or an ampersand is never passed on', () => {
  const advanced = [
    { key: 'latency' as const, value: '500' },
    { key: 'streamid' as const, value: '#!::r=live,m=publish' },
  ]
  expect(line('sender', PLAIN, srt({ advanced }))).toContain(
    '?mode=caller&latency=500&maxbw=625000&streamid=#!::r=live,m=publish',
  )
  const hostile = (key: string, value: string) => () =>
    line('sender', PLAIN, srt({ advanced: [{ key, value }] as SrtLeg['advanced'] }))
  for (const [key, value] of [
    ['mode', 'listener'],
    ['passphrase', 'x'],
    ['latency', '1&mode=listener'],
    ['streamid', 'a b'],
    ['streamid', ''],
  ] as const) {
    expect(hostile(key, value), `${key}=${value}`).toThrow(CommandRefused)
  }
})

test('golden: RIST sender calls, with every field', () => {
  const outer = rist({ key: { ...KEY, bits: 128 }, reorderBufferMs: 40, rttMinMs: 600 })
  const { unit } = unitOf({ kind: 'sender', local: BUS, outer }, HOST)
  expect(unit).toEqual({
    argv: [
      ...'ristsender -p 1 -v 6 -S 2000'.split(' '),
      '-i',
      'udp://239.1.2.3:7000?miface=lo',
      '-o',
      'rist://192.0.2.20:6002?buffer=300&bandwidth=625000&reorder-buffer=40&rtt-min=600&rtt-max=600&secret=a.secret_of~16-bytes&aes-type=128',
    ],
    repeat: 'never',
    output: 'rist',
    direction: 'send',
    secrets: [KEY.passphrase],
  })
})

test('golden: RIST receiver listens; Q170 the tool counts profiles one lower', () => {
  const listen = rist({ mode: 'listen', host: '', bandwidthKbps: 0 })
  expect(line('receiver', BUS, listen)).toBe(
    'ristreceiver -p 1 -v 6 -S 2000 -i rist://@:6002?buffer=300 -o udp://239.1.2.3:7000?miface=lo',
  )
  expect(line('receiver', PLAIN, { ...listen, profile: 'simple', adapterIp: '127.0.0.1' })).toBe(
    'ristreceiver -p 0 -v 6 -S 2000 -i rist://@127.0.0.1:6002?buffer=300 -o udp://127.0.0.1:7002',
  )
})

test('decisions 3: RIST takes the device name, for multicast only, and says so otherwise', () => {
  const group = rist({ host: '239.9.9.9', adapterIp: '192.0.2.10' })
  expect(line('sender', PLAIN, group)).toContain('miface=eth0')
  const outer = rist({ adapterIp: '192.0.2.10' })
  const { unit, warnings } = unitOf({ kind: 'sender', local: PLAIN, outer }, HOST)
  expect(unit.argv.join(' ')).not.toContain('eth0')
  expect(warnings).toEqual([expect.stringContaining('192.0.2.10 (eth0)')])
})

test('0.0.0.0 is any address, wherever it stands', () => {
  const any = { mode: 'listen', host: '0.0.0.0', adapterIp: '0.0.0.0' } as const
  expect(line('receiver', PLAIN, srt(any))).toContain('srt://:6000?mode=listener')
  expect(line('receiver', PLAIN, rist(any))).toContain('rist://@:6002?')
  expect(line('sender', PLAIN, srt({ adapterIp: '0.0.0.0' }))).not.toContain('adapter=')
})

test('Q169 M10 RIST Simple: even ports, no encryption', () => {
  const simple = rist({ profile: 'simple' })
  expect(() => line('sender', PLAIN, { ...simple, port: 6003 })).toThrow('even ports')
  expect(() => line('sender', PLAIN, { ...simple, key: KEY })).toThrow('no encryption')
})

test('an adapter that the host does not have and a caller without a host are refused', () => {
  expect(() => line('sender', PLAIN, srt({ adapterIp: '192.0.2.77' }))).toThrow('192.0.2.77')
  expect(() => line('sender', PLAIN, rist({ adapterIp: '192.0.2.77' }))).toThrow('eth0')
  expect(() => line('receiver', PLAIN, srt({ mode: 'listen', host: '192.0.2.77' }))).toThrow('eth0')
  expect(() => line('sender', PLAIN, srt({ host: '' }))).toThrow('Fill in Host')
  expect(() => line('sender', PLAIN, rist({ host: '' }))).toThrow('Fill in Host')
})

test('decisions 2: without a local bus both ends meet on loopback, one reader there', () => {
  const spec: ProgramSpec = { kind: 'sender', local: BUS, outer: srt({}) }
  const facts = { ...HOST, localBusWorks: false }
  expect(unitOf(spec, facts).unit.argv).toContain('udp://127.0.0.1:7000?rcvbuf=2000000')
  expect(boundPorts(spec, facts)).toEqual([7000])
  expect(boundPorts(spec, HOST)).toEqual([])
})

test('rule 9: the ports that a program takes for itself', () => {
  const listen = rist({ mode: 'listen', profile: 'simple' })
  expect(boundPorts({ kind: 'receiver', local: PLAIN, outer: listen }, HOST)).toEqual([6002, 6003])
  expect(boundPorts({ kind: 'receiver', local: PLAIN, outer: srt({}) }, HOST)).toEqual([])
  expect(boundPorts({ kind: 'sender', local: PLAIN, outer: srt({}) }, HOST)).toEqual([7002])
})

test('only a RIST caller waits for its names to be resolved', () => {
  const spec: ProgramSpec = { kind: 'sender', local: PLAIN, outer: rist({ host: 'far.example' }) }
  expect(hostsToResolve(spec)).toEqual(['far.example'])
  const known = withHosts(spec, new Map([['far.example', '192.0.2.5']]))
  expect(unitOf(known, HOST).unit.argv.join(' ')).toContain('rist://192.0.2.5:6002')
  expect(hostsToResolve(known)).toEqual([])
  expect(hostsToResolve({ ...spec, outer: srt({}) })).toEqual([])
})

const SECOND = { host: '198.51.100.7', port: 6004, adapterIp: '' }

test('golden: RIST over two paths carries the whole stream on each, under one key', () => {
  const outer = rist({ key: KEY, secondPath: SECOND })
  const { unit, warnings } = unitOf({ kind: 'sender', local: PLAIN, outer }, HOST)
  const common = 'buffer=300&bandwidth=625000&secret=a.secret_of~16-bytes&aes-type=256&weight=0'
  expect(unit.argv.slice(-1)).toEqual([
    `rist://192.0.2.20:6002?${common},rist://198.51.100.7:6004?${common}`,
  ])
  expect(warnings).toEqual([])
})

test('both paths of a RIST link wait for their names, one name is asked for once', () => {
  const outer = rist({ host: 'far.example', secondPath: { ...SECOND, host: 'far2.example' } })
  const spec: ProgramSpec = { kind: 'sender', local: PLAIN, outer }
  expect(hostsToResolve(spec)).toEqual(['far.example', 'far2.example'])
  const ips = new Map([
    ['far.example', '192.0.2.5'],
    ['far2.example', '192.0.2.6'],
  ])
  const line = unitOf(withHosts(spec, ips), HOST).unit.argv.join(' ')
  expect(line).toContain('rist://192.0.2.5:6002')
  expect(line).toContain('rist://192.0.2.6:6004')
  const same = rist({ host: 'far.example', secondPath: { ...SECOND, host: 'far.example' } })
  expect(hostsToResolve({ ...spec, outer: same })).toEqual(['far.example'])
})

test('a second path is refused where it cannot be: listening, receiving, an odd port in Simple', () => {
  const two = rist({ secondPath: SECOND })
  expect(() => line('sender', PLAIN, { ...two, mode: 'listen', host: '' })).toThrow(CommandRefused)
  expect(() => line('receiver', PLAIN, two)).toThrow('receiver takes every path')
  const odd = rist({ profile: 'simple', secondPath: { ...SECOND, port: 6005 } })
  expect(() => line('sender', PLAIN, odd)).toThrow('even ports only')
})

test('decisions 3: the adapter of a second path has no effect, with a warning; an unknown adapter is refused', () => {
  const asked = (adapterIp: string) => rist({ secondPath: { ...SECOND, adapterIp } })
  const { warnings } = unitOf({ kind: 'sender', local: PLAIN, outer: asked('192.0.2.10') }, HOST)
  expect(warnings).toEqual([expect.stringMatching(/198\.51\.100\.7 .*192\.0\.2\.10 \(eth0\)/)])
  expect(() => line('sender', PLAIN, asked('192.0.2.77'))).toThrow('192.0.2.77')
})

test('a link may be bound to any address of the loopback network, which the host lists by its first', () => {
  const listen = srt({ mode: 'listen', host: '', adapterIp: '127.0.1.3' })
  expect(line('receiver', PLAIN, listen)).toContain('srt://127.0.1.3:6000?mode=listener')
})
