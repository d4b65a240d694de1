import { expect, test } from 'vitest'
import type { Db } from '../db/open.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite, STORED_AT, encoderRow } from '../testing/stored-site.ts'
import * as fleetStore from './fleet.store.ts'

const open = (sealed: string) => sealed.replace('sealed ', 'open ')

async function recordsOf(db: Db): Promise<HostRecord[]> {
  const all: HostRecord[] = []
  for await (const part of fleetStore.allHostRecords(db, open)) all.push(...part)
  return all
}

describeOnBothDatabases('The fleet', (openDatabase) => {
  test('every server is a host, with the groups that see it', async () => {
    const db = await openDatabase()
    await addStoredSite(db)
    expect(await recordsOf(db)).toEqual([
      {
        id: 'gateway',
        kind: 'server',
        answerer: 'agent',
        address: { host: 'media.example.org', port: 9000 },
        baseUrl: 'http://Media.example.org:9000',
        apiKey: 'open gateway',
        groupIds: ['north'],
        editorIds: [],
        createdAtMs: Date.parse(STORED_AT),
      },
      {
        id: 'streams',
        kind: 'server',
        answerer: 'media server',
        address: { host: 'media.example.org', port: 9001 },
        baseUrl: 'http://Media.example.org:9001',
        apiKey: 'open streams',
        groupIds: ['north', 'south'],
        editorIds: [],
        createdAtMs: Date.parse(STORED_AT),
      },
    ])
  })

  test('every encoder is a host, with its editors', async () => {
    const db = await openDatabase()
    await addStoredSite(db)
    const row = encoderRow('e1', 'south', {
      ip: 'enc.example.org',
      port: 8000,
      api_key_sealed: 'sealed e1',
    })
    await db.insertInto('encoders').values(row).execute()
    await db.insertInto('encoder_users').values({ encoder_id: 'e1', user_id: 'editor' }).execute()
    const [encoder] = await recordsOf(db)
    expect(encoder).toMatchObject({
      id: 'e1',
      kind: 'encoder',
      apiKey: 'open e1',
      groupIds: ['south'],
      editorIds: ['editor'],
      createdAtMs: Date.parse(STORED_AT),
    })
  })

  test('channels come with their groups, all of them part by part', async () => {
    const db = await openDatabase()
    await addStoredSite(db)
    const channel = {
      server_id: 'streams',
      title: 't',
      version: 1,
      created_at: STORED_AT,
      search: '',
    }
    const ids = Array.from({ length: 251 }, (_, at) => `c${String(at).padStart(3, '0')}`)
    await db
      .insertInto('channels')
      .values(ids.map((id) => ({ ...channel, id, name: `demo ${id}` })))
      .execute()
    await db
      .insertInto('channel_groups')
      .values({ channel_id: 'c250', group_id: 'south' })
      .execute()
    const last = { id: 'c250', serverId: 'streams', name: 'demo c250', groupIds: ['south'] }
    expect(await fleetStore.listChannels(db, ['c250', 'unknown'])).toEqual([last])
    const parts = []
    for await (const part of fleetStore.allChannels(db)) parts.push(part)
    expect(parts.map((part) => part.length)).toEqual([250, 1])
    expect(parts.flat().map(({ id }) => id)).toEqual(ids)
    expect(parts.flat().at(-1)).toEqual(last)
  })
})
