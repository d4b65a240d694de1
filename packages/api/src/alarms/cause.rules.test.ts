import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { expect, test } from 'vitest'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { CauseIndex, firstCauseOf, type CauseHop } from './cause.rules.ts'

const encoder: ObjectKey = { kind: 'encoder', id: 'e' }
const feeder: ObjectKey = { kind: 'feeder', id: 'f' }
const input: ObjectKey = { kind: 'input', id: 'i' }
const output: ObjectKey = { kind: 'output', id: 'o' }
const server: ObjectKey = { kind: 'server', id: 's' }

const HOPS = new Map<string, readonly CauseHop[]>([
  [keyOf(output), [server, input, feeder, encoder]],
  [keyOf(input), [server, feeder, encoder]],
  [keyOf(feeder), [{ ...server, isReceiver: true }, { ...input, isReceiver: true }, encoder]],
])

type OpenAt = readonly [at: ObjectKey, rule: AlarmRule, sentence?: string]

function causeOf(object: ObjectKey, rule: AlarmRule, open: readonly OpenAt[]) {
  const alarms = new Map(
    open.map(([at, rule, sentence = '']) => [keyOf(at), { ...at, rule, sentence }]),
  )
  const { sentence = '' } = alarms.get(keyOf(object)) ?? {}
  const cause = firstCauseOf(
    { ...object, rule, sentence },
    (key) => HOPS.get(key) ?? [],
    (key) => alarms.get(key),
  )
  return cause === null ? null : keyOf(cause)
}

test('the first bad hop upstream is the cause, past hops without an alarm', () => {
  expect(causeOf(output, 'no-media', [[encoder, 'program-down']])).toBe(keyOf(encoder))
  const both: [ObjectKey, AlarmRule][] = [
    [input, 'no-media'],
    [encoder, 'program-down'],
  ]
  expect(causeOf(output, 'no-media', both)).toBe(keyOf(encoder))
})

test('is a cause of its own where nothing before it explains it', () => {
  expect(causeOf(output, 'program-down', [[encoder, 'program-down']])).toBeNull()
  expect(causeOf(output, 'no-media', [[encoder, 'losing-packets']])).toBeNull()
  expect(causeOf(encoder, 'program-down', [[output, 'no-media']])).toBeNull()
})

test('a silent host explains what runs on it, and what that feeds', () => {
  const open: [ObjectKey, AlarmRule][] = [
    [server, 'host-unreachable'],
    [input, 'host-unreachable'],
  ]
  expect(causeOf(input, 'host-unreachable', open)).toBe(keyOf(server))
  expect(causeOf(output, 'no-media', open)).toBe(keyOf(server))
})

test('both ends of a link lack their peer: the receiver is the cause where it alone knows that the keys differ', () => {
  const secrets = 'No peer has connected yet. The two ends have different secrets (RIST).'
  const unanswered = 'The far end does not answer. Its secret or profile differs.'
  const ends = (ofFeeder: string, ofInput: string): OpenAt[] => [
    [feeder, 'never-connected', ofFeeder],
    [input, 'no-peer', ofInput],
  ]
  const known = ends(unanswered, secrets)
  expect(causeOf(feeder, 'never-connected', known)).toBe(keyOf(input))
  expect(causeOf(input, 'no-peer', known)).toBeNull()
  for (const others of [ends(secrets, secrets), ends(unanswered, 'The peer is gone.')]) {
    expect(causeOf(input, 'no-peer', others)).toBe(keyOf(feeder))
    expect(causeOf(feeder, 'never-connected', others)).toBeNull()
  }
})

test('both ends of a link lose their peer: the sender is the cause', () => {
  const open: [ObjectKey, AlarmRule][] = [
    [feeder, 'no-peer'],
    [input, 'never-connected'],
  ]
  expect(causeOf(input, 'never-connected', open)).toBe(keyOf(feeder))
  expect(causeOf(feeder, 'no-peer', open)).toBeNull()
  // Another link of its own.
  expect(causeOf(output, 'no-peer', open)).toBeNull()
})

test.each<[ObjectKey, AlarmRule]>([
  [input, 'program-down'],
  [server, 'host-unreachable'],
])('a sender has no peer because its receiver is away: %o %s', (receiver, rule) => {
  expect(causeOf(feeder, 'no-peer', [[receiver, rule]])).toBe(keyOf(receiver))
  expect(causeOf(feeder, 'no-media', [[receiver, rule]])).toBeNull()
})

test('a receiver without media is no reason for a sender without a peer', () => {
  expect(causeOf(feeder, 'no-peer', [[input, 'no-media']])).toBeNull()
})

test('of two that feed each other one is the first cause', () => {
  const [a, b] = [
    { kind: 'input', id: 'a', rule: 'no-media', sentence: '' },
    { kind: 'input', id: 'b', rule: 'no-media', sentence: '' },
  ] as const
  const hopsOf = (key: string) => [key === keyOf(a) ? b : a]
  const alarmAt = (key: string) => (key === keyOf(a) ? a : b)
  expect(firstCauseOf(a, hopsOf, alarmAt)).toBeNull()
  expect(firstCauseOf(b, hopsOf, alarmAt)).toBe(a)
})

test('the index finds the objects that depend on an object until it is removed', () => {
  const index = new CauseIndex()
  index.put(keyOf(output), [input, encoder])
  index.put(keyOf(input), [encoder])
  expect(index.downstreamOf(keyOf(encoder))).toEqual([keyOf(output), keyOf(input)])
  index.put(keyOf(output), [])
  expect(index.downstreamOf(keyOf(encoder))).toEqual([keyOf(input)])
  index.remove(keyOf(input))
  expect(index.downstreamOf(keyOf(encoder))).toEqual([])
})
