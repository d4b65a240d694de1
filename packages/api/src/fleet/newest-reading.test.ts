import { expect, test } from 'vitest'
import { NewestReading } from './newest-reading.ts'

/** Reads what `world` is when it begins, and applies it when the test lets it. */
function open() {
  const site = { world: 'first', applied: '' }
  const begun: PromiseWithResolvers<void>[] = []
  const reading = new NewestReading(async () => {
    const found = site.world
    const gate = Promise.withResolvers<void>()
    begun.push(gate)
    await gate.promise
    site.applied = found
  })
  return { site, begun, reading }
}

test('a reading that is slow does not overwrite a newer one', async () => {
  const { site, begun, reading } = open()
  const older = reading.again('')
  await Promise.resolve()
  site.world = 'second'
  const newer = reading.again('')
  await Promise.resolve()
  // The newer one would be over by now, were it not to wait.
  begun[1]?.resolve()
  begun[0]?.resolve()
  await older
  expect(site.applied).toBe('first')
  begun[1]?.resolve()
  await newer
  expect(site.applied).toBe('second')
})

test('many requests during a read cause a single further read', async () => {
  const { site, begun, reading } = open()
  const all = [reading.again('')]
  await Promise.resolve()
  for (const world of ['second', 'third', 'fourth']) {
    site.world = world
    all.push(reading.again(''))
  }
  begun[0]?.resolve()
  await all[0]
  begun[1]?.resolve()
  await Promise.all(all)
  expect(site.applied).toBe('fourth')
  expect(begun).toHaveLength(2)
})

test('a read covers what was named meanwhile, or everything', async () => {
  const read: unknown[] = []
  const reading = new NewestReading(async (ids) => {
    read.push(ids)
    return Promise.resolve()
  })
  await Promise.all([reading.again('a'), reading.again('b'), reading.again('a')])
  await Promise.all([reading.again('a'), reading.again('')])
  expect(read).toEqual([['a', 'b'], 'all'])
})

test('a failed read rejects its callers, and the next read runs', async () => {
  let count = 0
  const reading = new NewestReading(async () => {
    count += 1
    if (count === 1) throw new Error('The database is away.')
    return Promise.resolve()
  })
  await expect(reading.again('')).rejects.toThrow('The database is away.')
  await reading.again('')
  expect(count).toBe(2)
})
