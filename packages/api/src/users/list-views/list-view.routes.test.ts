import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import type { BodyOf } from '@trunkline/contract/route'
import { removeUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { inject } from '../../testing/inject.ts'
import { openTestApp } from '../../testing/test-app.ts'

const NORTH = { name: 'North', values: { search: 'north', sort: '-title' } }

async function open() {
  const site = await openTestApp()
  const tokenOf = (who: 'admin' | 'northMonitor') => site.people[who].token
  return {
    ...site,
    read: async (who: 'admin' | 'northMonitor') =>
      (await inject(site.app, listListViews, tokenOf(who), {})).answer.data,
    save: async (
      body: Partial<BodyOf<typeof saveListView>>,
      who: 'admin' | 'northMonitor' = 'admin',
    ) =>
      inject(site.app, saveListView, tokenOf(who), {
        params: { name: 'encoders' },
        body: { hidden: [], saved: [], ...body },
      }),
    [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose](),
  }
}

test('what a person saves is read again by that person, and by nobody else', async () => {
  await using site = await open()
  expect(await site.read('admin')).toEqual([])
  const { status, answer } = await site.save({ hidden: ['email'], saved: [NORTH], version: 0 })
  expect(status).toBe(200)
  const view = { list: 'encoders', hidden: ['email'], saved: [NORTH], version: 1 }
  expect(answer.data).toEqual(view)
  expect(await site.read('admin')).toEqual([view])
  expect(await site.read('northMonitor')).toEqual([])
})

test('a save over what another tab saved since is refused with what is there', async () => {
  await using site = await open()
  await site.save({ saved: [NORTH], version: 0 })
  const late = await site.save({ hidden: ['email'], version: 0 })
  expect(late.status).toBe(409)
  expect(late.answer).toMatchObject({
    code: 'conflict',
    current: { saved: [NORTH], version: 1 },
    changed: ['hidden', 'saved'],
  })
  expect((await site.save({ hidden: ['email'], saved: [NORTH] })).status).toBe(200)
})

test('too many, too long and names that are taken are refused in words', async () => {
  await using site = await open()
  const many = Array.from({ length: 51 }, (_, no) => ({ ...NORTH, name: `North ${no}` }))
  const values = Object.fromEntries(
    Array.from({ length: 20 }, (_, no) => [`f${no}`, 'x'.repeat(200)]),
  )
  const long = many.slice(0, 10).map(({ name }) => ({ name, values }))
  const refusals = [many, long, [NORTH, NORTH]].map(async (saved) => {
    const { status, answer } = await site.save({ saved })
    return [status, (answer as unknown as { error: string }).error]
  })
  expect(await Promise.all(refusals)).toEqual([
    [400, expect.stringContaining('must be at most 50 saved filters. Delete some.')],
    [400, expect.stringContaining('must be at most 20000 characters in all.')],
    [400, expect.stringContaining('must each have another name.')],
  ])
  expect(await site.read('admin')).toEqual([])
})

test('what a person has arranged is gone with the person', async () => {
  await using site = await open()
  await site.save({ saved: [NORTH] }, 'northMonitor')
  const countRows = async () =>
    (await site.ctx.db.selectFrom('list_views').select('list').execute()).length
  expect(await countRows()).toBe(1)
  const params = { id: site.people.northMonitor.id }
  await inject(site.app, removeUser, site.people.admin.token, { params })
  expect(await countRows()).toBe(0)
})
