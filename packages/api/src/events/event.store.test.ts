import { EVENT_KINDS } from '@trunkline/contract/events/event.schema'
import { expect, test } from 'vitest'
import type { ObjectKey } from '../fleet/object-key.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { plansOf } from '../db/query-plans.fixture.ts'
import type { Pending } from './event-recorder.ts'
import type { Known } from './event.rules.ts'
import * as eventStore from './event.store.ts'

const INPUT = { kind: 'input', id: 'a' } as const
const T = Date.parse('2026-11-25T10:00:00Z')
const ANY = { kinds: EVENT_KINDS, from: '', to: '', until: '', limit: 100 }

function pending(
  kind: 'up' | 'down',
  atMs: number,
  object: ObjectKey = INPUT,
  cause = '',
): Pending {
  const event = { kind, atMs: T + atMs, sinceMs: null, state: kind, cause }
  return { object, facet: 'run', value: kind, atMs: T + atMs, event }
}

describeOnBothDatabases('events', (open, _openNew, kind) => {
  test('events come back as they were written, newest first, each with its object', async () => {
    const db = await open()
    const other = { kind: 'output', id: 'a' } as const
    await eventStore.write(db, [
      pending('up', 0),
      pending('down', 5, INPUT, 'Why.'),
      pending('up', 9, other),
    ])
    expect(await eventStore.list(db, INPUT, ANY)).toEqual([
      { kind: 'down', atMs: T + 5, sinceMs: null, state: 'down', cause: 'Why.' },
      { kind: 'up', atMs: T, sinceMs: null, state: 'up', cause: '' },
    ])
    expect(await eventStore.list(db, other, ANY)).toHaveLength(1)
    const only = { ...ANY, kinds: ['up'] as const, until: new Date(T).toISOString() }
    expect(await eventStore.list(db, INPUT, only)).toHaveLength(1)
  })

  test('two processes that saw the same write it once, whatever their clocks say', async () => {
    const db = await open()
    await eventStore.write(db, [pending('up', 0), pending('down', 50), pending('up', 90)])
    await eventStore.write(db, [pending('up', 3), pending('down', 52), pending('up', 91)])
    await Promise.all([
      eventStore.write(db, [pending('down', 200)]),
      eventStore.write(db, [pending('down', 202)]),
    ])
    const found = await eventStore.list(db, INPUT, ANY)
    expect(found.map(({ kind }) => kind)).toEqual(['down', 'up', 'down', 'up'])
  })

  test('the last known values are read in parts, and go with their object', async () => {
    const db = await open()
    const ids = Array.from({ length: 1100 }, (_, at) => `i${at}`)
    await eventStore.write(
      db,
      ids.map((id) => pending('up', 1, { kind: 'input', id })),
    )
    const known = new Map<string, Known>()
    const read = async () => {
      known.clear()
      for await (const some of eventStore.readKnown(db)) {
        for (const { object, known: value } of some) known.set(object.id, value)
      }
      return known.size
    }
    expect(await read()).toBe(1100)
    expect(known.get('i7')).toEqual({ value: 'up', atMs: T + 1 })
    await eventStore.forget(db, { kind: 'input', id: 'i7' })
    expect([await read(), known.has('i7')]).toEqual([1099, false])
    expect(await eventStore.list(db, { kind: 'input', id: 'i7' }, ANY)).toHaveLength(1)
    const feeder = { kind: 'feeder', id: 'f' } as const
    await eventStore.write(db, [pending('up', 1, feeder)])
    await eventStore.forget(db, feeder)
    expect(await eventStore.list(db, feeder, ANY)).toEqual([])
  })

  test('old events are removed a batch at a time', async () => {
    const db = await open()
    const kinds = ['up', 'down', 'up', 'down', 'up'] as const
    await eventStore.write(
      db,
      kinds.map((kind, at) => pending(kind, at * 10)),
    )
    const before = new Date(T + 40).toISOString()
    for (const removed of [3, 1, 0]) {
      expect(await eventStore.removeBefore(db, before, 3)).toBe(removed)
    }
    expect(await eventStore.list(db, INPUT, ANY)).toHaveLength(1)
  })

  // PostgreSQL reads a table of few rows as fast without any index.
  test.each(kind === 'SQLite' ? [kind] : [])(
    'a page, a day and what is too old are found in an index, on %s',
    async () => {
      const db = await open()
      const plans = await plansOf(db, async (watched) => {
        await eventStore.list(watched, INPUT, { ...ANY, until: '2026-11-25T10:00:00.000Z' })
        await eventStore.firstAt(watched, INPUT)
        await eventStore.listGaps(watched, { ...ANY, kinds: ['unwatched'] })
        await eventStore.listDeeds(watched, INPUT, ANY, null)
        await eventStore.removeBefore(watched, new Date(T).toISOString(), 500)
      })
      expect(plans.length).toBeGreaterThan(4)
      expect(plans.filter((step) => !step.startsWith('SEARCH '))).toEqual([])
    },
  )

  test('who watches is noted, and forgotten', async () => {
    const db = await open()
    await eventStore.noteWatcher(db, { id: 'a', atMs: T, hasEnded: false })
    await eventStore.noteWatcher(db, { id: 'a', atMs: T + 5, hasEnded: true })
    expect(await eventStore.watchers(db)).toEqual([{ seenMs: T + 5, hasEnded: true }])
    await eventStore.forgetWatchers(db, T + 6)
    expect(await eventStore.watchers(db)).toEqual([])
  })
})
