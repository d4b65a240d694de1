/** API-57, API-60, API-63: destinations listed and removed, beside the outputs that go there. */
import {
  listDestinations,
  matchDestinations,
  removeDestination,
  removeDestinations,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import {
  changeOutputDestination,
  listOutputs,
  readOutput,
} from '@trunkline/contract/contributions/output.calls'
import { describe, expect, test } from 'vitest'
import type { InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import { addFarEnd, addFeed, addWay } from '../outputs/output.fixture.ts'

type Edit = NonNullable<InjectInput<typeof updateDestination>['body']>

async function save(site: TestSite, id: string, body: Edit, who: PersonName = 'northManager') {
  return site.call(who, updateDestination, { params: { id }, body })
}

async function list(
  site: TestSite,
  who: PersonName,
  query: InjectInput<typeof listDestinations>['query'] = {},
) {
  return (await site.call(who, listDestinations, { query: query ?? {} })).answer
}

describe.each(BOTH_DATABASES)('destinations in use on %s', (kind) => {
  test('all that match are named by id and title, within the search and what one may see', async () => {
    await using site = await openSiteOn(kind)
    const id = await addFarEnd(site)
    await save(site, id, { title: 'Paris', ip: '192.0.2.20' })
    const other = await addFarEnd(site, { title: 'Lyon' })
    const matching = async (who: PersonName, searchValue: string) =>
      (await site.call(who, matchDestinations, { query: { searchValue } })).answer.data
    expect(await matching('northManager', '')).toEqual({
      total: 2,
      ids: [other, id],
      titles: ['Lyon', 'Paris'],
    })
    expect(await matching('northManager', 'pari')).toMatchObject({ total: 1, ids: [id] })
    expect((await matching('southManager', '')).total).toBe(0)
  })

  test('Q151 API-63 outputs keep the address of a destination that changed or was deleted', async () => {
    const site = await openSiteOn(kind)
    const inputId = await addFeed(site, 6000)
    const id = await addFarEnd(site)
    const way = await addWay(site, inputId, { destinationId: id })
    await save(site, id, { title: 'Far end', ip: '192.0.2.20' })
    const read = async () =>
      (await site.call('admin', readOutput, { params: { id: way.id } })).answer.data
    expect(await read()).toMatchObject({
      destinationInfo: { ip: '192.0.2.20' },
      config: { host: '192.0.2.10' },
      version: 1,
    })
    const { status, answer } = await site.call('northManager', removeDestination, {
      params: { id },
    })
    expect([status, answer]).toEqual([200, { status: true, msg: 'Destination removed.', id }])
    expect(await read()).toMatchObject({
      destinationId: null,
      destinationInfo: null,
      config: { host: '192.0.2.10' },
      version: 1,
    })
    expect(await site.ctx.db.selectFrom('outputs').select('destination_id').execute()).toEqual([
      { destination_id: null },
    ])
    expect((await site.call('admin', removeDestination, { params: { id } })).status).toBe(404)
  })

  test('API-57 CON-DEST-11 several are removed; another group’s is not there', async () => {
    const site = await openSiteOn(kind)
    const [first, second] = [await addFarEnd(site), await addFarEnd(site, { title: 'Two' })]
    const foreign = await addFarEnd(site, { groupId: site.south })
    const { answer } = await site.call('northManager', removeDestinations, {
      body: { destinationIds: [first, foreign, second] },
    })
    expect(answer).toMatchObject({
      msg: 'Destination(s) remove successfully..',
      deleted: [first, second],
      failed: [{ name: foreign, error: expect.stringContaining('no such destination') as string }],
    })
    expect((await list(site, 'admin')).destinations.map(({ id }) => id)).toEqual([foreign])
    const none = await site.call('northManager', removeDestinations, {
      body: { destinationIds: [foreign] },
    })
    expect(none.status).toBe(404)
  })

  test('API-60 Q153 CON-DEST-02 in order of title, cut by search, page and group', async () => {
    const site = await openSiteOn(kind)
    await addFarEnd(site, { title: 'delta', ip: '192.0.2.4' })
    await addFarEnd(site, { title: 'Bravo', ip: '192.0.2.2' })
    await addFarEnd(site, { title: 'Été', ip: 'alpha.example' })
    await addFarEnd(site, { title: 'charlie', ip: '192.0.2.3' })
    await addFarEnd(site, { title: 'Alpha', ip: '192.0.2.1', groupId: site.south })
    const titles = async (who: PersonName, query = {}) =>
      (await list(site, who, query)).destinations.map(({ title }) => title)
    expect(await titles('admin')).toEqual(['Alpha', 'Bravo', 'charlie', 'delta', 'Été'])
    expect(await titles('northManager')).toEqual(['Bravo', 'charlie', 'delta', 'Été'])
    expect(await titles('admin', { searchValue: 'ALPHA' })).toEqual(['Alpha', 'Été'])
    const [first] = (await list(site, 'admin', {})).destinations
    expect(await titles('admin', { id: first?.id })).toEqual([first?.title])
    expect(await titles('admin', { id: 'none' })).toEqual([])
    expect(await titles('admin', { searchValue: 'ete' })).toEqual(['Été'])
    expect(await titles('admin', { searchValue: 'south' })).toEqual(['Alpha'])
    expect(await titles('admin', { searchValue: '%' })).toEqual([])
    expect(await titles('admin', { rowsPerPage: 2, page: 1 })).toEqual(['charlie', 'delta'])
    const page = await list(site, 'admin', { rowsPerPage: 2, page: 1 })
    expect([page.length, page.total]).toEqual([5, 5])
    expect((await list(site, 'loneManager')).total).toBe(0)
  })
})

describe.each(BOTH_DATABASES)('outputs of a destination on %s', (kind) => {
  test('Q150 CON-DEST-01 the outputs that refer to it are counted, those of its address are offered for linking', async () => {
    const site = await openSiteOn(kind)
    const inputId = await addFeed(site, 6000)
    const id = await addFarEnd(site, { ip: 'Far.Example' })
    await addFarEnd(site, { title: 'Farther', ip: 'ar.example' })
    const twin = await addFarEnd(site, { title: 'Twin', ip: 'far.example' })
    const way = async (config: object, more: object = {}) =>
      addWay(site, inputId, { ...more, config: { port: 7000, ...config } })
    await way({ host: '' }, { title: 'Chosen', destinationId: id })
    await way({ host: '' }, { title: 'To the twin', destinationId: twin })
    await way({ host: 'far.example' }, { title: 'Typed' })
    await way({ host: 'far.example.org' })
    await way({ host: 'sofar.example' })
    await way({ mode: 'Listen', host: 'far.example', port: 7002 })
    await way(
      { host: '192.0.2.1', secondPath: { host: 'far.example', port: 7000, adapterIp: '' } },
      { inputType: 'RIST', title: 'far.example' },
    )
    const counts = async (who: PersonName) =>
      (await list(site, who)).destinations.map(({ title, outputs, linkable }) => {
        return [title, outputs, linkable]
      })
    const expected = [
      ['Far end', 1, 1],
      ['Farther', 0, 0],
      ['Twin', 1, 1],
    ]
    expect(await counts('northManager')).toEqual(expected)
    expect(await counts('admin')).toEqual(expected)
    const titles = async (query: object) => {
      const { answer } = await site.call('northManager', listOutputs, { query })
      return answer.outputs.map(({ title }) => title)
    }
    expect(await titles({ linkableTo: id }), 'the one that is offered').toEqual(['Typed'])
    expect(await titles({ destinationId: id }), 'the filter shows both').toEqual([
      'Chosen',
      'Typed',
    ])
    const foreign = await addFarEnd(site, { title: 'F', groupId: site.south, ip: 'far.example' })
    expect(await counts('southManager')).toEqual([['F', 0, 0]])
    expect(await titles({ linkableTo: foreign })).toEqual([])
    expect((await list(site, 'admin', { searchValue: 'south' })).destinations).toMatchObject([
      { id: foreign, outputs: 0, linkable: 1 },
    ])
    const { answer } = await site.call('admin', listOutputs, { query: { linkableTo: id } })
    const outputIds = answer.outputs.map((output) => output.id)
    const linked = await site.call('northManager', changeOutputDestination, {
      body: { destinationId: id, outputIds },
    })
    expect(linked.answer.updated).toBe(1)
    expect(await counts('northManager')).toEqual([
      ['Far end', 2, 0],
      ['Farther', 0, 0],
      ['Twin', 1, 0],
    ])
  })

  test('T3 a filter by another group’s destination finds none that go to its address', async () => {
    const site = await openSiteOn(kind)
    const inputId = await addFeed(site, 6000)
    await addWay(site, inputId)
    const foreign = await addFarEnd(site, { groupId: site.south })
    const total = async (who: PersonName, destinationId: string) =>
      (await site.call(who, listOutputs, { query: { destinationId } })).answer.total
    expect(await total('admin', foreign)).toBe(1)
    expect(await total('northManager', foreign)).toBe(0)
    expect(await total('admin', '%')).toBe(0)
  })
})
