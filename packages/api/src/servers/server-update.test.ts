import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { PLANTED_SECRETS } from '../testing/inject.ts'
import { addGateway } from '../testing/server.fixture.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { deleteServer, saveServer } from './server.fixture.ts'

const [API_KEY] = PLANTED_SECRETS

test('SRV-16 SRV-18 absent fields stay, an empty key keeps the stored key', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test, { location: 'Rack 7', apiKey: API_KEY })
  const { status, answer } = await saveServer(test, id, { title: 'Renamed', apiKey: '' })
  expect(status).toBe(200)
  expect(answer.data).toMatchObject({
    title: 'Renamed',
    host: '127.0.0.1',
    location: 'Rack 7',
    groupIds: [test.north],
    apiKeySet: true,
    version: 2,
  })
  expect(await storedKey(test, id)).toBe(API_KEY)
  await saveServer(test, id, { apiKey: 'another-key-0001' })
  expect(await storedKey(test, id)).toBe('another-key-0001')
})

async function storedKey(test: TestApp, id: string): Promise<string> {
  const row = await test.ctx.db
    .selectFrom('servers')
    .select('api_key_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return test.ctx.keys.open(row.api_key_sealed)
}

test('decisions 18 an answer may be sent back as it is; adapters keep their ids', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  const { answer } = await saveServer(test, id, { title: 'Renamed' })
  const kept = answer.data.adapterIps
  const again = await saveServer(test, id, {
    ...answer.data,
    adapterIps: [...kept, ...kept, { adapterName: 'eth1', adapterIp: '192.0.2.2' }],
  })
  expect(again.status).toBe(200)
  const ids = again.answer.data.adapterIps.map((adapter) => adapter._id)
  expect(ids[0]).toBe(kept[0]?._id)
  expect(new Set(ids).size).toBe(3)
})

test('decisions 16 a save of an old version is refused, with what is there now and what differs', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test, { groupIds: [test.north, test.south] })
  await saveServer(test, id, { version: 1, title: 'Theirs', location: 'Rack 7' })
  const before = await databaseContent(test.ctx)
  const { status, failure } = await saveServer(test, id, {
    version: 1,
    title: 'Mine',
    apiKey: 'another-key-0001',
    groupIds: [test.south, test.north],
    adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    location: '',
  })
  expect([status, failure.code, failure.changed]).toEqual([409, 'conflict', ['title', 'location']])
  expect(failure.current).toMatchObject({ id, title: 'Theirs', version: 2, apiKeySet: true })
  expect(await databaseContent(test.ctx)).toEqual(before)
  expect((await saveServer(test, id, { title: 'Without a version' })).status).toBe(200)
})

test('API-18 an address that is taken changes nothing, however it is written', async () => {
  await using test = await openTestApp()
  await addGateway(test, { host: 'gw.example.org', port: 9000 })
  const id = await addGateway(test, { host: 'other.example.org', port: 9000 })
  const before = await databaseContent(test.ctx)
  const { status, failure } = await saveServer(test, id, { host: 'https://GW.example.org' })
  expect([status, failure.code, failure.field]).toEqual([409, 'conflict', 'port'])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('T7 decisions 22 a host on this machine is refused, one that stays is not looked at again', async () => {
  await using test = await openTestApp({ allowLocalHosts: false })
  const id = await addGateway(test, { host: 'gw.example.org' })
  const { status, failure } = await saveServer(test, id, { host: '127.0.0.1' })
  expect([status, failure.field]).toEqual([400, 'host'])
  await test.ctx.db.updateTable('servers').set({ host: '10.0.0.9', host_key: '10.0.0.9' }).execute()
  expect((await saveServer(test, id, { host: '10.0.0.9', title: 'Renamed' })).status).toBe(200)
})

test.each([
  ['title', { title: '' }],
  ['title', { title: 'a\r\nb' }],
  ['title', { title: 'x'.repeat(121) }],
  ['host', { host: '<script>alert(1)</script>' }],
  ['host', { host: 'gw.example.org:8000' }],
  ['port', { port: 'http' }],
  ['port', { port: 0 }],
  ['serverType', { serverType: 'other' }],
  ['apiKey', { apiKey: 'short' }],
  ['apiKey', { apiKey: 'abcdefgh\nX-Evil: 1' }],
  ['groupIds', { groupIds: [] }],
  ['groupIds', { groupIds: ['nowhere'] }],
  ['adapterIps', { adapterIps: [] }],
  ['adapterIps.0.adapterIp', { adapterIps: [{ adapterName: 'eth0', adapterIp: '1.2.3' }] }],
  ['adapterIps.0.adapterName', { adapterIps: [{ adapterName: '', adapterIp: '192.0.2.1' }] }],
  ['location', { location: 'a\nb' }],
  ['description', { description: 'x'.repeat(2001) }],
  ['version', { version: 0 }],
  ['isAdmin', { isAdmin: true }],
])('API-73 a bad %s is refused by its name, and changes nothing: %j', async (field, body) => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  const before = await databaseContent(test.ctx)
  const { status, failure } = await saveServer(test, id, { location: 'Rack 7', ...body })
  expect([status, failure.field]).toEqual([400, field])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('T13 script in a title is text like any other', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  const title = '<img src=x onerror=alert(1)> "; drop table servers;--'
  expect((await saveServer(test, id, { title })).answer.data.title).toBe(title)
})

test('API-18 API-19 a server that is not there', async () => {
  await using test = await openTestApp()
  expect((await saveServer(test, 'nowhere', { title: 'x' })).status).toBe(404)
  expect((await deleteServer(test, 'nowhere')).status).toBe(404)
})

test('a save is pushed to the groups before and after; a removal to those before', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  await saveServer(test, id, { groupIds: [test.south] })
  await deleteServer(test, id)
  expect(notices).toEqual([
    { kind: 'server', id, change: 'changed', groupIds: [test.north, test.south] },
    { kind: 'server', id, change: 'removed', groupIds: [test.south] },
  ])
})

test('T20 both leave a line with before and after, and no key', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test, { apiKey: API_KEY })
  await saveServer(test, id, { title: 'Renamed', apiKey: 'another-key-0001' })
  await deleteServer(test, id)
  const lines = await test.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
  const entries = lines
    .slice(1)
    .map(({ call, result, object_id, before, after }) => [
      call,
      result,
      object_id,
      (JSON.parse(before ?? 'null') as { title: string }).title,
      after === null ? null : (JSON.parse(after) as unknown),
    ])
  expect(entries).toEqual([
    ['servers.update', 'done', id, 'Gateway 2', { title: 'Renamed', apiKey: '***' }],
    ['servers.remove', 'done', id, 'Renamed', null],
  ])
  const text = JSON.stringify(lines)
  expect([text.includes('another-key'), text.includes(API_KEY)]).toEqual([false, false])
})
