import { expect, test } from 'vitest'
import { FEEDER_TARGET_PORT_STEP } from '../encoders/feeder.calls.ts'
import { ROLES } from '../roles.ts'
import { SERVER_TYPES } from '../servers/server.schema.ts'
import { ACTION_TYPE } from './contribution.calls.ts'
import { INPUT_TYPES, InputConfig } from './input.schema.ts'
import { Encryption } from './link.schema.ts'
import { OUTPUT_TYPES, OutputConfig } from './output.schema.ts'

/** Ours, beside those that are specified. */
const OUR_INPUT_KEYS = ['multicastPort']
const OUR_OUTPUT_KEYS = ['secondPath']

test('IN-FORM-03 the config of an input has these keys', () => {
  const specified = [
    'mode',
    'host',
    'port',
    'multicast',
    'adapterIp',
    'latency',
    'maxBandWidth',
    'bufferMin',
    'profile',
    'statInterval',
    'logLevel',
    'bandWidth',
    'ttl',
  ]
  const keys = Object.keys(InputConfig.shape)
  expect(keys.toSorted()).toEqual([...specified, ...OUR_INPUT_KEYS].toSorted())
})

test('OUT-FORM-03 the config of an output has these keys', () => {
  const specified = [
    'mode',
    'host',
    'port',
    'latency',
    'adapterIp',
    'maxBandWidth',
    'bandWidth',
    'bufferMin',
    'reorderBuffer',
    'profile',
    'compression',
    'rtl',
    'statInterval',
  ]
  const keys = Object.keys(OutputConfig.shape)
  expect(keys.toSorted()).toEqual([...specified, ...OUR_OUTPUT_KEYS].toSorted())
})

test('CONST-13 an input and an output of which only the port is given', () => {
  const both = {
    host: '',
    port: 6000,
    adapterIp: '',
    latency: 3000,
    maxBandWidth: 625_000,
    bandWidth: 625_000,
    profile: 2,
    statInterval: 1000,
  }
  const input = { ...both, mode: 'Listen', multicast: '', logLevel: 1, ttl: 1 }
  expect(InputConfig.parse({ port: 6000 })).toEqual(input)
  const output = { ...both, mode: 'Push', compression: 'Disabled' }
  expect(OutputConfig.parse({ port: 6000 })).toEqual(output)
})

test('a RIST tool reports every second by default: two reports tell within 3 s that nothing comes', () => {
  expect(InputConfig.parse({ port: 6000 }).statInterval).toBe(1000)
  expect(OutputConfig.parse({ port: 6000 }).statInterval).toBe(1000)
})

test('CONST-13 profiles are 2 and 1, log levels 1 to 3', () => {
  const numbers = [0, 1, 2, 3, 4]
  const takenAs = (key: string) =>
    numbers.filter((value) => InputConfig.safeParse({ port: 6000, [key]: value }).success)
  expect(takenAs('profile')).toEqual([1, 2])
  expect(takenAs('logLevel')).toEqual([1, 2, 3])
})

test('CONST-11 target ports of feeders are two apart', () => {
  expect(FEEDER_TARGET_PORT_STEP).toBe(2)
})

test('CONST-14 the type codes of actions', () => {
  expect(ACTION_TYPE).toEqual({ input: 1, output: 2, feeder: 10, tailLog: 12 })
})

test('CONST-15 types of inputs, outputs and servers, encryption, key sizes and roles', () => {
  expect(INPUT_TYPES).toEqual(['Local', 'aCANFeeder', 'SRT', 'RIST'])
  expect(OUTPUT_TYPES).toEqual(['SRT', 'RIST'])
  expect(SERVER_TYPES).toEqual(['acants', 'channel'])
  expect(ROLES).toEqual(['superadmin', 'admin', 'manager', 'editor', 'monitor'])
  const given = ['yes', 'no', 'maybe'].flatMap((selection) =>
    [64, 128, 192, 256].map((type) => ({ selection, passphrase: '', type })),
  )
  const taken = given.filter((given) => Encryption.safeParse(given).success)
  expect(taken.map(({ selection, type }) => `${selection} ${type}`)).toEqual([
    'yes 128',
    'yes 256',
    'no 128',
    'no 256',
  ])
})
