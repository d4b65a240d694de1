import { CompiledQuery, sql, SqliteAdapter } from 'kysely'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite } from '../testing/stored-site.ts'
import { makeTestContext } from '../testing/test-context.ts'
import * as auditStore from './audit.store.ts'

const ANY: auditStore.AuditFilter = {
  search: '',
  actorId: '',
  objectKind: '',
  objectId: '',
  result: '',
  from: '',
  to: '',
  page: 0,
  rows: 24,
}

async function add(db: Connection, more: Partial<auditStore.AuditLine>): Promise<void> {
  await auditStore.insert(db, {
    at: '2026-11-20T10:00:00.000Z',
    actor_id: 'ann',
    actor_name: 'Ann Lee',
    token: '',
    role: 'admin',
    ip: '192.0.2.1',
    call: 'servers.update',
    object_kind: 'server',
    object_id: 'gateway',
    object_title: 'Gateway',
    result: 'done',
    reason: '',
    before: { title: 'Gate' },
    after: { title: 'Gateway', adapters: [{ adapterIp: '127.0.0.1' }] },
    ...more,
  })
}

async function reasons(db: Connection, more: Partial<auditStore.AuditFilter>): Promise<string[]> {
  return (await auditStore.list(db, { ...ANY, ...more })).lines.map(({ reason }) => reason)
}

describeOnBothDatabases('the record of activity', (open) => {
  test('T20 newest first, whole lines, with the total beside the page', async () => {
    const db = await open()
    for (let hour = 10; hour < 15; hour++) {
      await add(db, { at: `2026-11-20T${hour}:00:00.000Z`, reason: `at ${hour}` })
    }
    const { lines, total } = await auditStore.list(db, { ...ANY, page: 1, rows: 2 })
    expect([total, lines.map(({ reason }) => reason)]).toEqual([5, ['at 12', 'at 11']])
    expect(lines[0]).toMatchObject({
      actor_name: 'Ann Lee',
      token: '',
      object_title: 'Gateway',
      before: { title: 'Gate' },
      after: { title: 'Gateway', adapters: [{ adapterIp: '127.0.0.1' }] },
    })
    expect(await reasons(db, { page: 9, rows: 2 })).toEqual([])
    // Lines of one commit are beside each other in the index of the ids too.
    const byId = await db.selectFrom('audit').select('reason').orderBy('id').execute()
    expect(byId.map(({ reason }) => reason)).toEqual([10, 11, 12, 13, 14].map((at) => `at ${at}`))
    expect(await reasons(db, { rows: 0 })).toHaveLength(5)
  })

  test('lines of one moment keep their order, so that no page shows one twice', async () => {
    const db = await open()
    for (let at = 0; at < 30; at++) await add(db, { reason: `line ${at}` })
    const pages = [0, 1, 2].map(async (page) => reasons(db, { page, rows: 10 }))
    const all = (await Promise.all(pages)).flat()
    expect(new Set(all).size).toBe(30)
    expect(all).toEqual(await reasons(db, { rows: 0 }))
  })

  test('every filter, alone and with others', async () => {
    const db = await open()
    await add(db, { reason: 'ann' })
    await add(db, { reason: 'bob', actor_id: 'bob', actor_name: 'Bob Élan', result: 'refused' })
    const nobody = { actor_id: null, actor_name: '', object_kind: null, object_id: null }
    await add(db, { reason: 'nobody', ...nobody, result: 'failed' })
    await add(db, { reason: 'other', object_id: 'other', at: '2026-11-21T10:00:00.000Z' })
    expect(await reasons(db, { actorId: 'bob' })).toEqual(['bob'])
    expect(await reasons(db, { result: 'failed' })).toEqual(['nobody'])
    expect(await reasons(db, { objectKind: 'encoder' })).toEqual([])
    expect(await reasons(db, { objectKind: 'server', objectId: 'other' })).toEqual(['other'])
    expect(await reasons(db, { from: '2026-11-21T10:00:00.000Z' })).toEqual(['other'])
    expect(await reasons(db, { to: '2026-11-21T10:00:00.000Z' })).toHaveLength(3)
    expect(await reasons(db, { actorId: 'ann', objectId: 'gateway' })).toEqual(['ann'])
    expect(await reasons(db, { actorId: 'ann', result: 'refused' })).toEqual([])
  })

  test('search: person, object, call and reason, without case and accents, as plain text', async () => {
    const db = await open()
    await add(db, { reason: '100% sure', actor_name: 'Bob Élan' })
    await add(db, { reason: 'plain', call: 'users.add', object_title: 'Ünal' })
    expect(await reasons(db, { search: 'ELAN' })).toEqual(['100% sure'])
    expect(await reasons(db, { search: 'unal' })).toEqual(['plain'])
    expect(await reasons(db, { search: 'users.a' })).toEqual(['plain'])
    expect(await reasons(db, { search: ' 100% ' })).toEqual(['100% sure'])
    expect(await reasons(db, { search: '%' })).toEqual(['100% sure'])
  })

  test('a search finds each line of a long record once, newest first', async () => {
    const db = await open()
    await addMany(db, 20_500)
    const filter = { ...ANY, search: 'object 7', rows: 100 }
    const pages = [0, 1, 2, 3, 4].map(async (page) => auditStore.list(db, { ...filter, page }))
    const found = await Promise.all(pages)
    expect(found.map(({ total }) => total)).toEqual(Array.from({ length: 5 }, () => 410))
    const expected = Array.from({ length: 410 }, (_, at) => `line${(409 - at) * 50 + 7}`)
    expect(found.flatMap(({ lines }) => lines.map(({ id }) => id))).toEqual(expected)
    const { lines } = await auditStore.list(db, { ...filter, rows: 0 })
    expect(lines.map(({ id }) => id)).toEqual(expected)
  })

  test('the name of an object of every kind', async () => {
    const db = await open()
    await addStoredSite(db)
    expect(await auditStore.titleOf(db, 'user', 'boss')).toBe('boss Lee')
    expect(await auditStore.titleOf(db, 'group', 'north')).toBe('north')
    expect(await auditStore.titleOf(db, 'server', 'gateway')).toBe('gateway')
    const others = ['encoder', 'channel', 'input', 'output', 'destination', 'user'] as const
    for (const kind of others) expect(await auditStore.titleOf(db, kind, 'none')).toBe('')
  })

  test('a page is found in an index, whatever the filter, and only its lines are read', async () => {
    const db = await open()
    await addMany(db, 5000)
    const filters: Partial<auditStore.AuditFilter>[] = [
      {},
      { page: 40 },
      { actorId: 'actor3' },
      { result: 'refused' },
      { objectKind: 'server' },
      { objectKind: 'server', objectId: 'object7' },
      { from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
    ]
    for (const more of filters) {
      const plan = (await planOf(db, { ...ANY, ...more })).join('\n')
      expect(plan, JSON.stringify(more)).toMatch(/index/i)
      expect(plan, JSON.stringify(more)).not.toMatch(/SCAN audit$|Seq Scan on audit|-> *Sort/im)
    }
  })
})

test('on SQLite a search through the whole record reads no content', async () => {
  await using test = await makeTestContext()
  const filter = { ...ANY, search: 'nobody' }
  expect(await planOf(test.ctx.db, filter)).toEqual([
    'SCAN audit USING COVERING INDEX audit_by_time',
  ])
  const place = { at: '2026-11-20T10:00:00.000Z', id: 'line1' }
  expect(await planOf(test.ctx.db, filter, { after: place, last: place })).toEqual([
    'SEARCH audit USING COVERING INDEX audit_by_time ((at,id)>(?,?) AND (at,id)<(?,?))',
  ])
})

/** As a year has them: ten people, fifty objects, a refusal among twenty. */
async function addMany(db: Connection, count: number): Promise<void> {
  const startMs = Date.parse('2026-11-20T08:00:00.000Z')
  const lines = Array.from({ length: count }, (_, at) => ({
    id: `line${at}`,
    at: new Date(startMs + at * 60_000).toISOString(),
    actor_id: `actor${at % 10}`,
    actor_name: `Actor ${at % 10}`,
    token: '',
    role: 'admin' as const,
    ip: '192.0.2.1',
    call: 'servers.update',
    object_kind: 'server',
    object_id: `object${at % 50}`,
    object_title: `Object ${at % 50}`,
    search: `actor ${at % 10}\nobject ${at % 50}\nservers.update`,
    result: at % 20 === 0 ? ('refused' as const) : ('done' as const),
    reason: '',
    before: null,
    after: JSON.stringify({ text: 'x'.repeat(600) }),
  }))
  for (let at = 0; at < lines.length; at += 500) {
    await db
      .insertInto('audit')
      .values(lines.slice(at, at + 500))
      .execute()
  }
  await sql`analyze`.execute(db)
}

async function planOf(
  db: Connection,
  filter: auditStore.AuditFilter,
  stretch: auditStore.Stretch = auditStore.WHOLE,
): Promise<string[]> {
  const query = auditStore.pageOf(db, filter, 50, 0, stretch).compile()
  const explain = isSqlite(db) ? 'explain query plan' : 'explain'
  const asked = CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters])
  const { rows } = await db.executeQuery<Record<string, string>>(asked)
  return rows.map((row) => row['detail'] ?? row['QUERY PLAN'] ?? '')
}

function isSqlite(db: Connection): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
