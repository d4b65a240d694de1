import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { ColumnNode, type KyselyPlugin, type UpdateQueryNode } from 'kysely'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addStoredSite, STORED_AT } from '../testing/stored-site.ts'
import * as encoderStore from './encoder.store.ts'
import { StoredConfig } from './encoder.store.ts'
import * as feederStore from './feeders/feeder.store.ts'

const ALL = { by: 'all' } as const
const EVERY = { scope: ALL, groupId: '', search: '', ids: null, page: 0, rows: 0 } as const

function stored(cardIdx: number): StoredConfig {
  const { feeder: _, ...config } = EncoderConfig.parse(palConfig(cardIdx))
  return StoredConfig.parse(config)
}

async function add(
  db: Connection,
  id: string,
  more: Partial<encoderStore.EncoderContent & { createdAt: string }> = {},
) {
  const encoder = {
    id,
    name: `${id}-name`,
    title: `Title of ${id}`,
    description: '',
    ip: '192.0.2.1',
    port: 8000,
    location: '',
    physicalAddress: '',
    contactNumber: '',
    email: '',
    groupId: 'north',
    apiKeySealed: 'sealed',
    isEnabled: true,
    wantedRunning: false,
    config: null,
    version: 1,
    createdAt: STORED_AT,
    ...more,
  }
  await encoderStore.insert(db, encoder)
  return encoder
}

/** That an update sets. */
function columnsIn({ updates = [] }: UpdateQueryNode): string[] {
  return updates.flatMap(({ column }) => (ColumnNode.is(column) ? [column.column.name] : []))
}

async function idsOf(db: Connection, more: Partial<encoderStore.EncoderFilter>) {
  const { encoders, total } = await encoderStore.list(db, { ...EVERY, ...more })
  return [encoders.map(({ id }) => id), total]
}

describeOnBothDatabases('Encoders', (open) => {
  test('an encoder comes back as it went in', async () => {
    const db = await open()
    await addStoredSite(db)
    const { groupId, ...encoder } = await add(db, 'e1', {
      config: stored(0),
      ip: 'ENC.example.org',
    })
    await encoderStore.setUsers(db, 'e1', ['editor'])
    expect(await encoderStore.find(db, 'e1', ALL)).toEqual({
      ...encoder,
      ip: 'enc.example.org',
      group: { _id: groupId, title: 'north' },
      userIds: ['editor'],
    })
  })

  test('all encoders are listed once and in order, while others are added and removed', async () => {
    const db = await open()
    await addStoredSite(db)
    for (const id of ['b', 'd', 'f', 'h']) await add(db, id)
    await add(db, 'a', { createdAt: '2026-11-20T10:00:00.001Z' })
    await add(db, 'e', { groupId: 'south' })
    const north = { ...EVERY, groupId: 'north' }
    const behind = async (last: string, limit: number, createdAt = STORED_AT) =>
      (await encoderStore.listBehind(db, north, { id: last, createdAt }, limit)).map(({ id }) => id)
    expect(await behind('b', 2)).toEqual(['d', 'f'])
    await encoderStore.remove(db, 'd', 'in use')
    await add(db, 'c')
    expect(await behind('f', 2)).toEqual(['h', 'a'])
    expect(await behind('a', 2, '2026-11-20T10:00:00.001Z')).toEqual([])
  })

  test('Q31 a scope cuts what is found and listed', async () => {
    const db = await open()
    await addStoredSite(db)
    await add(db, 'e1')
    await add(db, 'e2', { groupId: 'south' })
    await encoderStore.setUsers(db, 'e2', ['editor'])
    const north = { by: 'groups', groupIds: ['north'] } as const
    const editor = { by: 'editor', userId: 'editor' } as const
    expect(await idsOf(db, {})).toEqual([['e1', 'e2'], 2])
    expect(await idsOf(db, { scope: north })).toEqual([['e1'], 1])
    expect(await idsOf(db, { scope: editor })).toEqual([['e2'], 1])
    expect(await idsOf(db, { scope: { by: 'groups', groupIds: [] } })).toEqual([[], 0])
    expect(await encoderStore.find(db, 'e2', north)).toBeNull()
  })

  test('T17 a search is text, whatever is typed', async () => {
    const db = await open()
    await addStoredSite(db)
    await add(db, 'e1', { title: 'Élan 100%_' })
    await add(db, 'e2', { title: 'Other', groupId: 'south' })
    for (const [search, ids] of [
      ['ÉLAN', ['e1']],
      ['100%_', ['e1']],
      ['%', ['e1']],
      ['_', ['e1']],
      ['\\', []],
      ["' or 1=1 --", []],
      ['192.0.2.1', ['e1', 'e2']],
      ['SOUTH', ['e2']],
      ['  ', ['e1', 'e2']],
    ] as const) {
      expect((await idsOf(db, { search }))[0], search).toEqual(ids)
    }
  })

  test('API-72 pages begin at zero, and zero rows are all', async () => {
    const db = await open()
    await addStoredSite(db)
    for (const id of ['e1', 'e2', 'e3']) await add(db, id)
    expect(await idsOf(db, { rows: 2, page: 1 })).toEqual([['e3'], 3])
    expect(await idsOf(db, { rows: 0, page: 0 })).toEqual([['e1', 'e2', 'e3'], 3])
    expect(await idsOf(db, { rows: 2, page: 9 })).toEqual([[], 3])
  })

  test('Q68 a card of a host has a single encoder; other hosts and unconfigured encoders are not limited', async () => {
    const db = await open()
    await addStoredSite(db)
    await add(db, 'e1', { config: stored(0) })
    await add(db, 'e2', { config: stored(0), port: 8001 })
    await add(db, 'e3')
    await add(db, 'e4')
    await expect(add(db, 'e5', { config: stored(0) })).rejects.toThrow('card')
  })

  test('an unknown group is named as the fault', async () => {
    const db = await open()
    await addStoredSite(db)
    await expect(add(db, 'e1', { groupId: 'nowhere' })).rejects.toThrow('groupId')
  })

  test('the fleet reads configured encoders, some behind the others', async () => {
    const db = await open()
    await addStoredSite(db)
    await add(db, 'e1', { config: stored(0) })
    await add(db, 'e2')
    await add(db, 'e3', { config: stored(1) })
    const ids = async (behindId: string, limit: number) =>
      (await encoderStore.listConfigured(db, behindId, limit)).map((item) => item.id)
    expect(await ids('', 2)).toEqual(['e1', 'e3'])
    expect(await ids('', 1)).toEqual(['e1'])
    expect(await ids('e1', 2)).toEqual(['e3'])
    expect(await ids('e3', 2)).toEqual([])
  })
})

describeOnBothDatabases('Saves of encoders', (open) => {
  test('decisions 16: only the version that was read is overwritten', async () => {
    const db = await open()
    await addStoredSite(db)
    const encoder = await add(db, 'e1')
    expect(await encoderStore.update(db, encoder, { ...encoder, title: 'New' })).toBe(true)
    expect(await encoderStore.update(db, encoder, { ...encoder, title: 'Late' })).toBe(false)
    expect(await encoderStore.find(db, 'e1', ALL)).toMatchObject({ title: 'New', version: 2 })
  })

  test('W3 a save writes the columns that have changed, and no others with their indexes', async () => {
    const db = await open()
    await addStoredSite(db)
    const encoder = await add(db, 'e1', { config: stored(0) })
    const written: string[][] = []
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'UpdateQueryNode') written.push(columnsIn(node))
        return node
      },
      transformResult: async ({ result }) => Promise.resolve(result),
    }
    const recorded = db.withPlugin(recorder)
    const as = (version: number) => ({ ...encoder, version })
    await encoderStore.update(recorded, as(1), { ...encoder, config: stored(0) })
    await encoderStore.update(recorded, as(2), { ...encoder, email: 'a@trunkline.example' })
    await encoderStore.update(recorded, as(3), { ...encoder, config: stored(1) })
    expect(written).toEqual([
      ['version'],
      ['email', 'search', 'version'],
      ['config', 'card_idx', 'version'],
    ])
  })
})

describeOnBothDatabases('Feeders', (open) => {
  test('feeders come back in their order, their key apart', async () => {
    const db = await open()
    await addStoredSite(db)
    await add(db, 'e1', { config: stored(0) })
    for (const [position, name] of ['f2', 'f1'].entries()) {
      await feederStore.insert(db, feeder(name, position, 'sealed key'), STORED_AT)
    }
    const found = await feederStore.listByEncoders(db, ['e1'])
    expect(found.map((item) => item.feeder.name)).toEqual(['f2', 'f1'])
    expect(found[0]).toEqual({
      ...feeder('f2', 0, 'sealed key'),
      feeder: {
        ...feeder('f2', 0, null).feeder,
        output: [
          { ...feeder('f2', 0, null).feeder.output[0], passphrase: '', passphraseSet: true },
        ],
      },
    })
    const rows = await db.selectFrom('feeders').select('spec').execute()
    expect(JSON.stringify(rows)).not.toContain('a-passphrase')
  })
})

function feeder(name: string, position: number, passphraseSealed: string | null) {
  return {
    encoderId: 'e1',
    feeder: {
      name,
      serverId: 'gateway',
      input: {
        title: 'to gateway',
        type: 'udp' as const,
        addr: '127.0.0.1:5000',
        port: 5000,
        multicast: '',
        max_bw: 625_000,
      },
      output: [
        {
          type: 'srt' as const,
          addr: '192.0.2.9:6000',
          port: 6000,
          latency: 3000,
          adv_params: [{ key: 'mss' as const, value: '1456' }],
          max_bw: 625_000,
          passphrase: 'a-passphrase',
          pbkeylen: 128 as const,
        },
      ],
    },
    passphraseSealed,
    wantedRunning: false,
    position,
  }
}
