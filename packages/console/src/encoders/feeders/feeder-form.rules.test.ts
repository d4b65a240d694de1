import { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { expect, test } from 'vitest'
import { configSample, encoderOf } from '../../test/samples.ts'
import { feederOf } from './feeder.fixture.ts'
import {
  bandwidthWarning,
  bodyOf,
  checkFeeder,
  feederValuesOf,
  latencyHint,
  nextInputPort,
  FEEDER_FIELDS,
  targetWarning,
} from './feeder-form.rules.ts'
import { formFieldOf } from '../../forms/field-faults.rules.ts'

const OFFER = { targetIp: '', targetPort: '' }
const WELL = feederValuesOf(feederOf('west'))
const KNOWN = { offer: OFFER, others: [], hasKey: false }

test.each<[string, number[], string[], string]>([
  ['the own UDP output that nobody reads', [], ['udp://127.0.0.1:5000?ttl=12'], '5000'],
  ['the next one of several', [5000], ['udp://127.0.0.1:5000', 'udp://127.0.0.1:5040'], '5040'],
  ['the highest and 2', [5000, 5010], ['udp://127.0.0.1:5000'], '5012'],
  ['an output elsewhere feeds nobody here', [], ['udp://192.0.2.1:7000'], '5000'],
  ['nor does one with RTP headers', [], ['rtp://127.0.0.1:7000'], '5000'],
  ['none is left', [65_534], ['rtp://127.0.0.1:7000'], ''],
])('the next input port: %s', (_, ports, targets, port) => {
  const output = targets.map((target) => ({
    type: target.startsWith('udp') ? ('udp' as const) : ('rtp' as const),
    target,
  }))
  const feeder = ports.map((port) => feederOf(`f${port}`, port))
  expect(nextInputPort({ ...configSample, feeder, output })).toBe(port)
})

test('a form that was read is valid, and is sent unchanged', () => {
  const west = feederOf('west')
  expect(checkFeeder(WELL, KNOWN)).toEqual({})
  const { feederPost } = saveFeeder.body.parse(bodyOf(encoderOf('a'), west, WELL, OFFER))
  expect(feederPost).toEqual(Feeder.parse(west))
})

test.each([
  ['title', { title: ' ' }, 'This is required!'],
  ['inputPort', { inputPort: '80' }, 'Input port must be a port between 1024 and 65535.'],
  ['targetIp', { targetIp: 'a b' }, 'Target IP must be a host name or an IPv4 address, without'],
  ['targetIp', { targetIp: '192.0.2.10:6000?x' }, 'Target IP must be a host name or an IPv4'],
  ['latency', { latency: '5' }, 'Latency must be 20 to 30000 ms.'],
  ['maxBandwidth', { maxBandwidth: '-1' }, 'Max bandwidth must be 0 (no cap)'],
  ['multicast', { multicast: '10.0.0.1' }, 'Input multicast must be a multicast address'],
  ['passphrase', { encryption: '128' }, 'This is required!'],
  ['passphrase', { encryption: '256', passphrase: 'short' }, 'Passphrase must be 10 to 79'],
  ['advanced', { advanced: [{ key: 'mss', value: '' }] }, 'This is required!'],
  ['advanced', { advanced: [{ key: 'mss', value: '9000' }] }, 'mss must be 76 to 1500 bytes.'],
] as const)('%s %o', (name, change, sentence) => {
  const faults = checkFeeder({ ...WELL, ...change }, KNOWN)
  expect(Object.keys(faults)).toEqual([name])
  expect(faults[name]).toContain(sentence)
})

test('a passphrase that is not used is not checked', () => {
  expect(checkFeeder({ ...WELL, encryption: 'no', passphrase: 'x' }, KNOWN)).toEqual({})
  expect(checkFeeder({ ...WELL, encryption: '128' }, { ...KNOWN, hasKey: true })).toEqual({})
})

test('Q103 what a cap and a latency mean', () => {
  expect(latencyHint('3000')).toBe('Safe up to RTT 750 ms')
  expect(latencyHint('')).toBe('20 to 30000 ms.')
  expect(bandwidthWarning('4950', 4_500_000)).toBe('')
  expect(bandwidthWarning('5000', 4_500_000), 'the defaults of both').toBe('')
  expect(bandwidthWarning('4949', 4_500_000)).toContain('below 4950 kbit/s')
  expect(bandwidthWarning('0', 4_500_000)).toBe('')
})

test('two feeders of an encoder that send to one address and port are warned of', () => {
  const other = feederOf('west')
  const { targetIp, targetPort } = feederValuesOf(other)
  const there = { targetIp: targetIp ?? '', targetPort: targetPort ?? '' }
  expect(targetWarning(there, [other])).toBe(
    `Feeder '${other.input.title}' sends to ${targetIp}:${targetPort} too, and an input takes one of them. Choose another target port.`,
  )
  expect(targetWarning({ ...there, targetPort: '6999' }, [other])).toBe('')
  expect(targetWarning({ targetIp: '', targetPort: '' }, [other])).toBe('')
})

test('the fields of the API are those of the form', () => {
  const placed = (field: string) => formFieldOf(FEEDER_FIELDS, field)
  expect(placed('feederPost.output.0.adv_params.0.value')).toBe('advanced')
  expect(placed('feederPost.output.0.addr')).toBe('targetIp')
  expect(placed('_id')).toBeNull()
})
