import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { expect, test, vi } from 'vitest'
import { inject } from '../testing/inject.ts'
import { openTestApp } from '../testing/test-app.ts'
import { makeTestContext } from '../testing/test-context.ts'
import type { Context } from '../context.ts'
import { Answer } from './answer.ts'
import { AnswerCache } from './answer-cache.ts'

function cacheOf(ctx: Context, more: Partial<Context['config']> = {}): AnswerCache {
  return new AnswerCache({ ...ctx, config: { ...ctx.config, ...more } })
}

async function changeGroups({ db }: Context, title: string): Promise<void> {
  await db.updateTable('groups').set({ title }).where('id', '=', 'none').execute()
}

const answer = new Answer('{"status":true}')

test('an answer is found again by who asked and what, until something is written', async () => {
  await using test = await makeTestContext()
  const cache = cacheOf(test.ctx)
  cache.look('ann list', 'records').keep(answer)
  expect(cache.look('ann list', 'records').found).toBe(answer)
  expect(cache.look('bob list', 'records').found).toBeNull()
  await changeGroups(test.ctx, 'changed')
  expect(cache.look('ann list', 'records').found).toBeNull()
})

test('what was read while something changed is not kept, whether before or after its end', async () => {
  await using test = await makeTestContext()
  const cache = cacheOf(test.ctx)
  const look = cache.look('ann list', 'records')
  await test.ctx.db.transaction().execute(async (trx) => {
    await trx.updateTable('groups').set({ title: 'x' }).where('id', '=', 'none').execute()
  })
  look.keep(answer)
  expect(cache.look('ann list', 'records').found).toBeNull()
})

test('a notice of another process ends what is kept; what no list shows does not', async () => {
  await using test = await makeTestContext()
  const { ctx } = test
  const cache = cacheOf(ctx)
  cache.look('ann list', 'records').keep(answer)
  await ctx.db.insertInto('marks').values({ name: 'a', value: 'b' }).execute()
  expect(cache.look('ann list', 'records').found).toBe(answer)
  ctx.notices.tell({ kind: 'server', id: 's', change: 'changed', groupIds: [] })
  expect(cache.look('ann list', 'records').found).toBeNull()
})

test('where other processes may write, an answer lives a quarter of a second, and none while they are not heard', async () => {
  await using test = await makeTestContext()
  let hears = true
  const notices = { ...test.ctx.notices, hearsOthers: () => hears }
  const cache = cacheOf({ ...test.ctx, notices }, { databaseUrl: 'postgres://x' })
  vi.useFakeTimers()
  try {
    cache.look('ann list', 'records').keep(answer)
    vi.advanceTimersByTime(249)
    expect(cache.look('ann list', 'records').found).toBe(answer)
    vi.advanceTimersByTime(1)
    expect(cache.look('ann list', 'records').found).toBeNull()
    cache.look('ann list', 'records').keep(answer)
    hears = false
    expect(cache.look('ann list', 'records').found).toBeNull()
    cache.look('ann list', 'records').keep(answer)
    hears = true
    expect(cache.look('ann list', 'records').found).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('the memory is limited: what was read longest ago goes first', async () => {
  await using test = await makeTestContext()
  const cache = cacheOf(test.ctx, { answerCacheMegabytes: 1 })
  const large = new Answer('x'.repeat(200_000))
  for (const key of ['a', 'b', 'c']) cache.look(key, 'records').keep(large)
  expect(cache.look('a', 'records').found).toBeNull()
  expect(cache.look('c', 'records').found).toBe(large)
  cache.look('huge', 'records').keep(new Answer('x'.repeat(2_000_000)))
  expect(cache.look('huge', 'records').found).toBeNull()
})

test('T5 who has been signed out reads nothing that is kept', async () => {
  await using site = await openTestApp()
  const { northManager } = site.people
  const read = async () => inject(site.app, listEncoders, northManager.token, {})
  expect([(await read()).status, (await read()).status]).toEqual([200, 200])
  await site.ctx.db
    .updateTable('users')
    .set((row) => ({ token_version: row('token_version', '+', 1) }))
    .where('id', '=', northManager.id)
    .execute()
  site.ctx.notices.tell({ kind: 'gone', userId: northManager.id })
  expect((await read()).status).toBe(401)
})
