import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSignInLimit, type Turn } from './sign-in-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

function limited(limit: number) {
  const waits: number[] = []
  const firsts: boolean[] = []
  const delays: number[] = []
  const known = new Set<string>()
  let last: Turn | null = null
  const inner = createSignInLimit(limit, () => Date.now())
  return {
    /** Of the refused tries, in ms. */
    waits,
    firsts,
    /** Of the tries that were let through: how long they waited, in ms. */
    delays,
    /** Addresses that every account signed in from lately. */
    known,
    /** The last one that was let through had the right password. */
    forgiveLast: () => last?.forgive(),
    wait: async (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs),
    /** How many of `count` tries were let through at once; others may wait. */
    async tries(count: number, email: string, ip: string): Promise<number> {
      let passed = 0
      const isKnownAddress = async () => Promise.resolve(known.has(ip))
      for (let at = 0; at < count; at++) {
        const beganMs = Date.now()
        void inner.take({ email, ip, isKnownAddress }).then((taken) => {
          if ('waitMs' in taken) {
            waits.push(taken.waitMs)
            firsts.push(taken.isFirst)
          } else {
            passed += 1
            last = taken
            delays.push(Date.now() - beganMs)
          }
        })
        await vi.advanceTimersByTimeAsync(0)
      }
      return passed
    },
  }
}

test('T6 a limit per account and address, with the time of the next try', async () => {
  const limit = limited(3)
  expect(await limit.tries(5, 'a@b.cc', '192.0.2.1')).toBe(3)
  expect(limit.waits).toEqual([60_000, 60_000])
  await limit.wait(59_500)
  expect(await limit.tries(1, 'a@b.cc', '192.0.2.1')).toBe(0)
  expect(limit.waits.at(-1)).toBe(500)
  await limit.wait(500)
  expect(await limit.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})

test('the first refusal of a window says so, the others do not', async () => {
  const limit = limited(2)
  await limit.tries(5, 'a@b.cc', '192.0.2.1')
  await limit.wait(60_000)
  await limit.tries(4, 'a@b.cc', '192.0.2.1')
  expect(limit.firsts).toEqual([true, false, false, true, false])
})

test('T6 the owner signs in from elsewhere meanwhile, and others from there', async () => {
  const limit = limited(3)
  await limit.tries(10, 'a@b.cc', '192.0.2.1')
  expect(await limit.tries(1, 'a@b.cc', '192.0.2.2')).toBe(1)
  expect(await limit.tries(1, 'c@d.ee', '192.0.2.1')).toBe(1)
})

test('T6 a password tried on many accounts is limited by the address', async () => {
  const limit = limited(3)
  let passed = 0
  for (let at = 0; at < 100; at++) passed += await limit.tries(1, `u${at}@b.cc`, '192.0.2.1')
  expect(passed).toBe(30)
})

test('T6 addresses of one IPv6 network share a limit', async () => {
  const limit = limited(3)
  let passed = 0
  for (let at = 0; at < 100; at++) passed += await limit.tries(1, 'a@b.cc', `2001:db8::${at}`)
  expect(passed).toBe(3)
})

test('T6 10,000 guesses in ten minutes: at most 100 are tried', async () => {
  const limit = limited(10)
  let tried = 0
  for (let second = 0; second < 600; second++) {
    tried += await limit.tries(17, 'a@b.cc', '192.0.2.1')
    await limit.wait(1000)
  }
  expect(tried).toBeLessThanOrEqual(100)
})

test('T6 the owner of an account under attack signs in from an address of their own', async () => {
  const limit = limited(3)
  limit.known.add('192.0.2.1')
  for (let at = 0; at < 100; at++) await limit.tries(1, 'a@b.cc', `198.51.100.${at}`)
  expect(await limit.tries(1, 'a@b.cc', '198.51.100.200')).toBe(0)
  limit.delays.splice(0)
  expect(await limit.tries(5, 'a@b.cc', '192.0.2.1')).toBe(3)
  expect(limit.delays).toEqual([0, 0, 0])
})

test('T6 after wrong guesses tries from new networks wait for their turn instead of being refused', async () => {
  const limit = limited(1)
  for (let at = 0; at < 6; at++) await limit.tries(1, 'a@b.cc', `198.51.${at}.1`)
  for (let at = 0; at < 3; at++) await limit.tries(1, 'a@b.cc', `203.0.${at}.1`)
  expect(limit.waits).toEqual([])
  await limit.wait(16_000)
  expect(limit.delays.slice(6)).toEqual([15_000])
  expect(limit.waits, 'those that waited in vain').toEqual([5000, 5000])
  await limit.tries(1, 'a@b.cc', '203.0.99.1')
  await limit.wait(14_000)
  expect(limit.delays.at(-1), '15 seconds after the last turn').toBe(14_000)
})

test('T6 after a flood tries are free again, an attempt for each 15 seconds without any', async () => {
  const limit = limited(1)
  for (let at = 0; at < 6; at++) await limit.tries(1, 'a@b.cc', `198.51.${at}.1`)
  await limit.wait(45_000)
  let passed = 0
  for (let at = 0; at < 6; at++) passed += await limit.tries(1, 'a@b.cc', `203.0.${at}.1`)
  expect(passed).toBe(3)
  await limit.wait(16_000)
  expect(limit.delays.slice(-2)).toEqual([0, 15_000])
})

test('T6 who comes when a turn is due does not go before those who wait', async () => {
  const limit = limited(1)
  for (let at = 0; at < 6; at++) await limit.tries(1, 'a@b.cc', `198.51.${at}.1`)
  await limit.tries(1, 'a@b.cc', '203.0.1.1')
  // Time has come, but this process was busy: the turn has not been given yet.
  vi.setSystemTime(Date.now() + 15_000)
  expect(await limit.tries(1, 'a@b.cc', '203.0.2.1')).toBe(0)
})

test('tries at once are counted one by one, also while an address is looked up', async () => {
  const limit = limited(3)
  limit.known.add('192.0.2.1')
  for (let at = 0; at < 30; at++) await limit.tries(1, 'a@b.cc', `198.51.100.${at}`)
  limit.delays.splice(0)
  await Promise.all(Array.from({ length: 20 }, async () => limit.tries(1, 'a@b.cc', '192.0.2.1')))
  expect(limit.delays).toEqual([0, 0, 0])
})

test('users who know their password are not delayed by the limit of the account', async () => {
  const limit = limited(3)
  for (let at = 0; at < 100; at++) {
    expect(await limit.tries(1, 'a@b.cc', `198.51.100.${at}`)).toBe(1)
    limit.forgiveLast()
  }
})

test('a right password forgives earlier slips', async () => {
  const limit = limited(3)
  await limit.tries(3, 'a@b.cc', '192.0.2.1')
  limit.forgiveLast()
  expect(await limit.tries(3, 'a@b.cc', '192.0.2.1')).toBe(3)
})

test('a clock that was set back locks nobody out for longer than a minute', async () => {
  const limit = limited(1)
  await limit.tries(1, 'a@b.cc', '192.0.2.1')
  vi.setSystemTime(Date.now() - 3_600_000)
  await limit.tries(1, 'a@b.cc', '192.0.2.1')
  expect(limit.waits).toEqual([60_000])
  await limit.wait(60_000)
  expect(await limit.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})

test('T6 right passwords from a known address do not allow guesses from elsewhere', async () => {
  const limit = limited(3)
  limit.known.add('192.0.2.1')
  for (let at = 0; at < 30; at++) await limit.tries(1, 'a@b.cc', `198.51.100.${at}`)
  for (let at = 0; at < 10; at++) {
    expect(await limit.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
    limit.forgiveLast()
  }
  expect(await limit.tries(1, 'a@b.cc', '203.0.113.1')).toBe(0)
})
