import {
  addDestination,
  removeDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { ADDITION_KEY_CHARACTERS, ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

function draftOf({ north }: TestSite, title: string) {
  return { title, ip: '192.0.2.9', groupId: north }
}

async function add(site: TestSite, key: string, title = 'Rack', by = site.people.admin) {
  const headers = { [ADDITION_KEY_HEADER]: key }
  return inject(site.app, addDestination, by.token, { body: draftOf(site, title), headers })
}

async function titlesOf({ ctx }: TestSite): Promise<string[]> {
  const rows = await ctx.db.selectFrom('destinations').select('title').orderBy('title').execute()
  return rows.map(({ title }) => title)
}

test.each(BOTH_DATABASES)(
  'F9 an addition that is sent several times at once, as when its answers are lost, is one object, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const answers = await Promise.all([1, 2, 3].map(async () => add(site, 'k')))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await titlesOf(site)).toEqual(['Rack'])
  },
)

test('F9 the key of an addition is of its person, its call and its object', async () => {
  await using site = await openTestSite()
  await add(site, 'k', 'First')
  await add(site, 'other', 'Second')
  await add(site, 'k', 'Third', site.people.northManager)
  expect(await titlesOf(site)).toEqual(['First', 'Second', 'Third'])
  const changed = await add(site, 'k', 'Changed meanwhile')
  expect(changed.answer.data.title).toBe('First')
  await inject(site.app, removeDestination, site.people.admin.token, {
    params: { id: changed.answer.data._id },
  })
  expect((await add(site, 'k', 'Fourth')).answer.data.title).toBe('Fourth')
})

test('F9 a refused addition is no addition: the same key is looked at anew', async () => {
  await using site = await openTestSite()
  expect((await add(site, 'k', '')).status).toBe(400)
  expect((await add(site, 'k'.repeat(ADDITION_KEY_CHARACTERS + 1))).failure).toMatchObject({
    code: 'invalid',
    field: ADDITION_KEY_HEADER,
  })
  expect((await add(site, 'k')).status).toBe(201)
  expect(await titlesOf(site)).toEqual(['Rack'])
})
