/**
 * Two processes on one PostgreSQL are upgraded one after the other (docs/operate/10): the older one goes
 * on while the newer one has already brought the database forward. Steps that a newer version adds leave
 * what it needs, and it works on what they add.
 */
import { type TableMetadata, sql } from 'kysely'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isChange } from '../../http/call-subject.ts'
import { allCalls } from '../../testing/all-calls.ts'
import { idIn, walkEveryChange, type Step } from '../../testing/change-walk.ts'
import { createNewDatabase } from '../../testing/databases.ts'
import { makeFolder } from '../../testing/folder.ts'
import { inject } from '../../testing/inject.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { migrate, stepsAfter } from '../migrate.ts'
import { openSqlite } from '../sqlite/sqlite.ts'

/** What the step took from processes that know the tables as they were before. */
function takenAway(before: readonly TableMetadata[], after: readonly TableMetadata[]): string[] {
  return before.flatMap(({ name, columns }) => {
    const now = after.find((table) => table.name === name)
    if (now === undefined) return [`${name} is gone`]
    const typeOf = (from: TableMetadata['columns'], column: string) =>
      from.find((each) => each.name === column)?.dataType
    const lost = columns.filter((column) => typeOf(now.columns, column.name) !== column.dataType)
    // Who inserts a row does not know of it.
    const demanded = now.columns.filter(
      (column) =>
        typeOf(columns, column.name) === undefined && !column.isNullable && !column.hasDefaultValue,
    )
    return [...lost, ...demanded].map((column) => `${name}.${column.name}`)
  })
}

test('no step of the database takes away what processes of the version before read or write', async () => {
  await using folder = await makeFolder()
  const db = await openSqlite(join(folder.path, 'test.db'), () => undefined)
  let before: TableMetadata[] = []
  for (const step of stepsAfter('')) {
    await migrate(db, step)
    const after = await db.introspection.getTables()
    expect([step, ...takenAway(before, after)]).toEqual([step])
    before = after
  }
  await db.destroy()
})

test('what a step takes away is seen: a table, a column, its type, and a column that must be filled', () => {
  const column = (name: string, dataType = 'text', isNullable = true) => ({
    name,
    dataType,
    isNullable,
    isAutoIncrementing: false,
    hasDefaultValue: false,
  })
  const table = (name: string, ...columns: TableMetadata['columns']) => ({
    name,
    columns,
    isView: false,
    isForeign: false,
  })
  const before = [table('a', column('kept'), column('lost'), column('turned')), table('b')]
  const after = [
    table(
      'a',
      column('kept'),
      column('turned', 'integer'),
      column('new'),
      column('must', 'text', false),
    ),
  ]
  expect(takenAway(before, after)).toEqual(['a.lost', 'a.turned', 'a.must', 'b is gone'])
})

/** As a newer version may do beneath a process that runs: columns, a table and a step that it does not know. */
async function bringForward({ ctx: { db } }: TestSite): Promise<void> {
  for (const { name } of await db.introspection.getTables()) {
    await db.schema
      .alterTable(name)
      .addColumn('of_a_newer_version', 'text', (column) => column.notNull().defaultTo('newer'))
      .execute()
  }
  await db.schema.createTable('only_newer').addColumn('id', 'text').execute()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '')`.execute(db)
}

test('a process carries out every change on a database that a newer version has brought forward', async () => {
  await using stack = new AsyncDisposableStack()
  const { url: databaseUrl } = stack.use(await createNewDatabase())
  const site = stack.use(await openTestSite({ databaseUrl }))
  const { superadmin } = site.people
  const walked = new Set<string>()
  const step: Step = async (call, _, input) => {
    const { status, text } = await inject(site.app, call, superadmin.token, input)
    const answer = status === call.successStatus ? '' : text
    expect([call.name, status, answer]).toEqual([call.name, call.successStatus, ''])
    walked.add(call.name)
    return idIn(text)
  }
  await bringForward(site)
  await walkEveryChange(site, step)
  const changing = (await allCalls()).filter((call) => isChange(call, {})).map(({ name }) => name)
  expect([...walked].toSorted()).toEqual(changing.toSorted())
})
