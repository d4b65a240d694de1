import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import {
  chosenAdapterIp,
  clashOnSameHost,
  isUnchanged,
  moveNotes,
  movedConfig,
} from './server-change.rules.ts'

const server = {
  title: 'B',
  adapters: [
    { _id: 'pair-1', adapterName: 'eth0', adapterIp: '10.0.0.1' },
    { _id: 'pair-2', adapterName: 'eth1', adapterIp: '10.0.0.2' },
  ],
}

test.each([
  ['', '', ''],
  ['', 'Any', ''],
  ['', '10.0.0.2', '10.0.0.2'],
  ['pair-2', '10.0.0.2', '10.0.0.2'],
  ['pair-1', '', '10.0.0.1'],
  [1, '10.0.0.2', '10.0.0.2'],
  ['0', '', '10.0.0.1'],
])('Q144 adapter %j with address %j is %j', (adapterId, localIp, ip) => {
  expect(chosenAdapterIp(server, { adapterId, localIp })).toBe(ip)
})

test.each([
  ['', '10.0.0.9', 'localIp'],
  ['pair-1', '10.0.0.2', 'localIp'],
  ['pair-9', '', 'adapterId'],
  [2, '', 'adapterId'],
  [-1, '', 'adapterId'],
])('Q144 adapter %j with address %j is refused at %s', (adapterId, localIp, field) => {
  let fault: unknown
  try {
    chosenAdapterIp(server, { adapterId, localIp })
  } catch (error) {
    fault = error
  }
  expect(fault instanceof AppError && [fault.code, fault.field]).toEqual(['invalid', field])
})

test('an own address of the old server gives way to the chosen one, a far end does not', () => {
  const config = (more: object) => InputConfig.parse({ port: 6000, ...more })
  const moved = (more: object) => movedConfig(config(more), server, '10.0.0.2').host
  expect(moved({ mode: 'Listen', host: '192.0.2.1' })).toBe('10.0.0.2')
  expect(moved({ mode: 'Listen', host: '10.0.0.1' })).toBe('10.0.0.1')
  expect(moved({ mode: 'Listen', host: '' })).toBe('')
  expect(moved({ mode: 'Push', host: '192.0.2.1' })).toBe('192.0.2.1')
})

test.each([
  ['', '10.0.0.2', true],
  ['10.0.0.1', '', true],
  ['10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
])('one machine: open on %j and on %j clash %s', (old, moved, isClash) => {
  const at = (adapterIp: string) => [{ title: 'Feed', port: 6000, adapterIp }]
  expect(clashOnSameHost(at(old), at(moved)) !== null).toBe(isClash)
})

const facts = {
  input: { inputType: 'SRT', config: InputConfig.parse({ port: 6000 }) },
  oldTitle: 'A',
  newTitle: 'B',
  newHost: 'b.example.org',
  wasRunning: true,
  feeders: 0,
  old: 'done',
} as const

test('CON-IN-38 the notes about a moved input', () => {
  expect(moveNotes({ ...facts, wasRunning: false })).toEqual([])
  expect(moveNotes({ ...facts, feeders: 2, old: 'away' })).toEqual([
    'Its callers must redial: it listens on b.example.org, port 6000.',
    '2 feeders still send to A, port 6000. Point them at B.',
    'A does not answer: the program there is stopped when it is back.',
  ])
  const local = { ...facts, input: { ...facts.input, inputType: 'Local' as const } }
  expect(moveNotes(local)).toEqual([
    'Its stream must be on the network of B: Trunkline does not carry it there.',
  ])
})

test('CON-IN-38 a program that is started or changed meanwhile has not been tried; a stopped one is moved', () => {
  const seen = (isRunning: boolean, outputRuns: boolean, version = 1) => ({
    input: { version, server: { _id: 'a' }, wantedRunning: isRunning },
    outputs: [{ id: 'o', version: 1, wantedRunning: outputRuns }],
  })
  expect(isUnchanged(seen(true, true), seen(true, true))).toBe(true)
  expect(isUnchanged(seen(true, true), seen(false, false))).toBe(true)
  expect(isUnchanged(seen(false, true), seen(true, true))).toBe(false)
  expect(isUnchanged(seen(true, false), seen(true, true))).toBe(false)
  expect(isUnchanged(seen(true, true), seen(true, true, 2))).toBe(false)
  expect(isUnchanged(seen(true, true), { ...seen(true, true), outputs: [] })).toBe(false)
})
