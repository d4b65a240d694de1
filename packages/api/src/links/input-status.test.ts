/** Inputs enabled and disabled, one or several at once. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { readInput, setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

async function disable(
  site: TestSite,
  names: string[],
  isDisable = true,
  who: PersonName = 'admin',
) {
  return site.call(who, setInputsStatus, { body: { names, isDisable } })
}

async function start(site: TestSite, id: string) {
  const body = { id, type: 1, actionType: 'start' } as const
  return site.call('admin', contributionAction, { body })
}

test.each(BOTH_DATABASES)(
  'API-53 CON-IN-37 Q138 disabling ends what runs, enabling starts nothing, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const [first, second] = [await addTestInput(site, 6000), await addTestInput(site, 6002)]
    for (const { id } of [first, second]) await start(site, id)
    const { answer } = await disable(site, [first.name, second.id, 'nothing'])
    expect(answer).toMatchObject({
      msg: 'Input/Output status updated successfully.',
      updated: 2,
      failed: [{ name: 'nothing' }],
    })
    expect(site.linkHost.programs.size).toBe(0)
    const { status, failure } = await start(site, first.id)
    expect([status, failure.error]).toEqual([409, 'Disabled'])
    expect((await disable(site, [first.name, second.name], false)).answer.updated).toBe(2)
    const states = [...site.linkHost.programs.values()].map(({ state }) => state)
    expect(states).toEqual(['stopped', 'stopped'])
    const { data } = (await site.call('admin', readInput, { params: { id: first.id } })).answer
    expect(data).toMatchObject({ isEnabled: true, version: first.version + 2 })
  },
)

test('API-53 what is so already is counted, and not written again', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  await disable(site, [id])
  const before = await databaseContent(site.ctx)
  expect((await disable(site, [id])).answer.updated).toBe(1)
  expect(await databaseContent(site.ctx)).toEqual(before)
  const lines = site.ctx.db
    .selectFrom('audit')
    .select('object_id')
    .where('call', '=', 'inputs.setStatus')
  expect(await lines.execute()).toHaveLength(1)
})

test('Q138 an input whose server is away is disabled all the same', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  await start(site, id)
  await site.linkHost[Symbol.asyncDispose]()
  expect((await disable(site, [id])).answer).toMatchObject({ updated: 1, failed: [] })
  expect(site.ctx.hosts.wanted(`input-${id}`)?.isEnabled).toBe(false)
})

test('T2 API-53 another group’s inputs are not there, and stay as they are', async () => {
  await using site = await openTestSite()
  const { id, name } = await addTestInput(site, 6000)
  const before = await databaseContent(site.ctx)
  expect((await disable(site, [id, name], true, 'southManager')).status).toBe(404)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('API-53 a call without names is refused', async () => {
  await using site = await openTestSite()
  const { status, failure } = await disable(site, [])
  expect([status, failure.field]).toEqual([400, 'names'])
})
