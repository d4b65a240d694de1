import { expect, test } from 'vitest'
import { createSignInLimit } from './sign-in-limit.ts'

function limited(limit: number) {
  let nowMs = 1_000_000
  const waits: number[] = []
  const firsts: boolean[] = []
  const delays: number[] = []
  const known = new Set<string>()
  const inner = createSignInLimit(limit, () => nowMs)
  return {
    /** Of the refused tries, in ms. */
    waits,
    firsts,
    /** Of the tries that were let through, in ms. */
    delays,
    /** Addresses that every account signed in from lately. */
    known,
    wait: (durationMs: number) => (nowMs += durationMs),
    forgive: (email: string, ip: string) => inner.forgive(email, ip),
    /** How many of `count` tries were let through. */
    async tries(count: number, email: string, ip: string): Promise<number> {
      let passed = 0
      for (let at = 0; at < count; at++) {
        const isKnownAddress = async () => Promise.resolve(known.has(ip))
        const taken = await inner.take({ email, ip, isKnownAddress })
        if ('delayMs' in taken) {
          passed += 1
          delays.push(taken.delayMs)
        } else {
          waits.push(taken.waitMs)
          firsts.push(taken.isFirst)
        }
      }
      return passed
    },
  }
}

test('T6 a limit per account and address, with the time of the next try', async () => {
  const one = limited(3)
  expect(await one.tries(5, 'a@b.cc', '192.0.2.1')).toBe(3)
  expect(one.waits).toEqual([60_000, 60_000])
  one.wait(59_500)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(0)
  expect(one.waits.at(-1)).toBe(500)
  one.wait(500)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})

test('the first refusal of a window says so, the others do not', async () => {
  const one = limited(2)
  await one.tries(5, 'a@b.cc', '192.0.2.1')
  one.wait(60_000)
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
    one.wait(1000)
  }
  expect(tried).toBeLessThanOrEqual(100)
})

test('T6 10,000 addresses on one account in ten minutes: 100 are tried, then one in 12 seconds', async () => {
  const one = limited(10)
  let tried = 0
  for (let at = 0; at < 10_000; at++) {
    tried += await one.tries(1, 'a@b.cc', `10.${at >> 8}.${at & 255}.1`)
    one.wait(60)
  }
  expect(tried).toBeGreaterThan(100)
  expect(tried).toBeLessThanOrEqual(100 + 4 + 600 / 12)
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

test('T6 after wrong guesses a try from a new address waits for its turn instead of being refused', async () => {
  const one = limited(1)
  for (let at = 0; at < 10; at++) await one.tries(1, 'a@b.cc', `198.51.100.${at}`)
  for (let at = 0; at < 6; at++) await one.tries(1, 'a@b.cc', `203.0.113.${at}`)
  expect(one.delays.slice(10)).toEqual([1000, 3000, 7000, 15_000])
  expect(one.waits).toEqual([12_000, 12_000])
  one.wait(12_000)
  expect(await one.tries(1, 'a@b.cc', '203.0.113.99')).toBe(1)
  expect(one.delays.at(-1)).toBe(15_000)
  one.wait(600_000)
  expect(await one.tries(1, 'a@b.cc', '203.0.113.100')).toBe(1)
  expect(one.delays.at(-1)).toBe(0)
})

test('tries at once are counted one by one, also while an address is looked up', async () => {
  const one = limited(3)
  one.known.add('192.0.2.1')
  for (let at = 0; at < 30; at++) await one.tries(1, 'a@b.cc', `198.51.100.${at}`)
  const passed = await Promise.all(
    Array.from({ length: 20 }, async () => one.tries(1, 'a@b.cc', '192.0.2.1')),
  )
  expect(passed.filter((each) => each === 1)).toHaveLength(3)
})

test('people who know their password are held up by no limit of the account', async () => {
  const one = limited(3)
  for (let at = 0; at < 100; at++) {
    expect(await one.tries(1, 'a@b.cc', `198.51.100.${at}`)).toBe(1)
    one.forgive('a@b.cc', `198.51.100.${at}`)
  }
})

test('a right password forgives earlier slips', async () => {
  const one = limited(3)
  await one.tries(3, 'a@b.cc', '192.0.2.1')
  one.forgive('a@b.cc', '192.0.2.1')
  expect(await one.tries(3, 'a@b.cc', '192.0.2.1')).toBe(3)
})

test('a clock that was set back locks nobody out for longer than a minute', async () => {
  const one = limited(1)
  await one.tries(1, 'a@b.cc', '192.0.2.1')
  one.wait(-3_600_000)
  await one.tries(1, 'a@b.cc', '192.0.2.1')
  expect(one.waits).toEqual([60_000])
  one.wait(60_000)
  expect(await one.tries(1, 'a@b.cc', '192.0.2.1')).toBe(1)
})
