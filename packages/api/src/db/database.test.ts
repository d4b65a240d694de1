import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { foreignKeyViolation, uniqueViolation } from './faults.ts'
import { mark } from './marks.ts'
import { migrate } from './migrate.ts'
import type { Connection } from './open.ts'
import { likePattern, searchText } from './search.ts'

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

async function addUser(db: Connection, id: string, email: string, name = 'x'): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id,
      first_name: name,
      last_name: '',
      email,
      role: 'manager',
      password_hash: '',
      token_version: 1,
      asks_before_interrupting: 0,
      version: 1,
      created_at: '2026-11-20T00:00:00.000Z',
      search: searchText([name]),
    })
    .execute()
}

async function addGroup(db: Connection, id: string, managerId: string): Promise<void> {
  await db
    .insertInto('groups')
    .values({
      id,
      title: id,
      title_key: id,
      description: '',
      manager_id: managerId,
      version: 1,
      created_at: '2026-11-20T00:00:00.000Z',
      search: id,
    })
    .execute()
}

describeOnBothDatabases('The database', (open, openNew) => {
  test('migrations run once, also when started again', async () => {
    const db = await openNew()
    await migrate(db)
    await addUser(db, 'u1', 'a@b.cc')
    await migrate(db)
    expect(await db.selectFrom('users').select('id').execute()).toEqual([{ id: 'u1' }])
  })

  test('a database that a newer program has written is refused in words', async () => {
    const db = await openNew()
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')`.execute(
      db,
    )
    await expect(migrate(db)).rejects.toThrow(
      /^The database was written by a newer version of Trunkline \(9999-future\)\. Start that version/,
    )
  })

  test('unique and foreign key faults are distinguished from each other and from other faults', async () => {
    const db = await open()
    await addUser(db, 'u1', 'a@b.cc')
    const twice = await faultOf(addUser(db, 'u2', 'a@b.cc'))
    expect([uniqueViolation(twice), foreignKeyViolation(twice)]).toEqual([true, false])
    const sameId = await faultOf(addUser(db, 'u1', 'c@d.ee'))
    expect(uniqueViolation(sameId)).toBe(true)
    const noManager = await faultOf(addGroup(db, 'g1', 'nobody'))
    expect([uniqueViolation(noManager), foreignKeyViolation(noManager)]).toEqual([false, true])
    await addGroup(db, 'g1', 'u1')
    const inUse = await faultOf(db.deleteFrom('users').where('id', '=', 'u1').execute())
    expect(foreignKeyViolation(inUse)).toBe(true)
    const other = await faultOf(sql`select * from nothing`.execute(db))
    expect([uniqueViolation(other), foreignKeyViolation(other)]).toEqual([false, false])
    expect([uniqueViolation(null), foreignKeyViolation('x')]).toEqual([false, false])
  })

  test('a transaction that fails leaves nothing behind', async () => {
    const db = await open()
    const work = db.transaction().execute(async (trx) => {
      await trx.insertInto('marks').values({ name: 'a', value: 'b' }).execute()
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await db.selectFrom('marks').selectAll().where('name', '=', 'a').execute()).toEqual([])
  })

  test('counts and integers are numbers', async () => {
    const db = await open()
    await addUser(db, 'u1', 'a@b.cc')
    const row = await db
      .selectFrom('users')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('version').as('version')])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ count: 1, version: 1 })
  })

  test.each([
    ['élan', ['Élan']],
    ['ELAN', ['Élan']],
    ['50%', ['at 50% off']],
    ['a_b', ['a_b']],
    ['\\', ['back\\slash']],
    ['"; drop table users; --', []],
  ])('Q21 search %j finds %j', async (text, expected) => {
    const db = await open()
    for (const [at, name] of ['Élan', 'at 50% off', 'a_b', 'axb', 'back\\slash', '500'].entries()) {
      await addUser(db, `u${at}`, `u${at}@b.cc`, name)
    }
    const found = await db
      .selectFrom('users')
      .select('first_name')
      .where(sql<boolean>`search like ${likePattern(text)} escape '\\'`)
      .execute()
    expect(found.map((item) => item.first_name)).toEqual(expected)
  })

  test('a mark is written once', async () => {
    const db = await open()
    expect(await mark(db, 'm', 'first')).toBe('first')
    expect(await mark(db, 'm', 'second')).toBe('first')
  })
})
