import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredGroups, STORED_AT } from '../testing/stored-site.ts'
import * as serverStore from './server.store.ts'

function server(id: string, more: Partial<serverStore.ServerRecord> = {}) {
  return {
    id,
    title: id,
    host: `${id}.example.org`,
    port: 8000,
    serverType: 'acants' as const,
    apiKeySealed: 'sealed',
    description: '',
    location: '',
    adapters: [{ _id: 'a', adapterName: 'eth0', adapterIp: '192.0.2.1' }],
    version: 1,
    createdAt: STORED_AT,
    ...more,
  }
}

const ALL = {
  scope: 'all',
  type: 'all',
  search: '',
  groupId: '',
  address: '',
  page: 0,
  rows: 0,
} as const

describeOnBothDatabases('Servers', (open) => {
  test('a server comes back as it went in, with its groups', async () => {
    const db = await open()
    await addStoredGroups(db, 'g1', 'g2')
    await serverStore.insert(db, server('s', { host: 'HTTP://GW.Example.org/' }), ['g2', 'g1'])
    expect(await serverStore.find(db, 's')).toEqual({
      ...server('s', { host: 'HTTP://GW.Example.org/' }),
      hostKey: 'gw.example.org',
      groups: [
        { _id: 'g1', title: 'g1' },
        { _id: 'g2', title: 'g2' },
      ],
    })
    expect(await serverStore.find(db, 't')).toBeNull()
  })

  test('API-17 an address belongs to one server, however it is written', async () => {
    const db = await open()
    await addStoredGroups(db, 'g')
    await serverStore.insert(db, server('s1', { host: 'gw.example.org' }), ['g'])
    for (const host of ['gw.example.org', 'GW.EXAMPLE.ORG', 'https://gw.example.org']) {
      await expect(serverStore.insert(db, server('s2', { host }), ['g'])).rejects.toMatchObject({
        code: 'conflict',
        field: 'port',
      })
    }
    await serverStore.insert(db, server('s3', { host: 'gw.example.org', port: 8001 }), ['g'])
  })

  test('a group that does not exist is refused by its field', async () => {
    const db = await open()
    await addStoredGroups(db, 'g')
    await expect(serverStore.insert(db, server('s'), ['g', 'h'])).rejects.toMatchObject({
      code: 'invalid',
      field: 'groupIds',
    })
  })
})

describeOnBothDatabases('Lists of servers', (open) => {
  test('lists are cut to the scope, the type and the page, and counted before the page', async () => {
    const db = await open()
    await addStoredGroups(db, 'g1', 'g2')
    for (const [at, groups] of [['g1'], ['g1', 'g2'], ['g2'], ['g2']].entries()) {
      await serverStore.insert(
        db,
        server(`s${at}`, {
          serverType: at === 3 ? 'channel' : 'acants',
          createdAt: `2026-11-20T1${at}:00:00.000Z`,
        }),
        groups,
      )
    }
    const ids = async (more: Partial<serverStore.ServerFilter>) => {
      const { servers, total } = await serverStore.list(db, { ...ALL, ...more })
      return [servers.map((item) => item.id).join(' '), total]
    }
    expect(await ids({})).toEqual(['s0 s1 s2 s3', 4])
    expect(await ids({ scope: ['g1'] })).toEqual(['s0 s1', 2])
    expect(await ids({ scope: ['g1', 'g2'] })).toEqual(['s0 s1 s2 s3', 4])
    expect(await ids({ scope: [] })).toEqual(['', 0])
    expect(await ids({ type: 'channel' })).toEqual(['s3', 1])
    expect(await ids({ scope: ['g1'], type: 'channel' })).toEqual(['', 0])
    expect(await ids({ page: 1, rows: 3 })).toEqual(['s3', 4])
    expect(await ids({ page: 9, rows: 3 })).toEqual(['', 4])
    expect(await ids({ groupId: 'g1' })).toEqual(['s0 s1', 2])
    expect(await ids({ groupId: 'g2', scope: ['g1'] })).toEqual(['', 0])
    expect(await ids({ groupId: 'g2', scope: ['g1', 'g2'] })).toEqual(['s1 s2 s3', 3])
    expect(await ids({ groupId: 'g9' })).toEqual(['', 0])
    expect(await serverStore.listByType(db, 'channel', 'all')).toEqual([
      { host: 's3.example.org', port: 8000 },
    ])
    expect(await serverStore.listByType(db, 'channel', ['g2'])).toHaveLength(1)
    expect(await serverStore.listByType(db, 'channel', ['g1'])).toEqual([])
    expect(await serverStore.listByType(db, 'channel', [])).toEqual([])
  })

  test('SRV-01 in order of title, whatever its case, and of id among equals', async () => {
    const db = await open()
    await addStoredGroups(db, 'g')
    for (const [id, title] of [
      ['s4', 'beta'],
      ['s1', 'Émile'],
      ['s3', 'Beta'],
      ['s2', 'alpha'],
    ] as const) {
      await serverStore.insert(db, server(id, { title }), ['g'])
    }
    const { servers } = await serverStore.list(db, ALL)
    expect(servers.map((item) => item.id)).toEqual(['s2', 's3', 's4', 's1'])
  })

  test('SRV-01 a search looks through title, host, location and description', async () => {
    const db = await open()
    await addStoredGroups(db, 'g', 'rack')
    await serverStore.insert(db, server('s1', { title: 'Élan 50%' }), ['g'])
    await serverStore.insert(db, server('s2', { location: 'Rack 7' }), ['rack'])
    await serverStore.insert(db, server('s3', { description: 'the seventh one' }), ['g'])
    await serverStore.insert(db, server('s4', { host: 'Rack.example.net' }), ['g'])
    const found = async (search: string) => {
      const { servers, total } = await serverStore.list(db, { ...ALL, search })
      return [servers.map((item) => item.id).join(' '), total]
    }
    expect(await found('elan')).toEqual(['s1', 1])
    expect(await found('50%')).toEqual(['s1', 1])
    expect(await found('%')).toEqual(['s1', 1])
    expect(await found(' RACK ')).toEqual(['s2 s4', 2])
    expect(await found('seventh')).toEqual(['s3', 1])
    expect(await found('example.org')).toEqual(['s1 s2 s3', 3])
    expect(await found("'; drop")).toEqual(['', 0])
  })

  test('Q102 a server is found by its host and by the addresses of its adapters', async () => {
    const db = await open()
    await addStoredGroups(db, 'g1', 'g2')
    const adapters = (...ips: string[]) =>
      ips.map((adapterIp) => ({ _id: adapterIp, adapterName: 'eth0', adapterIp }))
    const west = { host: 'HTTPS://West.example.org/', adapters: adapters('192.0.2.10', '10.0.0.1') }
    await serverStore.insert(db, server('west', west), ['g1'])
    const east = { host: '192.0.2.20', adapters: adapters('192.0.2.20', '10.0.0.1') }
    await serverStore.insert(db, server('east', east), ['g2'])
    const found = async (address: string, more: Partial<serverStore.ServerFilter> = {}) => {
      const { servers, total } = await serverStore.list(db, { ...ALL, address, ...more })
      return [servers.map((item) => item.id).join(' '), total]
    }
    expect(await found('west.example.org')).toEqual(['west', 1])
    expect(await found('192.0.2.10')).toEqual(['west', 1])
    expect(await found('192.0.2.20')).toEqual(['east', 1])
    expect(await found('10.0.0.1')).toEqual(['east west', 2])
    expect(await found('10.0.0.1', { rows: 1 })).toEqual(['east', 2])
    expect(await found('10.0.0.1', { scope: ['g1'] })).toEqual(['west', 1])
    expect(await found('10.0.0')).toEqual(['', 0])
    const before = await serverStore.find(db, 'west')
    if (before === null) throw new Error('The server is gone.')
    const moved = { ...before, host: '198.51.100.7', adapters: adapters('10.0.0.1') }
    await serverStore.update(db, before, moved, ['g1'])
    expect(await found('west.example.org')).toEqual(['', 0])
    expect(await found('198.51.100.7')).toEqual(['west', 1])
    expect(await found('10.0.0.1')).toEqual(['east west', 2])
    await serverStore.remove(db, 'west')
    expect(await found('198.51.100.7')).toEqual(['', 0])
  })

  test('more servers than are spelled out come with their groups', async () => {
    const db = await open()
    await addStoredGroups(db, 'g1', 'g2')
    const count = 600
    await db.transaction().execute(async (trx) => {
      for (let at = 0; at < count; at++) {
        await serverStore.insert(trx, server(`s${at}`), ['g1', 'g2'])
      }
    })
    const { servers, total } = await serverStore.list(db, ALL)
    expect([servers.length, total]).toEqual([count, count])
    expect(servers.every((item) => item.groups.length === 2)).toBe(true)
  })
})

describeOnBothDatabases('Saved servers', (open) => {
  test('a save changes what it names, moves groups, and raises the version', async () => {
    const db = await open()
    await addStoredGroups(db, 'g1', 'g2', 'g3')
    await serverStore.insert(db, server('s'), ['g1', 'g2'])
    const before = await serverStore.find(db, 's')
    if (before === null) throw new Error('The server is gone.')
    const content = { ...server('s'), title: 'Renamed', host: 'Other.example.org', port: 9000 }
    expect(await serverStore.update(db, before, content, ['g2', 'g3'])).toBe(true)
    const after = await serverStore.find(db, 's')
    expect(after).toMatchObject({
      title: 'Renamed',
      host: 'Other.example.org',
      hostKey: 'other.example.org',
      port: 9000,
      version: 2,
      createdAt: before.createdAt,
    })
    expect(after?.groups.map((group) => group._id)).toEqual(['g2', 'g3'])
    expect((await serverStore.list(db, { ...ALL, search: 'renamed' })).total).toBe(1)
    expect(await serverStore.update(db, before, content, ['g1'])).toBe(false)
    expect(await serverStore.find(db, 's')).toEqual(after)
  })

  test('a save is refused an address that is taken, and a group that is not there', async () => {
    const db = await open()
    await addStoredGroups(db, 'g')
    await serverStore.insert(db, server('s1'), ['g'])
    await serverStore.insert(db, server('s2'), ['g'])
    const before = await serverStore.find(db, 's2')
    if (before === null) throw new Error('The server is gone.')
    await expect(serverStore.update(db, before, server('s1'), ['g'])).rejects.toMatchObject({
      code: 'conflict',
      field: 'port',
    })
    await expect(
      serverStore.update(db, before, { ...before, title: 'x' }, ['g', 'h']),
    ).rejects.toMatchObject({ code: 'invalid', field: 'groupIds' })
  })
})
