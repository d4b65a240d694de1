import { expect, test } from 'vitest'
import { configSample } from '../../test/samples.ts'
import { fedBy, feederOf } from '../feeders/feeder.fixture.ts'
import {
  bodyOf,
  type CarryKnown,
  type CarryValues,
  checkCarry,
  newCarryValues,
  withFeeder,
} from './carry-form.rules.ts'
import { planOf } from './carry-plan.rules.ts'

const CONTEXT = { serverTitle: 'gw-west-02', isRunning: false }
const WEST = { ...feederOf('west'), input: { ...feederOf('west').input, port: 5000 } }

function knownOf(parts: Partial<CarryKnown> = {}, feeders = [] as (typeof WEST)[]): CarryKnown {
  const encoder = fedBy(feeders)
  return {
    encoder,
    config: { ...configSample, feeder: feeders },
    offer: { targetIp: '203.0.113.20', targetPort: '6024' },
    destination: null,
    receiver: '',
    ...parts,
  }
}

function valuesOf(known: CarryKnown, parts: Partial<CarryValues> = {}): CarryValues {
  return {
    ...newCarryValues(known.encoder, known.config),
    serverId: 'gw-west',
    source: 'manual',
    host: '192.0.2.10',
    outputPort: '7000',
    ...parts,
  }
}

test('the plan lists feeder, input and output as they will be created', () => {
  const known = knownOf()
  expect(planOf(valuesOf(known), known, CONTEXT)).toEqual({
    parts: [
      {
        part: 'Feeder',
        verb: 'will be created',
        route: 'Camera a (127.0.0.1) → gw-west-02, 203.0.113.20:6024',
        detail: 'SRT, AES-128, 3000 ms, reads udp 127.0.0.1:5000',
      },
      {
        part: 'Input',
        verb: 'will be created',
        route: 'gw-west-02 listens on port 6024',
        detail: 'SRT (aCANFeeder), AES-128, 3000 ms',
      },
      {
        part: 'Output',
        verb: 'will be created',
        route: 'the input → 192.0.2.10:7000',
        detail: 'SRT, no encryption, 3000 ms',
      },
    ],
    notes: ['Nothing is started. Start the input, the output and the feeder afterwards.'],
  })
})

test('a destination is named, and an output that listens names its port', () => {
  const destination = {
    title: 'Paris',
    ip: '203.0.113.80',
    encryption: { selection: 'yes', passphrase: '', type: 256 },
  } as const
  const known = knownOf({ destination })
  const chosen = { source: 'select', destinationId: 'd', outputEncryption: '256' } as const
  const far = planOf(valuesOf(known, chosen), known, CONTEXT)
  expect(far?.parts[2]).toMatchObject({
    route: 'the input → Paris, 203.0.113.80:7000',
    detail: 'SRT, AES-256, 3000 ms',
  })
  const listening = valuesOf(known, { mode: 'Listen', outputPort: null, outputType: 'RIST' })
  expect(planOf(listening, known, CONTEXT)?.parts[2]).toMatchObject({
    route: 'the input → gw-west-02 listens on port 6026',
    detail: 'RIST, no encryption, 3000 ms',
  })
})

test('an existing feeder is kept, replaced, or used as it is', () => {
  const known = knownOf({}, [WEST])
  const added = planOf(valuesOf(known), known, CONTEXT)
  expect(added?.notes[0]).toBe(
    "The encoder already has feeder 'to west' to 203.0.113.20:6022. It is not changed.",
  )
  const replacing = valuesOf(known, withFeeder('replace west', known))
  const replaced = planOf(replacing, known, CONTEXT)
  expect(replaced?.parts[0]).toMatchObject({
    verb: 'will be replaced',
    route: 'Camera a (127.0.0.1) → gw-west-02, 203.0.113.20:6024',
  })
  expect(replaced?.notes[0]).toMatch(
    /^Feeder 'to west' sends to 203.0.113.20:6022 until it is restarted/,
  )
  expect(bodyOf(replacing, known).feeder).toMatchObject({ use: 'replace', name: 'west' })
  const keeping = valuesOf(known, withFeeder('keep west', known))
  const kept = planOf(keeping, known, CONTEXT)
  expect(kept?.parts.map(({ verb }) => verb)).toEqual([
    'used as it is',
    'will be created',
    'will be created',
  ])
  expect(kept?.parts[1]?.route).toBe('gw-west-02 listens on port 6022')
  expect(bodyOf(keeping, known).feeder).toEqual({ use: 'keep', name: 'west' })
})

test('Q99 a running encoder that does not feed the port yet says that it must restart', () => {
  const known = knownOf()
  const values = valuesOf(known, { inputPort: '5040' })
  const running = { ...CONTEXT, isRunning: true }
  expect(planOf(values, known, running)?.notes[0]).toMatch(/does not send to port 5040 yet/)
  expect(planOf(valuesOf(known), known, running)?.notes).toHaveLength(1)
})

test('Q103 the bandwidth of both links follows the mux rate', () => {
  const plain = knownOf()
  const fast = { ...plain.config, muxer: { ...plain.config.muxer, 'ts-muxrate': 20_000_000 } }
  const known = { ...plain, config: fast }
  const { feeder, output } = bodyOf(valuesOf(known), known)
  expect(feeder).toMatchObject({ max_bw: 2_750_000 })
  expect(output.config.maxBandWidth).toBe(2_750_000)
  expect(bodyOf(valuesOf(plain), plain).feeder).toMatchObject({ max_bw: 625_000 })
})

test.each<[string, Partial<CarryValues>, Partial<CarryKnown>, string, RegExp]>([
  ['a name', { title: '' }, {}, 'title', /^This field is required$/],
  ['a server', { serverId: '' }, {}, 'serverId', /^This field is required$/],
  ['a port to listen at', { targetPort: '443' }, {}, 'targetPort', /^Input port must be a port/],
  ['an output port', { outputPort: '' }, {}, 'outputPort', /^This field is required$/],
  ['a destination', { source: 'select' }, {}, 'destinationId', /^This field is required$/],
  ['a host', { host: '' }, {}, 'host', /^This field is required$/],
  ['no multicast far end', { host: '239.1.1.1' }, {}, 'host', /^SRT calls a single far end/],
  ['a passphrase', { outputEncryption: '128' }, {}, 'passphrase', /^This field is required$/],
  [
    'a feeder that is still there',
    { feeder: 'keep gone' },
    {},
    'feeder',
    /^This feeder has been deleted/,
  ],
  [
    'a feeder that nobody receives',
    { feeder: 'keep west' },
    { receiver: 'Feed' },
    'feeder',
    /^Input 'Feed' already receives this feeder/,
  ],
])('the form asks for %s', (_, parts, more, field, sentence) => {
  const known = knownOf(more, [WEST])
  const faults = checkCarry(valuesOf(known, parts), known)
  expect(faults[field as keyof CarryValues]).toMatch(sentence)
  expect(checkCarry(valuesOf(known), known)).toEqual({})
})
