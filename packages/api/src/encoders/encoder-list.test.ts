/** The dashboard's list in every dialect that it may be asked in. */
import {
  addEncoder,
  listAllEncoders,
  listEncoders,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyRow } from '../testing/copied-rows.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import type { InjectInput } from '../testing/inject.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
beforeEach(async () => {
  site = await openTestSite()
})
afterEach(async () => site[Symbol.asyncDispose]())

function draft(title: string, more: object = {}) {
  const { port } = site.encoderHost
  return { title, ip: '127.0.0.1', port, groupId: site.north, apiKey: FAKE_KEY, ...more }
}

test.each<[string, InjectInput<typeof listAllEncoders>]>([
  ['names of the manager’s list', { body: { page: 1, rowsPerPage: 1, searchValue: 'cam' } }],
  ['the query string', { query: { page: '1', rows: '1', search: 'cam' } }],
  ['both', { query: { page: '1', rowsPerPage: '1', searchValue: 'cam' } }],
  ['a body before the query string', { query: { page: 7, rows: 9 }, body: { page: 1, rows: 1 } }],
  ['text, empty where not set', { query: { page: '1', rows: '', rowsPerPage: '1' } }],
])('DASH-04 Q53 API-22 the list is asked for in %s', async (_dialect, input) => {
  for (const title of ['Camera 1', 'Camera 2', 'Camera 3']) {
    await site.call('admin', addEncoder, { body: draft(title) })
  }
  const { status, answer } = await site.call('northMonitor', listAllEncoders, input)
  expect(status).toBe(200)
  expect(answer.result.map(({ title }) => title)).toEqual(['Camera 2'])
  expect(answer.total).toBe(3)
})

test('DASH-04 API-22 the list is asked for without a body: the first page of all', async () => {
  await site.call('admin', addEncoder, { body: draft('Alpha') })
  await site.call('admin', addEncoder, { body: draft('Delta', { groupId: site.south }) })
  expect((await site.call('admin', listAllEncoders, {})).answer.total).toBe(2)
  for (const group of [{ group: site.south }, { groupId: site.south }]) {
    const inQuery = await site.call('admin', listAllEncoders, { query: group })
    const inBody = await site.call('admin', listAllEncoders, { body: group })
    expect(inQuery.answer.result.map(({ title }) => title)).toEqual(['Delta'])
    expect(inBody.answer).toEqual(inQuery.answer)
  }
  const { status, failure } = await site.call('admin', listAllEncoders, {
    query: { sort: 'title' } as object,
  })
  expect([status, failure.field]).toEqual([400, 'sort'])
})

test('DASH-05 API-72 all rows of a list that is read in parts, each once, in order', async () => {
  const added = await site.call('admin', addEncoder, { body: draft('Camera') })
  await copyRow(site.ctx.db, 'encoders', added.answer.data._id, 250, ['id', 'name'])
  const page = async (input: InjectInput<typeof listAllEncoders>) =>
    (await site.call('admin', listAllEncoders, input)).answer
  const all = await page({ body: { rows: 0 } })
  expect([all.result.length, all.total]).toEqual([251, 251])
  const pages = await Promise.all(
    [0, 1, 2].map(async (at) => page({ body: { page: at, rows: 100 } })),
  )
  expect(all.result).toEqual(pages.flatMap(({ result }) => result))
})

test('the manager’s list is sorted by title without case and accents, also after a change', async () => {
  const ids = new Map<string, string>()
  for (const title of ['beta', 'Émile', 'Alpha', 'delta']) {
    const { answer } = await site.call('admin', addEncoder, { body: draft(title) })
    ids.set(title, answer.id)
  }
  const titles = async (sort: 'title' | '-title') => {
    const { answer } = await site.call('admin', listEncoders, { query: { sort, rowsPerPage: 3 } })
    return answer.encoders.map(({ title }) => title)
  }
  expect(await titles('title')).toEqual(['Alpha', 'beta', 'delta'])
  expect(await titles('-title')).toEqual(['Émile', 'delta', 'beta'])
  const data = { _id: ids.get('Alpha') ?? '', title: 'Zulu' }
  expect((await site.call('admin', updateEncoder, { body: data })).status).toBe(200)
  expect(await titles('-title')).toEqual(['Zulu', 'Émile', 'delta'])
})

test('a list that is sorted by something else is refused with the field and the choices', async () => {
  const { status, failure } = await site.call('admin', listEncoders, {
    query: { sort: 'state' } as object,
  })
  expect([status, failure.field]).toEqual([400, 'sort'])
  expect(failure.error).toBe(
    "sort must be name, title, ip, port, or email, with - before it for descending order, or empty for the list's own order.",
  )
})
