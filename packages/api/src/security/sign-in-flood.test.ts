/** T6: many networks guess one account's password without end; the owner signs in, and guesses stay few. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSignInLimit } from './sign-in-limit.ts'

const EMAIL = 'owner@example.org'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** The address of a try of the flood, by its number. */
const FLOODS = {
  '60 networks': (at: number) => `10.0.${at % 60}.${at % 250}`,
  'ever new networks': (at: number) => `10.${at >> 8}.${at & 255}.1`,
  'ever new IPv6 networks': (at: number) => `2001:db8:${at.toString(16)}::1`,
} as const
const KINDS = Object.keys(FLOODS) as (keyof typeof FLOODS)[]

function underFlood(kind: keyof typeof FLOODS) {
  const limit = createSignInLimit(10, () => Date.now())
  const isKnownAddress = async () => Promise.resolve(false)
  let sent = 0
  let guesses = 0
  const guess = () => {
    const ip = FLOODS[kind](sent)
    sent += 1
    void limit.take({ email: EMAIL, ip, isKnownAddress }).then((taken) => {
      if (!('waitMs' in taken)) guesses += 1
    })
  }
  return {
    guesses: () => guesses,
    /** Twice a second or more often. */
    async flood(durationMs: number, perTick = 1) {
      const untilMs = Date.now() + durationMs
      while (Date.now() < untilMs) {
        for (let at = 0; at < perTick; at++) guess()
        await vi.advanceTimersByTimeAsync(500)
      }
    },
    /** Answers a function that says after how long it was looked at: null when it was not. */
    ownerTries(ip: string): () => number | null {
      const beganMs = Date.now()
      let lookedAt: number | null = null
      void limit.take({ email: EMAIL, ip, isKnownAddress }).then((taken) => {
        if (!('waitMs' in taken)) lookedAt = Date.now() - beganMs
      })
      return () => lookedAt
    },
  }
}

/** Trying every ten seconds: after how long one is looked at. */
async function ownerWaits(site: ReturnType<typeof underFlood>, ipOf: (at: number) => string) {
  const beganMs = Date.now()
  const tries: (() => number | null)[] = []
  while (tries.every((lookedAt) => lookedAt() === null) && tries.length < 29) {
    tries.push(site.ownerTries(ipOf(tries.length)))
    await site.flood(10_000)
  }
  const isIn = tries.some((lookedAt) => lookedAt() !== null)
  return isIn ? Date.now() - beganMs : Infinity
}

test.each(KINDS)(
  'T6 the owner signs in from a new network within a minute while %s guess',
  async (kind) => {
    const site = underFlood(kind)
    await site.flood(500, 60)
    await site.flood(60_000)
    expect(await ownerWaits(site, (at) => `192.0.2.${at + 1}`)).toBeLessThanOrEqual(60_000)
  },
)

test('T6 an owner who tries from another network each time signs in within a minute while 60 networks guess', async () => {
  const site = underFlood('60 networks')
  await site.flood(500, 60)
  await site.flood(60_000)
  expect(await ownerWaits(site, (at) => `192.0.${at}.1`)).toBeLessThanOrEqual(60_000)
})

test('T6 an owner who mistyped the password is looked at again within two minutes while ever new networks guess', async () => {
  const site = underFlood('ever new networks')
  await site.flood(500, 60)
  await site.flood(60_000)
  const ipOf = () => '192.0.2.1'
  expect(await ownerWaits(site, ipOf)).toBeLessThanOrEqual(60_000)
  expect(await ownerWaits(site, ipOf)).toBeLessThanOrEqual(120_000)
})

test('T6 the owner signs in within a minute while 200 new networks a second guess', async () => {
  const site = underFlood('ever new networks')
  await site.flood(30_000, 100)
  const tries: (() => number | null)[] = []
  for (let at = 0; at < 6; at++) {
    tries.push(site.ownerTries('192.0.2.1'))
    await site.flood(10_000, 100)
  }
  expect(tries.some((lookedAt) => lookedAt() !== null)).toBe(true)
})

test.each(KINDS)('T6 in any ten minutes at most 100 guesses of %s are looked at', async (kind) => {
  const site = underFlood(kind)
  const afterMinutes = [0]
  for (let minute = 0; minute < 60; minute++) {
    await site.flood(60_000, 2)
    afterMinutes.push(site.guesses())
  }
  const inTenMinutes = afterMinutes.map(
    (count, minute) => (afterMinutes[minute + 10] ?? count) - count,
  )
  expect(Math.max(...inTenMinutes)).toBeLessThanOrEqual(100)
  // Sixty at once, then one in 15 seconds.
  expect(site.guesses()).toBe(60 + 3600 / 15)
})
