/** Removing inputs: one with outputs stays; what holds for outputs too is in link-remove.test.ts. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  listInputs,
  readInput,
  removeInput,
  removeInputs,
} from '@trunkline/contract/contributions/input.calls'
import { addOutput, listOutputs } from '@trunkline/contract/contributions/output.calls'
import { expect, test, vi } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { addTestInput, addTestOutput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'

async function remove(site: TestSite, id: string, who: PersonName = 'admin') {
  return site.call(who, removeInput, { params: { id } })
}

async function removeAll(site: TestSite, contriNames: string[]) {
  return site.call('admin', removeInputs, { body: { contriNames } })
}

/** An input that runs, and how often its host has been asked anything. */
async function running(site: TestSite) {
  const { id } = await addTestInput(site, 6000)
  const body = { id, type: 1, actionType: 'start' } as const
  await site.call('admin', contributionAction, { body })
  return { id, programId: `input-${id}`, calls: site.linkHost.calls.length }
}

async function titles(site: TestSite): Promise<string[]> {
  return (await site.call('admin', listInputs, {})).answer.contributions.map(({ title }) => title)
}

test.each(BOTH_DATABASES)(
  'API-44 CON-IN-31 its ports and its group of the bus are free again, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await running(site)
    expect((await remove(site, id, 'northManager')).status).toBe(200)
    const { inputs, port_claims: claims, bus_groups: groups } = await databaseContent(site.ctx)
    expect([inputs, claims, groups]).toEqual([[], [], []])
    expect((await addTestInput(site, 6000)).config.multicast).toBe('239.255.0.1')
  },
)

test.each(BOTH_DATABASES)(
  'API-44 CON-IN-32 ERR-45 an input with outputs stays, and keeps running, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id, programId } = await running(site)
    await addTestOutput(site, id)
    await addTestOutput(site, id)
    const before = await databaseContent(site.ctx)
    const report = site.linkHost.programs.get(programId)
    const calls = site.linkHost.calls.length
    const { status, failure } = await remove(site, id)
    expect(status).toBe(409)
    expect(failure.error).toBe('This input cannot be deleted because it has 2 number of Outputs.')
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect(site.linkHost.programs.get(programId)).toEqual(report)
    expect(site.linkHost.calls).toHaveLength(calls)
  },
)

test.each(BOTH_DATABASES)(
  'API-44 an output that is added while the program is being ended keeps its input, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id, programId } = await running(site)
    site.linkHost.silentOn.add('removeProgram')
    const removal = remove(site, id)
    await site.linkHost.asked('removeProgram')
    const body = {
      title: 'Meanwhile',
      inputType: 'SRT' as const,
      contributionId: id,
      config: { host: '192.0.2.10', port: 7000 },
    }
    const add = async () => (await site.call('admin', addOutput, { body })).status
    const additions = Promise.all([add(), add()])
    await vi.waitFor(
      async () => expect((await databaseContent(site.ctx)).outputs).toHaveLength(2),
      { timeout: 30_000 },
    )
    site.linkHost.silentOn.clear()
    site.linkHost.cut()
    const { status, failure } = await removal
    expect(status).toBe(409)
    expect(failure.error).toBe('This input cannot be deleted because it has 2 number of Outputs.')
    expect(await additions).toEqual([201, 201])
    expect((await site.call('admin', readInput, { params: { id } })).status).toBe(200)
    await vi.waitFor(() => expect(site.linkHost.programs.get(programId)?.state).toBe('running'), {
      timeout: 30_000,
    })
  },
)

test.each(BOTH_DATABASES)(
  'API-44 of a removal and an output at the same moment one wins, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    for (const port of [6000, 6002, 6004, 6006]) {
      const { id } = await addTestInput(site, port)
      const config = { host: '192.0.2.10', port: 7000 }
      const body = { title: 'At once', inputType: 'SRT' as const, contributionId: id, config }
      const [removed, added] = await Promise.all([
        remove(site, id),
        site.call('admin', addOutput, { body }),
      ])
      const { total } = (await site.call('admin', listOutputs, { query: { contributionId: id } }))
        .answer
      const isThere = (await site.call('admin', readInput, { params: { id } })).status === 200
      const outcome = { removed: removed.status === 200, added: added.status === 201 }
      expect(outcome).toEqual({ removed: !isThere, added: isThere })
      expect(total).toBe(isThere ? 1 : 0)
      expect(removed.status + added.status, `${removed.text} ${added.text}`).toBeLessThan(800)
    }
  },
)

test('Q179 a Local input is removed without a word to its server', async () => {
  await using site = await openTestSite()
  const config = { port: 5500, multicast: '239.1.2.3' }
  const { id } = await addTestInput(site, 5500, { inputType: 'Local', config })
  await site.linkHost[Symbol.asyncDispose]()
  expect((await remove(site, id)).status).toBe(200)
  const lines = site.ctx.db.selectFrom('audit').select('reason').where('call', '=', 'inputs.remove')
  expect(await lines.execute()).toEqual([{ reason: '' }])
})

test.each(BOTH_DATABASES)(
  'API-55 CON-IN-36 Q142 inputs without outputs are deleted, the others are named, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const [free, used, other] = [
      await addTestInput(site, 6000),
      await addTestInput(site, 6002),
      await addTestInput(site, 6004),
    ]
    await addTestOutput(site, used.id)
    const { status, answer } = await removeAll(site, [free.name, used.name, other.id, 'nothing'])
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      msg: 'Input remove successfully..',
      deleted: [free.name, other.name],
      refused: [{ name: used.name, outputs: 1 }],
      failed: [{ name: 'nothing' }],
    })
    expect(await titles(site)).toEqual(['Feed 6002'])
    const lines = await site.ctx.db
      .selectFrom('audit')
      .select(['object_id', 'result'])
      .where('call', '=', 'inputs.removeSeveral')
      .execute()
    expect(new Set(lines.map((line) => `${line.object_id} ${line.result}`))).toEqual(
      new Set([`${free.id} done`, `${other.id} done`, `${used.id} refused`]),
    )
  },
)

test('API-55 a single 409 when each of them has outputs', async () => {
  await using site = await openTestSite()
  const { id, name } = await addTestInput(site, 6000)
  await addTestOutput(site, id)
  const before = await databaseContent(site.ctx)
  const { status, failure } = await removeAll(site, [name])
  const sentence = 'This input cannot be deleted because it has 1 number of Outputs.'
  expect([status, failure.error]).toEqual([409, sentence])
  expect(failure).toMatchObject({ failed: [{ name, error: sentence }] })
  expect(await databaseContent(site.ctx)).toEqual(before)
  const lines = site.ctx.db.selectFrom('audit').select('object_id').where('result', '=', 'refused')
  expect(await lines.execute()).toEqual([{ object_id: id }])
})
