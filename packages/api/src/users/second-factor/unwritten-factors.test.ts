import { expect, test } from 'vitest'
import type { StoredChallenge } from './challenge.store.ts'
import {
  countWrongCode,
  endChallenge,
  forgiveWrongCodes,
  keepChallenge,
  noteUse,
  takeChallenge,
  wrongCodesOf,
} from './unwritten-factors.ts'

const full = async () =>
  Promise.reject(Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }))
const LIMITS = { now: '2026-01-01T00:00:00.000Z', most: 2, purpose: 'signIn' } as const

function challengeOf(id: string): StoredChallenge {
  const expiresAt = '2026-01-01T00:05:00.000Z'
  return { id, userId: 'u', tokenVersion: 1, purpose: 'signIn', expiresAt }
}

test('F7 a use that could not be written counts once, for this process and after there is room', async () => {
  const uses = await Promise.all([
    noteUse('app', { use: 7, last: 6 }, full),
    noteUse('app', { use: 7, last: 6 }, full),
  ])
  expect(uses.toSorted()).toEqual([false, true])
  expect(await noteUse('app', { use: 7, last: 6 }, async () => true)).toBe(false)
  expect(await noteUse('app', { use: 8, last: 6 }, async () => true)).toBe(true)
})

test('F7 a use before the last that is stored does not count while nothing can be written', async () => {
  expect(await noteUse('passkey', { use: 6, last: 6 }, full)).toBe(false)
})

test('another fault than a full disk stays one', async () => {
  const away = async () => Promise.reject(new Error('away'))
  await expect(noteUse('other', { use: 7, last: 6 }, away)).rejects.toThrow('away')
})

test('F7 a challenge that could not be written has its tries, its purpose, its end, and one use', () => {
  const challenge = challengeOf('a')
  keepChallenge(challenge)
  expect(takeChallenge('unknown', LIMITS)).toBeUndefined()
  expect(takeChallenge('a', { ...LIMITS, purpose: 'setUp' })).toBeNull()
  expect(takeChallenge('a', { ...LIMITS, now: challenge.expiresAt })).toBeNull()
  expect(takeChallenge('a', LIMITS)).toEqual(challenge)
  expect(takeChallenge('a', LIMITS)).toEqual(challenge)
  expect(takeChallenge('a', LIMITS)).toBeNull()
  expect([endChallenge('a'), endChallenge('a')]).toEqual([true, false])
})

test('F7 a thousand challenges are kept; the oldest goes', () => {
  for (let at = 0; at <= 1000; at += 1) keepChallenge(challengeOf(`many ${at}`))
  expect([endChallenge('many 0'), endChallenge('many 1')]).toEqual([false, true])
})

test('F7 wrong codes that could not be written count until a right code', () => {
  countWrongCode('u')
  countWrongCode('u')
  expect(wrongCodesOf('u')).toBe(2)
  forgiveWrongCodes('u')
  expect(wrongCodesOf('u')).toBe(0)
})
