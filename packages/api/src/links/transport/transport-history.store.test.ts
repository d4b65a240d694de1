import { SPANS_OF_HOUR } from '@trunkline/contract/fleet/transport-history.rules'
import { expect, test } from 'vitest'
import { removeOldest } from '../history/steps.store.ts'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { HOUR_S, MINUTE_S, samplesOf, summedSamples } from './transport-history.rules.ts'
import * as transportStore from './transport-history.store.ts'
import { testMinute, testSpan } from './transport.fixture.ts'

/** A full hour. */
const AT_MS = 1_800_000_000_000
const AT_S = AT_MS / 1000
const MINUTES = { stepS: MINUTE_S, fromS: 0 }
const HOURS = { stepS: HOUR_S, fromS: 0 }

/** As the recorder stores what a host answers. */
function samples(...minutes: ReturnType<typeof testMinute>[]) {
  return summedSamples(minutes.flatMap((minute) => samplesOf(minute, 0, minute.atMs + 70_000)))
}

describeOnBothDatabases('history of transport streams', (open) => {
  test('minutes come back as they were counted, and hours are their sums and worst figures', async () => {
    const db = await open()
    const errors = [testSpan(AT_MS + 8000, 2), testSpan(AT_MS + 38_000, 15)]
    const bad = testMinute('input-a', AT_MS, { continuityErrors: 17, pcrJitterMs: 9.5, errors })
    const next = testMinute('input-a', AT_MS + 60_000, { patGapMs: null, followedMs: 4000 })
    const later = testMinute('input-a', AT_MS + 3_600_000)
    await transportStore.add(db, samples(bad, testMinute('output-b', AT_MS)))
    await transportStore.add(db, samples(next, later))
    const minutes = await transportStore.list(db, 'input-a', MINUTES)
    expect(minutes).toEqual(samples(bad, next, later).filter(({ stepS }) => stepS === MINUTE_S))
    const hours = await transportStore.list(db, 'input-a', HOURS)
    expect(hours).toMatchObject([
      {
        atS: AT_S,
        lookedMs: 8000,
        followedMs: 4000,
        continuityErrors: 17,
        pcrJitterMs: 9.5,
        patGapMs: 101.3,
      },
      { atS: AT_S + 3600, lookedMs: 4000 },
    ])
    // Both samples have the same kind of error: of an hour they are one span.
    expect(hours[0]?.errors).toMatchObject([
      { fromMs: AT_MS + 8000, toMs: AT_MS + 40_000, lookedMs: 4000, faults: [{ count: 17 }] },
    ])
    const recent = await transportStore.list(db, 'input-a', { ...MINUTES, fromS: AT_S + 60 })
    expect(recent.map(({ atS }) => atS)).toEqual([AT_S + 60, AT_S + 3600])
  })

  test('a minute that is counted in two parts has the sum and the errors of both', async () => {
    const db = await open()
    const part = (fromMs: number, count: number) =>
      testMinute('input-a', AT_MS, { continuityErrors: count, errors: [testSpan(fromMs, count)] })
    await transportStore.add(db, samples(part(AT_MS, 1)))
    await transportStore.add(db, samples(part(AT_MS + 30_000, 2)))
    const [minute] = await transportStore.list(db, 'input-a', MINUTES)
    expect(minute).toMatchObject({ lookedMs: 8000, continuityErrors: 3 })
    expect(minute?.errors.map(({ faults }) => faults[0]?.count)).toEqual([1, 2])
  })

  test('an hour full of errors keeps few spans, and all of their counts', async () => {
    const db = await open()
    for (let minute = 0; minute < 60; minute++) {
      const atMs = AT_MS + minute * 60_000
      // Of one kind and another in turn, so that they are not the same error going on.
      const span = testSpan(atMs, 1)
      const faults = span.faults.map((fault) => ({ ...fault, pid: 256 + (minute % 2) }))
      const errors = [{ ...span, faults }]
      await transportStore.add(
        db,
        samples(testMinute('input-a', atMs, { continuityErrors: 1, errors })),
      )
    }
    const [hour] = await transportStore.list(db, 'input-a', HOURS)
    const errors = hour?.errors ?? []
    expect(errors.length).toBeLessThanOrEqual(SPANS_OF_HOUR)
    const counts = errors.flatMap(({ faults }) => faults.map(({ count }) => count ?? 0))
    expect([hour?.continuityErrors, counts.reduce((all, count) => all + count, 0)]).toEqual([
      60, 60,
    ])
  })

  test('whatever a host counts, its sums stay within a column', async () => {
    const db = await open()
    const most = { continuityErrors: 1e300, scrambledPackets: -5, pcrJitterMs: 1e300 }
    for (let minute = 0; minute < 5; minute++) {
      await transportStore.add(db, samples(testMinute('input-a', AT_MS + minute * 60_000, most)))
    }
    const [hour] = await transportStore.list(db, 'input-a', HOURS)
    expect(hour?.continuityErrors).toBeLessThan(2 ** 31)
    expect([hour?.scrambledPackets, hour?.pcrJitterMs]).toEqual([0, 3_600_000])
  })

  test('what was stored up to a number is stored by one process alone', async () => {
    const db = await open()
    const run = 'acants-0.run'
    const nowS = AT_S
    expect(await transportStore.storedUpTo(db, run)).toBe(0)
    const first = { run, from: 0, to: 3, nowS }
    const both = await Promise.all([
      db.transaction().execute(async (trx) => transportStore.advance(trx, first)),
      db.transaction().execute(async (trx) => transportStore.advance(trx, first)),
    ])
    expect(both.toSorted()).toEqual([false, true])
    expect(await transportStore.advance(db, { run, from: 3, to: 7, nowS })).toBe(true)
    expect(await transportStore.advance(db, { run, from: 3, to: 7, nowS })).toBe(false)
    expect(await transportStore.storedUpTo(db, run)).toBe(7)
    await transportStore.removeOldCursors(db, nowS)
    expect(await transportStore.storedUpTo(db, run)).toBe(7)
    await transportStore.removeOldCursors(db, nowS + 1)
    expect(await transportStore.storedUpTo(db, run)).toBe(0)
  })

  test('the oldest minute goes, and its hour stays', async () => {
    const db = await open()
    await transportStore.add(
      db,
      samples(testMinute('input-a', AT_MS), testMinute('input-a', AT_MS + 60_000)),
    )
    expect(await removeOldest(db, 'transport_samples', MINUTE_S, AT_S + 60)).toBe(true)
    expect(await removeOldest(db, 'transport_samples', MINUTE_S, AT_S + 60)).toBe(false)
    expect(await transportStore.list(db, 'input-a', MINUTES)).toMatchObject([{ atS: AT_S + 60 }])
    expect(await transportStore.list(db, 'input-a', HOURS)).toMatchObject([{ lookedMs: 8000 }])
  })
})

test.each([
  ['a host whose clock is behind', -40_000, AT_S - 60],
  ['a host whose clock differs by a moment', 200, AT_S],
  ['the same, the other way', -200, AT_S],
])('a minute of %s is that of our clock', (_, offsetMs, atS) => {
  const errors = [testSpan(AT_MS + 8000, 1)]
  const kept = samplesOf(testMinute('input-a', AT_MS, { errors }), offsetMs, AT_MS + 90_000)
  expect(kept[0]).toMatchObject({ atS, errors: [{ fromMs: AT_MS + 8000 + offsetMs }] })
})

test('a minute of another time than this one is not kept', () => {
  const minute = testMinute('input-a', AT_MS)
  expect(samplesOf(minute, 0, AT_MS + 3 * 3_600_000)).toEqual([])
  expect(samplesOf(minute, 0, AT_MS - 3 * 60_000)).toEqual([])
})
