import { expect, test } from 'vitest'
import { serverOf } from '../test/place.samples.ts'
import {
  bodyOf,
  checkServer,
  type ServerValues,
  tryPair,
  valuesOf,
  withReported,
} from './server-form.rules.ts'

const EMPTY = valuesOf(null)
const PAIR = { adapterName: 'eth0', adapterIp: '192.0.2.10' }
const WELL: ServerValues = {
  ...EMPTY,
  title: 'gw-west-02',
  host: 'gw.example.org',
  port: '8080',
  serverType: 'acants',
  apiKey: 'a-key-of-twelve',
  groupIds: ['north'],
  adapterIps: [PAIR],
}

test('each required field says its own text, letter for letter', () => {
  expect(checkServer(EMPTY, null)).toEqual({
    title: 'Input title',
    host: 'Input host',
    port: 'Input port',
    serverType: 'Select type',
    groupIds: 'Select group',
    apiKey: 'Input api key',
    adapterIps: 'Please input adapter ips',
  })
  expect(checkServer(WELL, null)).toEqual({})
})

test.each<[string, Partial<ServerValues>, string, string]>([
  ['SRV-08 letters', { port: 'http' }, 'port', 'Input port'],
  ['SRV-08 a sign', { port: '-1' }, 'port', 'Input port'],
  ['SRV-08 nothing', { port: ' ' }, 'port', 'Input port'],
  ['SRV-08 too low', { port: '0' }, 'port', 'Port must be a port between 1 and 65535.'],
  [
    'Q118',
    { host: 'rtmp://x' },
    'host',
    'Host must be a host name, an IPv4 address, or http(s):// and one of these.',
  ],
  [
    'a key that no header can carry',
    { apiKey: 'ab cd' },
    'apiKey',
    'API key must be 8 to 256 characters from A-Z a-z 0-9 + / = . _ ~ and -.',
  ],
  [
    'a pair typed and not added',
    { adapterName: 'eth1' },
    'adapterIps',
    'This adapter is not in the list yet. Press Add, or clear both fields.',
  ],
  [
    'the first pair typed and not added',
    { adapterName: 'eth1', adapterIp: '192.0.2.11', adapterIps: [] },
    'adapterIps',
    'This adapter is not in the list yet. Press Add, or clear both fields.',
  ],
])('%s', (_name, change, field, sentence) => {
  expect(checkServer({ ...WELL, ...change }, null)).toEqual({ [field]: sentence })
})

test.each(['1', '80', '443', '65535'])('SRV-08 Q118 port %s of a media server is taken', (port) => {
  expect(checkServer({ ...WELL, port }, null)).toEqual({})
})

test('SRV-10 SRV-18 an empty key is valid when a server is edited, a wrong key is not', () => {
  expect(checkServer({ ...WELL, apiKey: '' }, serverOf('a'))).toEqual({})
  expect(Object.keys(checkServer({ ...WELL, apiKey: 'short' }, serverOf('a')))).toEqual(['apiKey'])
})

test('SRV-14 the body has the server’s fields alone, the port as a number', () => {
  expect(bodyOf({ ...WELL, port: ' 8080 ', adapterName: 'x', adapterIp: 'y' })).toEqual({
    title: 'gw-west-02',
    host: 'gw.example.org',
    port: 8080,
    serverType: 'acants',
    apiKey: 'a-key-of-twelve',
    description: '',
    location: '',
    groupIds: ['north'],
    adapterIps: [PAIR],
  })
})

test.each<[string, Partial<ServerValues>, ReturnType<typeof tryPair>]>([
  ['SRV-12 no name', { adapterIp: '192.0.2.11' }, { kind: 'half' }],
  ['SRV-12 no IP', { adapterName: 'eth1', adapterIp: ' ' }, { kind: 'half' }],
  [
    'no address',
    { adapterName: 'eth1', adapterIp: '192.0.2' },
    { kind: 'wrong', sentence: 'Adapter IP must be an IPv4 address such as 192.0.2.10.' },
  ],
  [
    'a name longer than a device has',
    { adapterName: 'a-name-of-sixteen', adapterIp: '192.0.2.11' },
    {
      kind: 'wrong',
      sentence: 'Adapter name must be at most 15 characters long. Shorten it.',
    },
  ],
  [
    'the same again',
    PAIR,
    { kind: 'wrong', sentence: 'eth0 with 192.0.2.10 is in the list already.' },
  ],
  [
    'both',
    { adapterName: ' eth1 ', adapterIp: '192.0.2.11' },
    {
      kind: 'added',
      change: {
        adapterIps: [PAIR, { adapterName: 'eth1', adapterIp: '192.0.2.11' }],
        adapterName: '',
        adapterIp: '',
      },
    },
  ],
])('a pair: %s', (_name, typed, outcome) => {
  expect(tryPair({ ...WELL, ...typed })).toEqual(outcome)
})

test('a stored server in the form: text for its port, and no key', () => {
  const stored = { port: '8080', apiKey: '', groupIds: ['north'] }
  expect(valuesOf(serverOf('a'))).toMatchObject(stored)
})

test('T11 a server that is enrolled has neither a key nor adapters, and is sent without', () => {
  const enrolled = { ...WELL, enrols: true, serverType: '', apiKey: '', adapterIps: [] } as const
  expect(checkServer(enrolled, null)).toEqual({})
  expect(bodyOf(enrolled)).toMatchObject({
    enrols: true,
    serverType: 'acants',
    apiKey: '',
    adapterIps: [],
  })
  expect(bodyOf(WELL)).not.toHaveProperty('enrols')
  expect(checkServer({ ...enrolled, host: '' }, null)).toEqual({ host: 'Input host' })
  const server = { ...serverOf('a'), adapterIps: [] }
  expect(checkServer(valuesOf(server), server)).toEqual({})
  expect(checkServer(valuesOf(server), serverOf('a'))).toEqual({
    adapterIps: 'Please input adapter ips',
  })
})

test('what the host reports is chosen already, but for the loopback', () => {
  const server = { ...serverOf('a'), adapterIps: [] }
  const eth = { adapterName: 'eth0', adapterIp: '192.0.2.10' }
  const lo = { adapterName: 'lo', adapterIp: '127.0.0.1' }
  expect(withReported(server, [lo, eth]).adapterIps).toEqual([eth])
})
