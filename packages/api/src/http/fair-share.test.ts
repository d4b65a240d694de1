import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { expect, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { giveWay } from '../in-slices.ts'
import { inject } from '../testing/inject.ts'
import { openTestApp } from '../testing/test-app.ts'
import { allCalls } from '../testing/all-calls.ts'
import { FairShare, fairShareOf, isListCall } from './fair-share.ts'

const NEVER_SET = () => 0

async function refusalOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof AppError ? [error.code, error.more.retryAfterS] : error
  }
}

test('T16 calls per second of a user are limited, after a burst; other users are counted separately', async () => {
  let nowMs = 0
  const share = new FairShare(10, () => nowMs)
  const take = async (calls: number) => {
    for (let call = 0; call < calls; call += 1) await share.take('one')
  }
  await take(50)
  expect(await refusalOf(async () => take(1))).toEqual(['too_many', 1])
  expect(await refusalOf(async () => share.take('other'))).toBeNull()
  nowMs = 200
  await take(2)
  expect(await refusalOf(async () => take(1))).toEqual(['too_many', 1])
  nowMs = 3_600_000
  await take(50)
  expect(await refusalOf(async () => take(1)), 'a quiet hour is no larger burst').toEqual([
    'too_many',
    1,
  ])
})

test('T16 calls of other users are served between many calls of one user', async () => {
  const share = new FairShare(10, NEVER_SET)
  const order: string[] = []
  const take = async (personId: string) => {
    await share.take(personId)
    order.push(personId)
  }
  await Promise.all([take('one'), take('one'), take('one'), take('other')])
  expect(order).toEqual(['one', 'other', 'one', 'one'])
})

test('W3 T16 calls of users wait neither for long work of the site nor for each other', async () => {
  const share = new FairShare(1000)
  const slices = Array.from({ length: 20 }, async () => giveWay())
  let slicesDone = 0
  for (const slice of slices) void slice.then(() => (slicesDone += 1))
  const twice = async (id: string) => {
    await share.take(id)
    await share.take(id)
  }
  await Promise.all(Array.from({ length: 10 }, async (_, at) => twice(`user-${at}`)))
  const doneMeanwhile = slicesDone
  await Promise.all(slices)
  expect(doneMeanwhile).toBeLessThan(3)
})

test('T16 one list per user is read at a time, and a limited number wait, in order', async () => {
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
  expect(begun).toEqual(begun.toSorted((a, b) => a - b))
  expect(begun).toHaveLength(32)
  endOther()
  ;(await share.begin('one'))()
})

test('T16 a call is a list when it asks for a number of rows, or reads all of a site', async () => {
  const lists = (await allCalls()).filter(isListCall).map(({ name }) => name)
  expect(lists.toSorted()).toEqual([
    'alarmOverrides.list',
    'alarms.list',
    'apiTokens.list',
    'audit.list',
    'channels.list',
    'destinations.list',
    'destinations.match',
    'encoders.all',
    'encoders.list',
    'fleet.snapshot',
    'groups.list',
    'inputs.list',
    'inputs.match',
    'maintenance.list',
    'outputs.list',
    'outputs.match',
    'paths.list',
    'schedules.list',
    'servers.list',
    'users.list',
  ])
})

test('T16 after a long list the next list of this user waits as long; another user does not', async () => {
  let nowMs = 0
  const share = new FairShare(10, () => nowMs)
  vi.useFakeTimers()
  try {
    const end = await share.begin('one')
    const begun: string[] = []
    const next = share.begin('one').then(() => begun.push('one'))
    nowMs = 400
    end()
    await vi.advanceTimersByTimeAsync(399)
    await share.begin('other').then(() => begun.push('other'))
    expect(begun).toEqual(['other'])
    await vi.advanceTimersByTimeAsync(1)
    await next
    expect(begun).toEqual(['other', 'one'])
  } finally {
    vi.useRealTimers()
  }
})

test('T16 a list whose turn does not come in time is refused, and leaves the queue', async () => {
  const share = new FairShare(10, NEVER_SET)
  vi.useFakeTimers()
  try {
    const end = await share.begin('one')
    const refused = refusalOf(async () => share.begin('one'))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await refused).toEqual(['too_many', 1])
    end()
    await vi.advanceTimersByTimeAsync(0)
    ;(await share.begin('one'))()
  } finally {
    vi.useRealTimers()
  }
})

test('T16 while one list of a person is read others of theirs wait, and those beyond the limit are refused', async () => {
  await using site = await openTestApp()
  const { admin, northManager } = site.people
  const list = async (token: string) =>
    inject(site.app, listEncoders, token, { query: { rowsPerPage: 0 } })
  const endFirst = await fairShareOf(site.ctx).begin(admin.id)
  const statuses: number[] = []
  const asked = Array.from({ length: 40 }, async () => {
    const answer = await list(admin.token)
    statuses.push(answer.status)
    return answer
  })
  expect((await list(northManager.token)).status).toBe(200)
  await vi.waitFor(() => expect(statuses).toHaveLength(8), { timeout: 60_000 })
  expect(new Set(statuses)).toEqual(new Set([429]))
  endFirst()
  const answers = await Promise.all(asked)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.failure.error).toMatch(/^Too many lists and searches are being read/)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
})
