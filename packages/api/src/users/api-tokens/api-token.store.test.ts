import { expect, test } from 'vitest'
import type { Connection } from '../../db/open.ts'
import * as groupStore from '../../groups/group.store.ts'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import * as userStore from '../user.store.ts'
import * as apiTokenStore from './api-token.store.ts'
import type { TokenOwner } from './api-token.store.ts'

const AT = '2026-11-20T10:00:00.000Z'
const NOW = '2026-11-21T10:00:00.000Z'

async function addUser(db: Connection, id: string, role: 'superadmin' | 'editor'): Promise<void> {
  const person = { id, firstName: id, lastName: '', email: `${id}@example.org`, role }
  const more = { passwordHash: '', tokenVersion: 1, version: 1, createdAt: AT }
  await userStore.insert(db, { ...person, ...more })
}

async function addToken(
  db: Connection,
  id: string,
  owner: TokenOwner,
  expiresAt = '2026-12-01T10:00:00.000Z',
): Promise<void> {
  const token = { id, title: id, start: 'trk_1a2b', scope: 'read' as const, owner, expiresAt }
  const more = { createdAt: AT, createdBy: 'Ann', usedAt: null, usedAddress: '' }
  await apiTokenStore.insert(db, { ...token, ...more }, `hash of ${id}`)
}

const personOf = (userId: string, tokenVersion = 1) =>
  ({ kind: 'person', userId, tokenVersion }) as const
const service = (...ids: string[]): TokenOwner => ({
  kind: 'service',
  role: 'manager',
  groups: ids.map((_id) => ({ _id, title: '' })),
})

const ALL = {
  since: NOW,
  hasSuperadmins: true,
  search: '',
  sort: '',
  page: 0,
  rows: 0,
} as const

describeOnBothDatabases('API tokens', (open) => {
  async function prepared() {
    const db = await open()
    await addUser(db, 'root', 'superadmin')
    await addUser(db, 'ed', 'editor')
    for (const id of ['north', 'south']) {
      const group = { id, title: id.toUpperCase(), description: '', managerId: 'root' }
      await groupStore.insert(db, { ...group, version: 1, createdAt: AT })
    }
    return db
  }

  test('a token is found by its hash, with the groups of a service', async () => {
    const db = await prepared()
    await addToken(db, 'one', service('south', 'north'))
    const found = await apiTokenStore.findByHash(db, 'hash of one')
    const groups = [
      { _id: 'north', title: 'NORTH' },
      { _id: 'south', title: 'SOUTH' },
    ]
    expect(found?.owner).toEqual({ kind: 'service', role: 'manager', groups })
    expect(await apiTokenStore.findByHash(db, 'hash of none')).toBeNull()
    await db.deleteFrom('groups').where('id', '=', 'south').execute()
    const left = await apiTokenStore.find(db, 'one')
    expect(left?.owner).toMatchObject({ groups: [{ _id: 'north' }] })
  })

  test('a service is not given a group that there is not', async () => {
    const db = await prepared()
    const added = db.transaction().execute(async (trx) => addToken(trx, 'one', service('gone')))
    await expect(added).rejects.toMatchObject({ code: 'invalid', field: 'groupIds' })
    expect(await apiTokenStore.find(db, 'one')).toBeNull()
  })

  test('lists leave out what has expired or was ended with the account, and superadmins for admins', async () => {
    const db = await prepared()
    await addToken(db, 'of service', service('north'), '2026-12-03T10:00:00.000Z')
    await addToken(db, 'of editor', personOf('ed'), '2026-12-02T10:00:00.000Z')
    await addToken(db, 'of root', personOf('root'))
    await addToken(db, 'expired', personOf('ed'), NOW)
    await addToken(db, 'ended', personOf('ed', 0))
    const listed = async (hasSuperadmins: boolean, page = 0, rows = 0) => {
      const asked = { ...ALL, hasSuperadmins, page, rows }
      const { tokens, total } = await apiTokenStore.list(db, asked)
      return `${tokens.map(({ id }) => id).join(', ')}: ${total}`
    }
    expect(await listed(true)).toBe('of root, of editor, of service: 3')
    expect(await listed(false)).toBe('of editor, of service: 2')
    expect(await listed(true, 1, 2)).toBe('of service: 3')
    const own = await apiTokenStore.listOf(db, { id: 'ed', tokenVersion: 1 }, NOW)
    expect(own.map(({ id }) => id)).toEqual(['of editor'])
    expect([await apiTokenStore.count(db, 'ed'), await apiTokenStore.count(db, null)]).toEqual([
      3, 1,
    ])
    await apiTokenStore.removeExpired(db, '2026-12-01T00:00:00.000Z')
    expect(await apiTokenStore.find(db, 'expired')).toBeNull()
  })

  test('the list is sorted by its columns, those never used first, and searched by title and first characters', async () => {
    const db = await prepared()
    await addToken(db, 'Camera 10', service('north'), '2026-12-03T10:00:00.000Z')
    await addToken(db, 'camera 9', personOf('ed'), '2026-12-02T10:00:00.000Z')
    await addToken(db, 'Grafana', personOf('root'))
    await apiTokenStore.touch(db, 'Camera 10', '2026-11-21T11:00:00.000Z', '192.0.2.1')
    await apiTokenStore.touch(db, 'Grafana', '2026-11-21T10:00:00.000Z', '192.0.2.1')
    const listed = async (asked: Partial<Parameters<typeof apiTokenStore.list>[1]>) => {
      const { tokens, total } = await apiTokenStore.list(db, { ...ALL, ...asked })
      return `${tokens.map(({ id }) => id).join(', ')}: ${total}`
    }
    expect(await listed({ sort: 'title' })).toBe('camera 9, Camera 10, Grafana: 3')
    expect(await listed({ sort: 'used' })).toBe('camera 9, Grafana, Camera 10: 3')
    expect(await listed({ sort: '-used', rows: 2 })).toBe('Camera 10, Grafana: 3')
    expect(await listed({ sort: '-expires' })).toBe('Camera 10, camera 9, Grafana: 3')
    expect(await listed({ search: 'CAMERA' })).toBe('camera 9, Camera 10: 2')
    expect(await listed({ search: 'trk_1a', hasSuperadmins: false })).toBe('camera 9, Camera 10: 2')
    expect(await listed({ search: 'none' })).toBe(': 0')
  })

  test('tokens go with their person; an earlier use does not replace a later one', async () => {
    const db = await prepared()
    await addToken(db, 'one', personOf('ed'))
    await apiTokenStore.touch(db, 'one', '2026-11-22T10:00:00.000Z', '192.0.2.1')
    await apiTokenStore.touch(db, 'one', '2026-11-21T10:00:00.000Z', '192.0.2.2')
    const used = await apiTokenStore.find(db, 'one')
    expect([used?.usedAt, used?.usedAddress]).toEqual(['2026-11-22T10:00:00.000Z', '192.0.2.1'])
    await userStore.remove(db, 'ed')
    expect(await apiTokenStore.find(db, 'one')).toBeNull()
    expect(await apiTokenStore.remove(db, 'one')).toBe(false)
  })
})
