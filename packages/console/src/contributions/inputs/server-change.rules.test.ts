import type { Input } from '@trunkline/contract/contributions/input.schema'
import { expect, test } from 'vitest'
import { inputOf } from '../../test/link.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import {
  feedersOf,
  consequencesOf,
  inputsToMove,
  NOTHING_YET,
  parts,
  progressOf,
  resultsOf,
  serverChoices,
  serversToStop,
  type Outcome,
} from './server-change.rules.ts'

const WEST = serverOf('gw-west', { title: 'gw-west-02' })
const EAST = serverOf('gw-east', { title: 'gw-east-01', host: '203.0.113.30' })
const feed = inputOf('a', { outputIds: ['x', 'y'] })

const feeding = [
  { serverId: 'gw-east', port: 6002, feeders: 7 },
  { serverId: 'gw-west', port: 6004, feeders: 8 },
  { serverId: 'gw-west', port: 6002, feeders: 1 },
]

test('CON-IN-38 the server that all inputs are on is not offered', () => {
  expect(serverChoices([WEST, EAST], [feed])).toEqual([EAST])
  const there = inputOf('b', { serverId: 'gw-east' })
  expect(serverChoices([WEST, EAST], [feed, there])).toEqual([WEST, EAST])
  expect(inputsToMove([feed, there], 'gw-east')).toEqual([feed])
})

test('CON-IN-38 the effects are listed first: outputs, callers, feeders', () => {
  expect(consequencesOf(feed, feeding, EAST)).toEqual([
    'It moves from gw-west-02 to gw-east-01, with its 2 outputs.',
    'Its callers must redial: 203.0.113.30, port 6002.',
    '1 feeder still sends to gw-west-02: change that in the encoder.',
  ])
  const eth1 = { _id: 'pair', adapterName: 'eth1', adapterIp: '198.51.100.30' }
  expect(consequencesOf(feed, [], { ...EAST, adapterIps: [eth1] }, 'pair')[1]).toBe(
    'Its callers must redial: 198.51.100.30, port 6002.',
  )
  expect(consequencesOf(feed, [], WEST)).toEqual(['It is already on that server and is not moved.'])
  const local = inputOf('l', { inputType: 'Local', outputIds: ['x'] })
  expect(consequencesOf(local, feeding, null)).toEqual([
    'It leaves gw-west-02, with its output.',
    'Its stream must be on the network of the new server.',
  ])
  const caller = inputOf('c', { config: { ...feed.config, mode: 'Push' } })
  expect(feedersOf(caller, feeding)).toBe(0)
  expect(consequencesOf(caller, feeding, EAST)).toHaveLength(1)
})

test('one result per input, with its sentence', () => {
  const other = inputOf('b')
  const outcome = {
    moved: ['input-a'],
    failed: [{ name: 'input-b', error: 'Port 6002 is taken.' }],
    notes: [{ name: 'input-a', note: 'Its callers must redial.' }],
  }
  expect(resultsOf([feed, other], outcome)).toEqual([
    { input: other, result: 'failed', sentences: ['Port 6002 is taken.'] },
    { input: feed, result: 'moved', sentences: ['Its callers must redial.'] },
  ])
  const words = (now: Input[], sofar: Outcome) =>
    progressOf([feed, other], now, sofar, EAST).map(({ result }) => result)
  expect(words([feed, other], NOTHING_YET)).toEqual(['moving', 'moving'])
  expect(words([feed, inputOf('b', { serverId: 'gw-east' })], NOTHING_YET)).toEqual([
    'moving',
    'moved',
  ])
  expect(words([feed, other], outcome)).toEqual(['moved', 'failed'])
})

test('what is being moved says what it waits for', () => {
  const inputs = Array.from({ length: 13 }, (_, at) => inputOf(`i${at}`))
  const waits = progressOf(inputs, inputs, NOTHING_YET, EAST).flatMap(({ sentences }) => sentences)
  expect(waits[11]).toBe('Starting on gw-east-01.')
  expect(waits[12]).toBe('Waiting for the inputs before it.')
  const there = inputs.map((input) => ({ ...input, serverId: 'gw-east' }))
  const stopping = (now: typeof inputs, sofar: Outcome) =>
    serversToStop(progressOf(inputs, now, sofar, EAST), sofar)
  expect(stopping(inputs, NOTHING_YET)).toEqual([])
  expect(stopping(there, NOTHING_YET)).toEqual(['gw-west-02'])
  expect(stopping(there, { ...NOTHING_YET, moved: inputs.map(({ name }) => name) })).toEqual([])
})

test('many inputs go in several calls, none twice', () => {
  const inputs = Array.from({ length: 25 }, (_, at) => inputOf(`i${at}`))
  expect(parts(inputs).map((part) => part.length)).toEqual([12, 12, 1])
  expect(parts(inputs).flat()).toEqual(inputs)
  expect(parts([])).toEqual([])
})
