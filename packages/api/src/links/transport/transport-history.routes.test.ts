import {
  ERROR_SPANS_SHOWN,
  transportHistory,
  type TransportSpan,
} from '@trunkline/contract/contributions/transport-history.calls'
import { expect, test } from 'vitest'
import { addTestFeeder } from '../../testing/feeder.fixture.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../../testing/test-site.ts'
import { samplesOf, summedSamples } from './transport-history.rules.ts'
import * as transportStore from './transport-history.store.ts'
import { testMinute, testSpan } from './transport.fixture.ts'

const NOW_MS = Math.floor(Date.now() / 60_000) * 60_000

async function put(site: TestSite, minutes: readonly ReturnType<typeof testMinute>[]) {
  const samples = minutes.flatMap((minute) => samplesOf(minute, 0, minute.atMs + 70_000))
  await transportStore.add(site.ctx.db, summedSamples(samples))
}

async function ask(
  site: TestSite,
  who: PersonName,
  { kind, id, span = '1h' }: { kind: 'input' | 'feeder'; id: string; span?: TransportSpan },
) {
  return site.call(who, transportHistory, { params: { kind, id }, query: { span } })
}

test('a feeder is answered to who may see it, by minutes of an hour and a day and hours of a week', async () => {
  const site = await openSiteOn('SQLite')
  const { id: encoderId } = await addTestEncoder(site, 0)
  const id = await addTestFeeder(site, encoderId, 5000)
  const ages = [2, 50, 70, 60 * 23, 60 * 25, 60 * 24 * 6, 60 * 24 * 8]
  await put(
    site,
    ages.map((age) => testMinute(`feeder-${id}`, NOW_MS - age * 60_000)),
  )
  const of = async (span: TransportSpan) => {
    const { answer } = await ask(site, 'northEditor', { kind: 'feeder', id, span })
    return answer.data
  }
  const hour = await of('1h')
  expect(hour.points.map(({ atMs }) => (NOW_MS - atMs) / 60_000)).toEqual([50, 2])
  expect(hour.points[1]).toEqual({
    atMs: NOW_MS - 120_000,
    lookedMs: 4000,
    followedMs: 0,
    continuityErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    scrambledPackets: 0,
    patGapMs: 101.3,
    pmtGapMs: 102.5,
    pcrIntervalMs: 38,
    pcrJitterMs: 1.5,
  })
  expect(hour.toMs - hour.fromMs).toBe(3_600_000)
  expect((await of('24h')).points).toHaveLength(4)
  const week = await of('7d')
  expect(week.stepMs).toBe(3_600_000)
  const lookedMs = week.points.reduce((all, point) => all + point.lookedMs, 0)
  expect(lookedMs).toBe(6 * 4000)
  const params = { kind: 'feeder' as const, id }
  expect((await ask(site, 'southMonitor', params)).status).toBe(404)
})

test('errors that go on are one span, others are answered newest first, up to a limit', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestInput(site, 6002)
  const span = (age: number, count: number) => testSpan(NOW_MS - age * 60_000, count)
  // Ten minutes in a row, then one each three minutes.
  const ages = [
    ...Array.from({ length: 10 }, (_, at) => 50 - at),
    ...Array.from({ length: ERROR_SPANS_SHOWN + 5 }, (_, at) => 60 + 3 * at),
  ]
  await put(
    site,
    ages.map((age) => {
      const errors = [span(age, 1)]
      return testMinute(`input-${id}`, NOW_MS - age * 60_000, { continuityErrors: 1, errors })
    }),
  )
  const day = await ask(site, 'northManager', { kind: 'input', id, span: '24h' })
  const { errors, errorCount } = day.answer.data
  expect(errors[0]).toEqual({
    ...span(50, 10),
    toMs: NOW_MS - 41 * 60_000 + 2000,
    lookedMs: 20_000,
    everyMs: null,
  })
  expect(errors[1]).toEqual(span(60, 1))
  expect([errors.length, errorCount]).toEqual([ERROR_SPANS_SHOWN, ERROR_SPANS_SHOWN + 6])
  expect((await ask(site, 'northEditor', { kind: 'input', id })).status).toBe(403)
})

test('a span that is not kept is refused at its field', async () => {
  const site = await openSiteOn('SQLite')
  const asked = { kind: 'input', id: 'a', span: '5m' as TransportSpan } as const
  const { status, failure } = await ask(site, 'admin', asked)
  expect([status, failure.field]).toEqual([400, 'span'])
})
