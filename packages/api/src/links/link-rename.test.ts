/** Another title for an input, an output or a destination. */
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import { listInputs, readInput } from '@trunkline/contract/contributions/input.calls'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { Encryption } from '@trunkline/contract/contributions/link.schema'
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import * as destinationStore from './destinations/destination.store.ts'

type Kind = 'input' | 'output' | 'destination'

async function rename(
  site: TestSite,
  type: Kind,
  inputId: string,
  title: string,
  who: PersonName = 'admin',
) {
  return site.call(who, updateTitle, { body: { inputId, title, type } })
}

async function addDestination(site: TestSite, title: string): Promise<string> {
  const id = `destination-${title.toLowerCase()}`
  await destinationStore.insert(site.ctx.db, {
    id,
    title,
    ip: '192.0.2.10',
    groupId: site.north,
    encryption: Encryption.parse({}),
    passphraseSealed: null,
    version: 1,
    createdAt: new Date(site.ctx.clock()).toISOString(),
  })
  return id
}

test.each(BOTH_DATABASES)(
  'API-52 CON-IN-29 input, output and destination are renamed, nothing restarts, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const input = await addTestInput(site, 6000)
    const ids: Record<Kind, string> = {
      input: input.id,
      output: await addTestOutput(site, input.id),
      destination: await addDestination(site, 'Paris'),
    }
    const calls = site.linkHost.calls.length
    for (const type of ['input', 'output', 'destination'] as const) {
      const { status, answer } = await rename(site, type, ids[type], `New ${type}`, 'northManager')
      expect([type, status]).toEqual([type, 200])
      const { [type]: id } = ids
      expect(answer.data).toEqual({ _id: id, id, title: `New ${type}`, version: 2 })
    }
    expect(site.linkHost.calls).toHaveLength(calls)
    const { data } = (await site.call('admin', readInput, { params: { id: input.id } })).answer
    expect(data).toEqual({ ...data, title: 'New input', version: 2, config: input.config })
    const searched = { query: { searchValue: 'new input' } }
    expect((await site.call('admin', listInputs, searched)).answer.total).toBe(1)
    const outputs = (await site.call('admin', listOutputs, {})).answer.outputs
    expect(outputs.map(({ title }) => title)).toEqual(['New output'])
  },
)

test.each(BOTH_DATABASES)(
  'API-52 a title that another of its kind in the group has is refused, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const [first, second] = [await addTestInput(site, 6000), await addTestInput(site, 6002)]
    const foreign = await addTestInput(site, 6004, { title: 'Southern', groupId: site.south })
    await addTestOutput(site, first.id, { title: 'To Paris' })
    const outputId = await addTestOutput(site, second.id, { config: { port: 7002 } })
    await addDestination(site, 'Paris')
    const destinationId = await addDestination(site, 'Lyon')
    const before = await databaseContent(site.ctx)
    for (const [type, id, title] of [
      ['input', second.id, first.title],
      ['output', outputId, 'To Paris'],
      ['destination', destinationId, 'Paris'],
    ] as const) {
      const { status, failure } = await rename(site, type, id, title)
      expect([type, status, failure.field]).toEqual([type, 409, 'title'])
      expect(failure.error).toContain('with this title')
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect((await rename(site, 'input', second.id, second.title)).status, 'its own').toBe(200)
    expect((await rename(site, 'output', outputId, second.title)).status, 'an input’s').toBe(200)
    expect((await rename(site, 'input', second.id, foreign.title)).status, 'elsewhere').toBe(200)
  },
)

test.each(BOTH_DATABASES)(
  'API-52 renamings at the same moment are all taken, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6000)
    const titles = ['One', 'Two', 'Three']
    const answers = await Promise.all(titles.map(async (title) => rename(site, 'input', id, title)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { data } = (await site.call('admin', readInput, { params: { id } })).answer
    expect(data.version).toBe(4)
  },
)

test.each(BOTH_DATABASES)(
  'API-52 F12 a title that somebody has changed since it was seen is not changed unseen, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const input = await addTestInput(site, 6000)
    const ids = {
      input: input.id,
      output: await addTestOutput(site, input.id),
      destination: await addDestination(site, 'Paris'),
    }
    for (const type of ['input', 'output', 'destination'] as const) {
      expect((await rename(site, type, ids[type], 'Theirs')).status).toBe(200)
      const body = { inputId: ids[type], type, title: 'Mine', formerTitle: 'Mine before' }
      const before = await databaseContent(site.ctx)
      const { status, failure } = await site.call('admin', updateTitle, { body })
      expect([type, status, failure.field, failure.changed]).toEqual([
        type,
        409,
        'title',
        ['title'],
      ])
      expect(failure.error).toContain('renamed it Theirs.')
      expect(failure.current).toEqual({ title: 'Theirs' })
      expect(await databaseContent(site.ctx)).toEqual(before)
      const again = { body: { ...body, formerTitle: 'Theirs' } }
      expect((await site.call('admin', updateTitle, again)).status).toBe(200)
    }
  },
)

function countOf(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test.each(BOTH_DATABASES)(
  'API-52 of four at once that ask for the same title one gets it, and three are refused, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const inputs = []
    for (const port of [6000, 6002, 6004, 6006]) inputs.push(await addTestInput(site, port))
    const answers = await Promise.all(
      inputs.map(async ({ id }) => rename(site, 'input', id, 'Main')),
    )
    expect(countOf(answers)).toEqual({ 200: 1, 409: 3 })
    const outputIds = []
    for (const [at, { id }] of inputs.entries()) {
      outputIds.push(await addTestOutput(site, id, { config: { port: 7000 + at } }))
    }
    const ofOutputs = await Promise.all(
      outputIds.map(async (id) => rename(site, 'output', id, 'To Paris')),
    )
    expect(countOf(ofOutputs)).toEqual({ 200: 1, 409: 3 })
  },
)

test('API-52 an empty title, what is not there, and another group’s: nothing changes', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6000)
  const outputId = await addTestOutput(site, id)
  const destinationId = await addDestination(site, 'Paris')
  const before = await databaseContent(site.ctx)
  const empty = await rename(site, 'input', id, '  ')
  expect([empty.status, empty.failure.field]).toEqual([400, 'title'])
  expect((await rename(site, 'output', id, 'Not an output')).status).toBe(404)
  for (const [type, foreign] of [
    ['input', id],
    ['output', outputId],
    ['destination', destinationId],
  ] as const) {
    expect([type, (await rename(site, type, foreign, 'Mine', 'southManager')).status]).toEqual([
      type,
      404,
    ])
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})
