import { expect, test } from 'vitest'
import type { Feeder } from '../encoders/encoder-config.schema.ts'
import {
  addressOfFeeder,
  findInputOfFeeder,
  findListener,
  inputOfFeeder,
  serverOfFeeder,
} from './feeder-input.rules.ts'
import { InputConfig } from './input.schema.ts'
import { addressesOf } from '../servers/server.schema.ts'

function feederTo(addr: string, target: Partial<Feeder['output'][number]> = {}): Feeder {
  const port = Number(addr.split(':')[1])
  return {
    name: 'f1',
    serverId: 'west',
    input: {
      title: 'to West',
      type: 'udp',
      addr: '127.0.0.1:5000',
      port: 5000,
      multicast: '',
      max_bw: 625_000,
    },
    output: [
      {
        type: 'srt',
        addr,
        port,
        latency: 800,
        adv_params: [],
        max_bw: 625_000,
        passphrase: '',
        passphraseSet: false,
        pbkeylen: 128,
        ...target,
      },
    ],
  }
}

function serverAt(_id: string, host: string, ...ips: string[]) {
  return {
    _id,
    host,
    adapterIps: ips.map((adapterIp) => ({ _id: '', adapterName: '', adapterIp })),
  }
}

test('Q102 the matching input listens at the port that the feeder calls, with its latency', () => {
  expect(inputOfFeeder(feederTo('192.0.2.10:6002'))).toEqual({
    title: 'to West',
    inputType: 'aCANFeeder',
    config: { mode: 'Listen', port: 6002, latency: 800 },
    encryption: { selection: 'no', type: 128, passphrase: '' },
  })
})

test('Q102 the matching input encrypts with the same size of key', () => {
  const { encryption } = inputOfFeeder(
    feederTo('192.0.2.10:6002', { passphraseSet: true, pbkeylen: 256 }),
  )
  expect(encryption).toEqual({ selection: 'yes', type: 256, passphrase: '' })
})

test.each<[string, string, string | null]>([
  ['an adapter', '192.0.2.10:6000', 'west'],
  ['the host name', 'EAST.example:6000', 'east'],
  ['an address of two servers is the one that the feeder names', '10.0.0.1:6000', 'west'],
  ['nobody', '198.51.100.9:6000', null],
])('Q102 the server of a feeder is found by its address: %s', (_name, addr, id) => {
  const servers = [
    serverAt('east', 'https://east.example', '10.0.0.1'),
    serverAt('west', 'west.example', '192.0.2.10', '10.0.0.1'),
  ]
  expect(serverOfFeeder(feederTo(addr), servers)?._id ?? null).toBe(id)
})

test('Q102 the address that a feeder calls is one of the addresses of its server', () => {
  const server = serverAt('east', 'HTTPS://East.example/', '10.0.0.1', '10.0.0.1')
  expect(addressesOf(server)).toEqual(['east.example', '10.0.0.1'])
  expect(addressOfFeeder(feederTo('EAST.example:6000'))).toBe('east.example')
  expect(addressOfFeeder({ output: [] })).toBe('')
})

test('Q102 an SRT or aCANFeeder input that listens on that port matches', () => {
  const config = (port: number, mode: 'Listen' | 'Push' = 'Listen') => {
    return { ...InputConfig.parse({ port, mode }), port: String(port) }
  }
  const inputs = [
    { id: 'rist', inputType: 'RIST' as const, config: config(6000) },
    { id: 'caller', inputType: 'SRT' as const, config: config(6000, 'Push') },
    { id: 'other', inputType: 'SRT' as const, config: config(6002) },
    { id: 'match', inputType: 'aCANFeeder' as const, config: config(6000) },
  ]
  expect(findInputOfFeeder(feederTo('192.0.2.10:6000'), inputs)?.id).toBe('match')
  expect(findInputOfFeeder(feederTo('192.0.2.10:6004'), inputs)).toBeNull()
  expect(findListener(inputs, 'RIST', 6000)?.id).toBe('rist')
})
