import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import * as serverStore from '../servers/server.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredGroups, STORED_AT } from '../testing/stored-site.ts'
import * as channelStore from './channel.store.ts'

/** SQLite takes 32,766 values in a statement. */
const MANY = 33_000

/** Groups g1 and g2; media servers s1, titled Élan, and s2. */
async function prepare(db: Connection): Promise<void> {
  await addStoredGroups(db, 'g1', 'g2')
  for (const [id, title] of [
    ['s1', 'Élan'],
    ['s2', 'Other'],
  ] as const) {
    const server = {
      id,
      title,
      host: `${id}.example.org`,
      port: 8080,
      serverType: 'channel' as const,
      apiKeySealed: 'sealed',
      description: '',
      location: '',
      adapters: [],
      version: 1,
      createdAt: STORED_AT,
    }
    await serverStore.insert(db, server, ['g1'])
  }
}

function channel(id: string, name: string, more: Partial<channelStore.NewChannel> = {}) {
  return { id, serverId: 's1', name, title: `Title ${name}`, createdAt: STORED_AT, ...more }
}

const ALL = {
  scope: 'all',
  serverId: '',
  groupId: '',
  search: '',
  ids: null,
  page: 0,
  rows: 0,
} as const

describeOnBothDatabases('Channels', (open) => {
  test('a channel comes back as it went in, with its server and its groups', async () => {
    const db = await open()
    await prepare(db)
    await channelStore.insert(db, channel('c', 'part1/part2'), ['g2', 'g1'])
    const found = {
      id: 'c',
      name: 'part1/part2',
      title: 'Title part1/part2',
      server: {
        id: 's1',
        title: 'Élan',
        host: 's1.example.org',
        port: 8080,
        apiKeySealed: 'sealed',
      },
      groupIds: ['g1', 'g2'],
      version: 1,
      createdAt: STORED_AT,
    }
    expect(await channelStore.find(db, 'c', 'all')).toEqual(found)
    expect(await channelStore.findStream(db, 's1', 'part1/part2', 'all')).toEqual(found)
    expect(await channelStore.listByIds(db, ['c', 'd'])).toEqual([found])
    expect(await channelStore.listByServers(db, ['s1', 's2'])).toEqual([found])
    expect(await channelStore.find(db, 'd', 'all')).toBeNull()
    for (const [scope, seen] of [
      [['g1'], found],
      [['elsewhere'], null],
      [[], null],
    ] as const) {
      expect(await channelStore.find(db, 'c', scope)).toEqual(seen)
      expect(await channelStore.findStream(db, 's1', 'part1/part2', scope)).toEqual(seen)
    }
    expect(await channelStore.findStream(db, 's2', 'part1/part2', 'all')).toBeNull()
    expect(await channelStore.listByServers(db, ['s2'])).toEqual([])
  })

  test('Q126 a stream of a server is one channel; another server may have its name', async () => {
    const db = await open()
    await prepare(db)
    await channelStore.insert(db, channel('c1', 'one'), ['g1'])
    await expect(channelStore.insert(db, channel('c2', 'one'), ['g1'])).rejects.toMatchObject({
      code: 'conflict',
    })
    await channelStore.insert(db, channel('c3', 'one', { serverId: 's2' }), ['g1'])
    expect((await channelStore.list(db, ALL)).total).toBe(2)
  })

  test('a group that does not exist is refused by its field', async () => {
    const db = await open()
    await prepare(db)
    const refusal = { code: 'invalid', field: 'groupIds' }
    await expect(channelStore.insert(db, channel('c', 'one'), ['g1', 'g9'])).rejects.toMatchObject(
      refusal,
    )
  })

  test('more groups, those it has or not, and a new title are new versions', async () => {
    const db = await open()
    await prepare(db)
    await channelStore.insert(db, channel('c', 'one'), ['g1'])
    await channelStore.addGroups(db, 'c', ['g1', 'g2'])
    expect(await channelStore.find(db, 'c', 'all')).toMatchObject({
      groupIds: ['g1', 'g2'],
      version: 2,
    })
    await channelStore.rename(db, { id: 'c', name: 'one' }, 'Naïve')
    expect(await channelStore.find(db, 'c', 'all')).toMatchObject({ title: 'Naïve', version: 3 })
    const found = async (search: string) => (await channelStore.list(db, { ...ALL, search })).total
    expect([await found('naive'), await found('title one'), await found('ONE')]).toEqual([1, 0, 1])
  })

  test('lists are cut to scope, server, group, search and page, and counted before the page', async () => {
    const db = await open()
    await prepare(db)
    const later = '2026-11-20T11:00:00.000Z'
    await channelStore.insert(db, channel('c1', 'b'), ['g1'])
    await channelStore.insert(db, channel('c2', 'a'), ['g1', 'g2'])
    await channelStore.insert(db, channel('c3', 'a', { serverId: 's2', createdAt: later }), ['g2'])
    const ids = async (more: Partial<channelStore.ChannelFilter>) => {
      const { channels, total } = await channelStore.list(db, { ...ALL, ...more })
      return [channels.map((item) => item.id).join(' '), total]
    }
    expect(await ids({})).toEqual(['c2 c1 c3', 3])
    expect(await ids({ scope: ['g1'] })).toEqual(['c2 c1', 2])
    expect(await ids({ scope: ['g1', 'g2'] })).toEqual(['c2 c1 c3', 3])
    expect(await ids({ scope: [] })).toEqual(['', 0])
    expect(await ids({ groupId: 'g2' })).toEqual(['c2 c3', 2])
    expect(await ids({ serverId: 's2' })).toEqual(['c3', 1])
    expect(await ids({ serverId: 's2', groupId: 'g1' })).toEqual(['', 0])
    expect(await ids({ ids: ['c3', 'c1', 'gone'] })).toEqual(['c1 c3', 2])
    expect(await ids({ ids: ['c3', 'c1'], scope: ['g1'], search: 'title' })).toEqual(['c1', 1])
    expect(await ids({ ids: [] })).toEqual(['', 0])
    expect(await ids({ search: 'elan' })).toEqual(['c2 c1', 2])
    expect(await ids({ search: 'title a' })).toEqual(['c2 c3', 2])
    expect(await ids({ search: '%' })).toEqual(['', 0])
    expect(await ids({ page: 1, rows: 2 })).toEqual(['c3', 3])
    expect(await ids({ page: 9, rows: 2 })).toEqual(['', 3])
  })

  test('T2 a group out of scope is not searched, not even on shared channels', async () => {
    const db = await open()
    await prepare(db)
    await channelStore.insert(db, channel('c', 'a'), ['g1', 'g2'])
    const { total } = await channelStore.list(db, { ...ALL, scope: ['g1'], groupId: 'g2' })
    expect(total).toBe(0)
  })
})

describeOnBothDatabases('Very many channels', (open) => {
  test('more channels of a server than a statement can name are read with their groups', async () => {
    const db = await open()
    await prepare(db)
    await sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY)})
      insert into channels (id, server_id, name, title, version, created_at, search)
      select 'c' || n, 's1', 'n' || n, 't', 1, ${sql.lit(STORED_AT)}, 't' from numbers
    `.execute(db)
    await sql`
      insert into channel_groups (channel_id, group_id) select id, 'g2' from channels
    `.execute(db)
    await channelStore.addGroups(db, `c${MANY}`, ['g1'])
    const channels = await channelStore.listByServers(db, ['s1'])
    expect(channels).toHaveLength(MANY)
    const groups = new Map(channels.map(({ id, groupIds }) => [id, groupIds.join(' ')]))
    expect(groups.get(`c${MANY}`)).toBe('g1 g2')
    expect([...new Set(groups.values())].toSorted()).toEqual(['g1 g2', 'g2'])
  })
})
