import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { inject } from '../testing/inject.ts'
import { openTestApp } from '../testing/test-app.ts'
import { FairShare, isLongCall } from './fair-share.ts'

const NEVER_SET = () => 0

function refusalOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof AppError ? [error.code, error.more.retryAfterS] : error
  }
}

test('T16 a person makes so many calls a second, after a burst; others are not counted with them', () => {
  let nowMs = 0
  const share = new FairShare(10, () => nowMs)
  for (let call = 0; call < 50; call += 1) share.take('one')
  expect(refusalOf(() => share.take('one'))).toEqual(['too_many', 1])
  expect(refusalOf(() => share.take('other'))).toBeNull()
  nowMs = 200
  share.take('one')
  share.take('one')
  expect(refusalOf(() => share.take('one'))).toEqual(['too_many', 1])
  nowMs = 3_600_000
  for (let call = 0; call < 50; call += 1) share.take('one')
  expect(
    refusalOf(() => share.take('one')),
    'a quiet hour is no larger burst',
  ).toEqual(['too_many', 1])
})

test('T16 of one person one long call is under way, and so many wait, in the order that they came', async () => {
  const share = new FairShare(1, NEVER_SET)
  const begun: number[] = []
  const end = await share.begin('one')
  const waiting = Array.from({ length: 32 }, async (_, at) => {
    const ended = await share.begin('one')
    begun.push(at)
    ended()
    ended()
  })
  await expect(share.begin('one')).rejects.toMatchObject({ code: 'too_many' })
  const endOther = await share.begin('other')
  expect(begun).toEqual([])
  end()
  await Promise.all(waiting)
  expect(begun).toEqual(begun.toSorted((one, other) => one - other))
  expect(begun).toHaveLength(32)
  endOther()
  ;(await share.begin('one'))()
})

test.each<[boolean, string, object]>([
  [false, 'encoders.list', { page: 3, rowsPerPage: 120, searchValue: ' ' }],
  [true, 'encoders.list', { page: 0, rowsPerPage: 0 }],
  [true, 'encoders.list', { page: 0, rowsPerPage: 500 }],
  [true, 'encoders.all', { page: 0, rows: 0 }],
  [true, 'audit.list', { rowsPerPage: 12, searchText: 'x' }],
  [true, 'encoders.summary', {}],
])('T16 a long call: %s for %s %o', (isLong, name, asked) => {
  expect(isLongCall(name, asked, undefined)).toBe(isLong)
  expect(isLongCall(name, {}, asked)).toBe(isLong)
})

test('T16 many whole lists at once are answered one after the other, and the rest is told to wait', async () => {
  await using site = await openTestApp()
  const { admin, northManager } = site.people
  const query = { rowsPerPage: 0 } as const
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => inject(site.app, listEncoders, admin.token, { query })),
  )
  const statuses = Map.groupBy(answers, ({ status }) => status)
  expect(statuses.get(200)).toHaveLength(33)
  expect(statuses.get(429)).toHaveLength(7)
  expect(statuses.get(429)?.[0]?.failure.error).toMatch(/^Too many of your searches and long lists/)
  expect((await inject(site.app, listEncoders, northManager.token, { query })).status).toBe(200)
})
