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
  const one = limited(3)
  expect(await one.tries(5, 'a@b.cc', '192.0.2.1')).toBe(3)
  expect(one.waits).toEqual([60_000, 60_000])
  await one.wait(59_500)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(0)
  expect(one.waits.at(-1)).toBe(500)
  await one.wait(500)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})

test('the first refusal of a window says so, the others do not', async () => {
  const one = limited(2)
  await one.tries(5, 'a@b.cc', '192.0.2.1')
  await one.wait(60_000)
  await one.tries(4, 'a@b.cc', '192.0.2.1')
  expect(one.firsts).toEqual([true, false, false, true, false])
})

test('T6 the owner signs in from elsewhere meanwhile, and others from there', async () => {
  const one = limited(3)
  await one.tries(10, 'a@b.cc', '192.0.2.1')
  expect(await one.tries(1, 'a@b.cc', '192.0.2.2')).toBe(1)
  expect(await one.tries(1, 'c@d.ee', '192.0.2.1')).toBe(1)
})

test('T6 one password tried on many accounts meets the limit of the address', async () => {
  const one = limited(3)
  let passed = 0
  for (let at = 0; at < 100; at++) passed += await one.tries(1, `u${at}@b.cc`, '192.0.2.1')
  expect(passed).toBe(30)
})

test('T6 addresses of one IPv6 network are one', async () => {
  const one = limited(3)
  let passed = 0
  for (let at = 0; at < 100; at++) passed += await one.tries(1, 'a@b.cc', `2001:db8::${at}`)
  expect(passed).toBe(3)
})

test('T6 10,000 guesses in ten minutes: at most 100 are tried', async () => {
  const one = limited(10)
  let tried = 0
  for (let second = 0; second < 600; second++) {
    tried += await one.tries(17, 'a@b.cc', '192.0.2.1')
    await one.wait(1000)
  }
  expect(tried).toBeLessThanOrEqual(100)
})

test('T6 the owner of an account under attack signs in from an address of their own', async () => {
  const one = limited(3)
  one.known.add('192.0.2.1')
  for (let at = 0; at < 100; at++) await one.tries(1, 'a@b.cc', `198.51.100.${at}`)
  expect(await one.tries(1, 'a@b.cc', '198.51.100.200')).toBe(0)
  one.delays.splice(0)
  expect(await one.tries(5, 'a@b.cc', '192.0.2.1')).toBe(3)
  expect(one.delays).toEqual([0, 0, 0])
})

test('T6 after wrong guesses tries from new networks wait for their turn instead of being refused', async () => {
  const one = limited(1)
  for (let at = 0; at < 10; at++) await one.tries(1, 'a@b.cc', `198.51.${at}.1`)
  for (let at = 0; at < 6; at++) await one.tries(1, 'a@b.cc', `203.0.${at}.1`)
  expect(one.waits).toEqual([])
  await one.wait(16_000)
  expect(one.delays.slice(10)).toEqual([1000, 3000, 7000, 15_000])
  expect(one.waits, 'those that waited in vain').toEqual([5000, 5000])
  await one.tries(1, 'a@b.cc', '203.0.99.1')
  await one.wait(12_000)
  expect(one.delays.at(-1), '12 seconds after the last turn').toBe(11_000)
  await one.wait(600_000)
  expect(await one.tries(1, 'a@b.cc', '203.0.100.1')).toBe(1)
  expect(one.delays.at(-1)).toBe(0)
})

test('tries at once are counted one by one, also while an address is looked up', async () => {
  const one = limited(3)
  one.known.add('192.0.2.1')
  for (let at = 0; at < 30; at++) await one.tries(1, 'a@b.cc', `198.51.100.${at}`)
  one.delays.splice(0)
  await Promise.all(Array.from({ length: 20 }, async () => one.tries(1, 'a@b.cc', '192.0.2.1')))
  expect(one.delays).toEqual([0, 0, 0])
})

test('people who know their password are held up by no limit of the account', async () => {
  const one = limited(3)
  for (let at = 0; at < 100; at++) {
    expect(await one.tries(1, 'a@b.cc', `198.51.100.${at}`)).toBe(1)
    one.forgiveLast()
  }
})

test('a right password forgives earlier slips', async () => {
  const one = limited(3)
  await one.tries(3, 'a@b.cc', '192.0.2.1')
  one.forgiveLast()
  expect(await one.tries(3, 'a@b.cc', '192.0.2.1')).toBe(3)
})

test('a clock that was set back locks nobody out for longer than a minute', async () => {
  const one = limited(1)
  await one.tries(1, 'a@b.cc', '192.0.2.1')
  vi.setSystemTime(Date.now() - 3_600_000)
  await one.tries(1, 'a@b.cc', '192.0.2.1')
  expect(one.waits).toEqual([60_000])
  await one.wait(60_000)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})

test('T6 right passwords from an address of the account make no room for guesses from elsewhere', async () => {
  const one = limited(3)
  one.known.add('192.0.2.1')
  for (let at = 0; at < 30; at++) await one.tries(1, 'a@b.cc', `198.51.100.${at}`)
  for (let at = 0; at < 10; at++) {
    expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
    one.forgiveLast()
  }
  expect(await one.tries(1, 'a@b.cc', '203.0.113.1')).toBe(0)
})
