import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import {
  addOutput,
  listOutputs,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { outputBody, type OutputBody } from '../../testing/input.fixture.ts'
import { PLANTED_SECRETS, type InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addFeed, openHostWithoutBus, specOf } from './output.fixture.ts'

let site: TestSite
let inputId: string
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  inputId = await addFeed(site, 6000, { title: 'Feed', inputType: 'aCANFeeder' })
})
afterEach(async () => site[Symbol.asyncDispose]())

const draft = (more: Partial<OutputBody> = {}) => outputBody(inputId, more)

async function add(who: PersonName, body: OutputBody) {
  return site.call(who, addOutput, { body })
}

async function addDestination(id: string, groupId: string, passphrase: string): Promise<void> {
  await site.ctx.db
    .insertInto('destinations')
    .values({
      id,
      title: id,
      ip: '192.0.2.10',
      group_id: groupId,
      encryption: '{"selection":"yes","type":128}',
      passphrase_sealed: site.ctx.keys.seal(passphrase),
      version: 1,
      created_at: '2026-11-20T10:00:00.000Z',
      search: id,
    })
    .execute()
}

test('API-68 an output reads its input’s bus and calls the far end', async () => {
  const { status, answer } = await add('northManager', draft())
  expect(status).toBe(201)
  expect(answer.data).toMatchObject({
    contributionId: inputId,
    contributionInfo: {
      title: 'Feed',
      serverId: site.acantsId,
      config: { multicast: '239.255.0.1', port: 6000 },
    },
    destinationId: null,
    isEnabled: true,
    config: { mode: 'Push', port: '7000' },
  })
  expect(specOf(site, answer.id)).toMatchObject({
    kind: 'sender',
    local: { ip: '239.255.0.1', port: 20_000 },
    outer: { protocol: 'srt', mode: 'call', host: '192.0.2.10', port: 7000 },
  })
})

test('RIST: reorder buffer and RTL go along', async () => {
  const config = { port: 7000, reorderBuffer: 25, rtl: 40 }
  const { answer } = await add('admin', draft({ inputType: 'RIST', config }))
  expect(specOf(site, answer.id)).toMatchObject({
    outer: { protocol: 'rist', profile: 'main', reorderBufferMs: 25, rttMinMs: 40, bufferMs: 3000 },
  })
})

test('a Local input is read where its stream is', async () => {
  const local = await site.call('admin', addInput, {
    body: {
      title: 'House feed',
      inputType: 'Local',
      serverId: site.acantsId,
      groupId: site.north,
      config: { port: 5500, multicast: '239.1.2.3' },
    },
  })
  const { answer } = await add('admin', draft({ contributionId: local.answer.id }))
  expect(specOf(site, answer.id)).toMatchObject({ local: { ip: '239.1.2.3', port: 5500 } })
})

test('rule 9: a listening output takes a port of its server, a calling one takes none', async () => {
  expect(
    (await add('admin', draft({ config: { mode: 'Listen', host: '', port: 6000 } }))).status,
  ).toBe(409)
  expect(
    (await add('admin', draft({ config: { mode: 'Listen', host: '', port: 7000 } }))).status,
  ).toBe(201)
  expect((await add('admin', draft({ config: { port: 7000 } }))).status).toBe(201)
  const { status, failure } = await add(
    'admin',
    draft({ config: { mode: 'Listen', host: '', port: 7000 } }),
  )
  expect(status).toBe(409)
  expect(failure.error).toContain("output 'To far end'")
})

test('decisions 2: without a local bus an input has one reader, and says why', async () => {
  await using _host = await openHostWithoutBus(site)
  expect((await add('admin', draft())).status).toBe(201)
  const { status, failure } = await add('admin', draft())
  expect(status).toBe(422)
  expect(failure.error).toContain('Multicast does not come back on lo.')
})

test('decisions 17: an output follows its destination’s key without a browser seeing it', async () => {
  await addDestination('stadium', site.north, PLANTED_SECRETS[1])
  const encryption = { selection: 'yes' } as const
  const { answer } = await add('northManager', draft({ destinationId: 'stadium', encryption }))
  expect(answer.data).toMatchObject({
    destinationId: 'stadium',
    encryption: { passphraseSet: true },
  })
  expect(specOf(site, answer.id)).toMatchObject({
    outer: { key: { passphrase: PLANTED_SECRETS[1] } },
  })
})

test('T3 a destination of another group is refused', async () => {
  await addDestination('southern', site.south, PLANTED_SECRETS[1])
  const before = await databaseContent(site.ctx)
  const encryption = { selection: 'yes' } as const
  const { status } = await add('northManager', draft({ destinationId: 'southern', encryption }))
  expect(status).toBe(404)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('ROLE-11 AR who lists outputs of group North', async () => {
  await add('admin', draft())
  expect((await site.call('southManager', listOutputs, {})).answer.total).toBe(0)
  expect((await site.call('northManager', listOutputs, {})).answer.total).toBe(1)
})

test('API-69 CON-OUT-06 status by name and by id, of this input only', async () => {
  const { id, data } = (await add('admin', draft())).answer
  const read = async (contributionId: string, name: string) =>
    site.call('admin', readOutputStatus, { params: { contributionId, name } })
  expect((await read(inputId, data.name)).answer).toMatchObject({ error: 'exit status 3' })
  expect((await read(inputId, id)).status).toBe(200)
  expect(
    (await read(await addFeed(site, 6010, { inputType: 'aCANFeeder' }), data.name)).status,
  ).toBe(404)
})

test('CON-OUT-08 and Q143 an output is started, and its log read by either type', async () => {
  const { id } = (await add('admin', draft())).answer
  const act = async (type: 2 | 12, actionType: 'start' | 'tail') =>
    (await site.call('northManager', contributionAction, { body: { id, type, actionType } })).answer
  expect(await act(2, 'start')).toMatchObject({ status: true })
  expect(await act(2, 'tail')).toEqual({ status: true, results: 'one line' })
  expect(await act(12, 'tail')).toEqual({ status: true, results: 'one line' })
})

test('an id of the other kind is not found', async () => {
  const { status } = await site.call('admin', contributionAction, {
    body: { id: inputId, type: 2, actionType: 'start' },
  })
  expect(status).toBe(404)
})

test('API-64 CON-OUT-05, Q150 the list is cut by input, destination, search and page', async () => {
  await addDestination('stadium', site.north, PLANTED_SECRETS[1])
  const other = await addFeed(site, 6020, { inputType: 'aCANFeeder' })
  await add('admin', draft({ title: 'Linked', destinationId: 'stadium' }))
  await add('admin', draft({ title: 'Typed' }))
  await add(
    'admin',
    draft({
      title: 'Elsewhere',
      contributionId: other,
      config: { host: '192.0.2.101', port: 7002 },
    }),
  )
  const list = async (query: InjectInput<typeof listOutputs>['query']) => {
    const { answer } = await site.call('admin', listOutputs, { query: query ?? {} })
    return answer.outputs.map(({ title }) => title)
  }
  expect(await list({ destinationId: 'stadium' })).toEqual(['Linked', 'Typed'])
  expect(await list({ contributionId: other })).toEqual(['Elsewhere'])
  expect(await list({ searchValue: 'typed' })).toEqual(['Typed'])
  expect(await list({ searchValue: 'feed' })).toHaveLength(3)
  expect(await list({ rowsPerPage: 1, page: 2 })).toEqual(['Elsewhere'])
})
