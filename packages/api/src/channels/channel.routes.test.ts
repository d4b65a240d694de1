import {
  listChannels,
  readPlayback,
  renameChannel,
  saveChannels,
} from '@trunkline/contract/channels/channel.calls'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { inject } from '../testing/inject.ts'
import { addMediaServer, openChannelSite, type ChannelSite } from './channel.fixture.ts'
import * as channelStore from './channel.store.ts'

async function listed(site: ChannelSite, token: string, body: object = {}) {
  const { answer } = await inject(site.app, listChannels, token, { body })
  return [answer.data.map((item) => item.name).join(' '), answer.total]
}

test('API-39 API-79 Q31 matrix AH: everybody lists the channels of their groups', async () => {
  await using site = await openChannelSite()
  const { admin, northManager, northEditor, northMonitor, southEditor, loneManager } = site.people
  expect(await listed(site, admin.token)).toEqual(['live/north south shared', 3])
  for (const { token } of [northManager, northEditor, northMonitor]) {
    expect(await listed(site, token)).toEqual(['live/north shared', 2])
  }
  expect(await listed(site, southEditor.token)).toEqual(['south shared', 2])
  expect(await listed(site, loneManager.token)).toEqual(['', 0])
  const { answer } = await inject(site.app, listChannels, northEditor.token, {
    body: { searchValue: 'shared' },
  })
  expect(answer.data).toEqual([
    {
      _id: site.shared.id,
      id: site.shared.id,
      name: 'shared',
      title: 'Title shared',
      serverId: site.serverId,
      serverInfo: { _id: site.serverId, host: '127.0.0.1', port: site.media.port, title: 'Origin' },
      groupIds: [site.north],
      version: 1,
    },
  ])
})

test('CHAN-04 lists are cut to server, group, search and page', async () => {
  await using site = await openChannelSite()
  const { admin, northManager } = site.people
  expect(await listed(site, admin.token, { serverId: 'nowhere' })).toEqual(['', 0])
  expect(await listed(site, admin.token, { groupId: site.south })).toEqual(['south shared', 2])
  expect(await listed(site, northManager.token, { groupId: site.south })).toEqual(['', 0])
  expect(await listed(site, admin.token, { searchValue: 'LIVE/' })).toEqual(['live/north', 1])
  expect(await listed(site, admin.token, { page: 1, rowsPerPage: 2 })).toEqual(['shared', 3])
})

test('a new title is answered, pushed, audited, and survives the next Sync', async () => {
  await using site = await openChannelSite()
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  const { token } = site.people.northManager
  const { id } = site.north1
  const title = `  <b>"Fête" & $(reboot)'  `
  const { answer } = await inject(site.app, renameChannel, token, {
    params: { channelId: id },
    body: { title },
  })
  expect(answer.data).toEqual({ ...site.north1, title: title.trim(), version: 2 })
  expect(notices).toEqual([{ kind: 'channel', id, change: 'changed', groupIds: [site.north] }])
  const line = await site.ctx.db
    .selectFrom('audit')
    .selectAll()
    .where('call', '=', 'channels.rename')
    .executeTakeFirstOrThrow()
  expect([line.result, line.object_id, line.before, line.after]).toEqual([
    'done',
    id,
    JSON.stringify({ title: 'Title live/north' }),
    JSON.stringify({ title: title.trim() }),
  ])
  const again = await inject(site.app, saveChannels, token, {
    body: [{ name: 'live/north', title: 'Other', serverId: site.serverId, groupIds: [site.north] }],
  })
  expect(again.answer.data).toEqual([answer.data])
})

test('decisions 16 of two who rename a channel at once one is refused with what the other saved', async () => {
  await using site = await openChannelSite()
  const { token } = site.people.northManager
  const rename = async (title: string) =>
    inject(site.app, renameChannel, token, {
      params: { channelId: site.north1.id },
      body: { title, version: site.north1.version },
    })
  const answers = await Promise.all([rename('Evening news'), rename('Late news')])
  const [taken, refused] = answers.toSorted((a, b) => a.status - b.status)
  expect([taken?.status, refused?.status]).toEqual([200, 409])
  expect(refused?.failure).toMatchObject({ current: taken?.answer.data, changed: ['title'] })
  const after = await inject(site.app, renameChannel, token, {
    params: { channelId: site.north1.id },
    body: { title: 'From a foreign client' },
  })
  expect(after.answer.data.version).toBe(3)
})

test('Q125 API-40 admin-level use the groups of the server, a manager names their own', async () => {
  await using site = await openChannelSite()
  const pick = (name: string, groupIds: string[]) => ({
    body: [{ name, title: name, serverId: site.serverId, groupIds }],
  })
  const { admin, northManager } = site.people
  const all = await inject(site.app, saveChannels, admin.token, pick('one', []))
  expect(all.answer.data[0]?.groupIds).toEqual([site.north, site.south])
  const none = await inject(site.app, saveChannels, northManager.token, pick('two', []))
  expect([none.status, none.failure.field, none.failure.error]).toEqual([
    400,
    '0.groupIds',
    'Select a group',
  ])
  const both = pick('two', [site.north, site.south])
  const foreign = await inject(site.app, saveChannels, northManager.token, both)
  const unknown = await inject(
    site.app,
    saveChannels,
    northManager.token,
    pick('two', [site.north, 'nowhere']),
  )
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
})

test('CHAN-39 Q126 syncing twice changes nothing, and notifies nobody', async () => {
  await using site = await openChannelSite()
  const { token } = site.people.admin
  const before = await databaseContent(site.ctx)
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  const names = ['live/north', 'south', 'shared']
  const { answer } = await inject(site.app, saveChannels, token, {
    body: names.map((name) => ({ name, title: 'Other', serverId: site.serverId })),
  })
  expect(answer.data).toEqual([site.north1, site.south1, site.shared])
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(notices).toEqual([])
})

test('a list of many streams is notified once, to everybody who sees one of them', async () => {
  await using site = await openChannelSite()
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  const { answer, status } = await inject(site.app, saveChannels, site.people.admin.token, {
    body: [
      { name: 'b', title: 'B', serverId: site.serverId, groupIds: [site.north] },
      { name: 'a', title: 'A', serverId: site.serverId, groupIds: [site.south] },
      { name: 'a', title: 'Twice', serverId: site.serverId, groupIds: [site.south] },
      { name: 'south', title: 'South', serverId: site.serverId, groupIds: [site.north] },
    ],
  })
  expect(status).toBe(200)
  expect(answer.data.map(({ name, title }) => [name, title])).toEqual([
    ['south', 'Title south'],
    ['a', 'A'],
    ['b', 'B'],
  ])
  expect(answer.data[0]?.groupIds).toEqual([site.north, site.south])
  expect(notices).toHaveLength(1)
  expect(notices[0]).toMatchObject({ kind: 'channel', change: 'added' })
  expect(notices[0]).toHaveProperty('groupIds', expect.arrayContaining([site.north, site.south]))
  const lines = await site.ctx.db
    .selectFrom('audit')
    .select('result')
    .where('call', '=', 'channels.save')
    .execute()
  expect(lines).toHaveLength(3 + 3)
})

test('T3 a manager cannot save a channel of another group on a shared server', async () => {
  await using site = await openChannelSite()
  const before = await databaseContent(site.ctx)
  const body = ['new', 'south'].map((name) => ({
    name,
    title: name,
    serverId: site.serverId,
    groupIds: [site.north],
  }))
  const { status, failure } = await inject(site.app, saveChannels, site.people.northManager.token, {
    body,
  })
  expect([status, failure.code, failure.field]).toEqual([409, 'conflict', '1.name'])
  expect(await databaseContent(site.ctx)).toEqual(before)
})

describeOnBothDatabases('Saving at once', (open) => {
  test('Q126 several who save the same streams make one channel of each', async () => {
    await using site = await openChannelSite({ db: await open() })
    const groupIds = [site.north]
    const body = ['race1', 'race2'].map((name) => ({
      name,
      title: name,
      serverId: site.serverId,
      groupIds,
    }))
    const { admin, superadmin, northManager } = site.people
    const answers = await Promise.all(
      [admin, northManager, superadmin, northManager].map(async ({ token }) =>
        inject(site.app, saveChannels, token, { body }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect((await listed(site, admin.token, { searchValue: 'race' }))[1]).toBe(2)
  })

  test('Q126 a save that is overtaken finds the channel saved', async () => {
    const db = await open()
    await using site = await openChannelSite({ db })
    const { token } = site.people.admin
    const { serverId, north, south } = site
    const createdAt = '2026-11-20T10:00:00.000Z'
    const other = { id: 'other', serverId, name: 'race', title: 'First', createdAt }
    const saving: Promise<Awaited<ReturnType<typeof inject<typeof saveChannels>>>>[] = []
    const hasLocks = await isPostgres(db)
    await db.transaction().execute(async (trx) => {
      await channelStore.insert(trx, other, [north])
      const body = [{ name: 'race', title: 'Second', serverId, groupIds: [south] }]
      saving.push(inject(site.app, saveChannels, token, { body }))
      // SQLite has one connection: there the second waits for it, not for a row.
      if (hasLocks) await someoneWaits(db)
    })
    const answer = await saving[0]
    expect(answer?.status).toBe(200)
    expect(answer?.answer.data).toMatchObject([
      { id: 'other', title: 'First', groupIds: [north, south] },
    ])
  })
})

async function isPostgres(db: Connection): Promise<boolean> {
  return sql`select version()`.execute(db).then(
    () => true,
    () => false,
  )
}

async function someoneWaits(db: Connection): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length === 0);
}

const SERVER = 'SERVER'
const GROUP = 'GROUP'

test.each([
  ['not a list', { name: 'a' }, 400, undefined],
  ['an unknown field', [{ name: 'a', title: 'A', serverId: SERVER, foo: 1 }], 400, '0.foo'],
  ['no name', [{ title: 'A', serverId: SERVER }], 400, '0.name'],
  ['a name that climbs', [{ name: '../a', title: 'A', serverId: SERVER }], 400, '0.name'],
  ['a name with a space', [{ name: 'a b', title: 'A', serverId: SERVER }], 400, '0.name'],
  ['an empty title', [{ name: 'a', title: ' ', serverId: SERVER }], 400, '0.title'],
  ['two lines', [{ name: 'a', title: 'A\nB', serverId: SERVER }], 400, '0.title'],
  ['a long title', [{ name: 'a', title: 'x'.repeat(10_000), serverId: SERVER }], 400, '0.title'],
  ['a number', [{ name: 'a', title: 7, serverId: SERVER }], 400, '0.title'],
  ['no such server', [{ name: 'a', title: 'A', serverId: 'nowhere' }], 404, undefined],
  [
    'no such group',
    [{ name: 'a', title: 'A', serverId: SERVER, groupIds: [GROUP, 'nowhere'] }],
    404,
    undefined,
  ],
  [
    'a fault in the second',
    [
      { name: 'a', title: 'A', serverId: SERVER },
      { name: 'b', title: 'B', serverId: 'nowhere' },
    ],
    404,
    undefined,
  ],
] as const)(
  'API-73 saving is refused, and changes nothing: %s',
  async (_why, body, status, field) => {
    await using site = await openChannelSite()
    const before = await databaseContent(site.ctx)
    const text = JSON.stringify(body)
      .replaceAll(SERVER, site.serverId)
      .replaceAll(GROUP, site.north)
    const answer = await inject(site.app, saveChannels, site.people.admin.token, {
      body: JSON.parse(text) as [],
    })
    expect([answer.status, answer.failure.status]).toEqual([status, false])
    expect(answer.failure.msg).toBe(answer.failure.error)
    expect(answer.failure.field).toBe(field)
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)

test('a server without streams is refused by its field', async () => {
  await using site = await openChannelSite()
  const serverId = await addMediaServer(site, 0, [site.north], { serverType: 'acants' })
  const { status, failure } = await inject(site.app, saveChannels, site.people.admin.token, {
    body: [{ name: 'a', title: 'A', serverId }],
  })
  expect([status, failure.field]).toEqual([400, '0.serverId'])
})

test.each([{ title: '' }, { title: '   ' }, { title: 'a\tb' }, {}, { title: 'a', colour: 'b' }])(
  'API-35 renaming is refused, and changes nothing: %j',
  async (body) => {
    await using site = await openChannelSite()
    const before = await databaseContent(site.ctx)
    const { status } = await inject(site.app, renameChannel, site.people.admin.token, {
      params: { channelId: site.north1.id },
      body: body as { title: string },
    })
    expect(status).toBe(400)
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)

test('CHAN-32 Q119 matrix AH: a monitor gets the playback address of a channel of North', async () => {
  await using site = await openChannelSite()
  const params = { channelId: site.north1.id }
  const { token } = site.people.northMonitor
  const { answer } = await inject(site.app, readPlayback, token, { params })
  expect(answer).toEqual({
    status: true,
    direct: `http://127.0.0.1:${site.media.port}/live/north/index.m3u8`,
    directExpiresAt: null,
    relayed: `/api/channel/${site.north1.id}/hls/index.m3u8`,
  })
})

test('Q119 a host with a scheme is used as it is', async () => {
  await using site = await openChannelSite()
  const host = 'https://play.example.org/'
  const serverId = await addMediaServer(site, 0, [site.north], { host })
  const { token } = site.people.northManager
  const saved = await inject(site.app, saveChannels, token, {
    body: [{ name: 'a', title: 'A', serverId, groupIds: [site.north] }],
  })
  const { answer } = await inject(site.app, readPlayback, token, {
    params: { channelId: saved.answer.data[0]?.id ?? '' },
  })
  expect(answer.direct).toBe('https://play.example.org/a/index.m3u8')
})

test('T2 a foreign channel is answered as not found', async () => {
  await using site = await openChannelSite()
  const { token } = site.people.northManager
  const ask = async (channelId: string) => [
    (await inject(site.app, readPlayback, token, { params: { channelId } })).text,
    (await inject(site.app, renameChannel, token, { params: { channelId }, body: { title: 'A' } }))
      .text,
  ]
  expect(await ask(site.south1.id)).toEqual(await ask('nowhere'))
})
