import { copyFile, readdir, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, PRESENT_SCHEMA } from '../migrate.ts'
import { openDatabase, type Connection, type DatabaseTarget } from '../open.ts'
import { TABLES } from '../tables.ts'
import { createNewDatabase } from '../../testing/databases.ts'
import { makeFolder } from '../../testing/folder.ts'
import { checkBackup, withSqlite, writeBackup } from './backup-file.ts'
import { fixOfBackup, fixOfFolder } from './backup-fix.rules.ts'
import { differences, readTables, type Content } from './copy-rows.ts'
import { fillEveryTable, ROWS_OF_EACH, rowsOf } from './filled-database.fixture.ts'
import { restore, type RestoreAsked } from './restore.ts'

const BOTH = ['sqlite', 'postgres'] as const
const SECRET = { secretId: 'its key', secretFile: '/keys/site.key' }

async function folder(): Promise<string> {
  const kept = await makeFolder()
  onTestFinished(async () => kept[Symbol.asyncDispose]())
  return kept.path
}

/** Where a database may be made, and none is yet. */
async function emptyPlace(kind: (typeof BOTH)[number]): Promise<DatabaseTarget> {
  if (kind === 'sqlite') return { kind, file: join(await folder(), 'trunkline.db') }
  const created = await createNewDatabase()
  onTestFinished(async () => created[Symbol.asyncDispose]())
  return { kind, url: created.url }
}

async function opened(target: DatabaseTarget): Promise<Connection> {
  const db = await openDatabase(target)
  onTestFinished(async () => db.destroy())
  return db
}

async function filled(kind: (typeof BOTH)[number]) {
  const target = await emptyPlace(kind)
  const db = await opened(target)
  await fillEveryTable(db)
  await db
    .updateTable('marks')
    .set({ name: 'secret key', value: SECRET.secretId })
    .where('name', 'like', 'name 7 %')
    .execute()
  return { target, db }
}

async function restoredInto(to: DatabaseTarget, file: string, more: Partial<RestoreAsked> = {}) {
  return restore({ file, to, ...SECRET, keepReplacedAs: null, ...more })
}

/** What a restored database has of an earlier one: all but its sessions. */
function withoutSessions(content: Content): Content {
  return new Map([...content].filter(([table]) => table !== 'sessions'))
}

describe.each(BOTH)('a backup of %s', (from) => {
  test.each(BOTH)('restored to %s has the same rows in every table, and no session', async (to) => {
    const { target, db } = await filled(from)
    const before = await readTables(db)
    const file = join(await folder(), 'kept', 'site.db')
    const check = await writeBackup(target, file)
    expect(check).toMatchObject({
      schema: PRESENT_SCHEMA,
      rows: TABLES.reduce((sum, table) => sum + rowsOf(table), 0),
      secretId: SECRET.secretId,
    })
    expect(await readdir(join(file, '..'))).toEqual(['site.db'])
    const place = await emptyPlace(to)
    await restoredInto(place, file)
    const after = await readTables(await opened(place))
    expect(before.get('sessions')?.rows).toBe(ROWS_OF_EACH)
    expect(after.get('sessions')?.rows).toBe(0)
    expect(differences(withoutSessions(before), withoutSessions(after))).toEqual([])
  })

  test('shows the database at one moment, while others write', async () => {
    const { target, db } = await filled(from)
    const end = new AbortController()
    let pairs = 0
    const writing = (async () => {
      while (!end.signal.aborted) {
        await db.transaction().execute(async (trx) => {
          for (const half of ['left', 'right']) {
            await trx
              .insertInto('marks')
              .values({ name: `${half} ${pairs}`, value: '' })
              .execute()
          }
        })
        pairs += 1
      }
    })()
    const file = join(await folder(), 'site.db')
    await writeBackup(target, file)
    end.abort()
    await writing
    expect(pairs).toBeGreaterThan(0)
    await withSqlite(file, { readonly: true }, async (_, copy) => {
      const halves = await sql<{ half: string; count: number }>`
        select substr(name, 1, 4) as half, count(*) as count from marks
        where name like 'left %' or name like 'right %' group by 1 order by 1`.execute(copy)
      expect(new Set(halves.rows.map(({ count }) => count)).size).toBeLessThanOrEqual(1)
    })
  })
})

test('an older schema is restored as it was, and brought forward when it is opened', async () => {
  const source = await emptyPlace('sqlite')
  await withSqlite((source as { file: string }).file, {}, async (_, db) =>
    migrate(db, '0025-host-identities'),
  )
  const file = join(await folder(), 'old.db')
  expect((await writeBackup(source, file)).schema).toBe('0025-host-identities')
  for (const kind of BOTH) {
    const place = await emptyPlace(kind)
    await restoredInto(place, file)
    const db = await opened(place)
    expect(await db.selectFrom('backups').selectAll().execute()).toEqual([])
  }
})

describe('refused, with nothing changed:', () => {
  async function goodBackup() {
    const { target } = await filled('sqlite')
    const file = join(await folder(), 'site.db')
    await writeBackup(target, file)
    return file
  }

  test('a file that is damaged, cut short, or something else', async () => {
    const good = await goodBackup()
    const [cut, other] = [`${good}.cut`, `${good}.other`]
    await copyFile(good, cut)
    await truncate(cut, 200_000)
    await writeFile(other, 'no database')
    await expect(checkBackup(cut)).rejects.toThrow(/is no whole backup.*Take an earlier backup\.$/)
    await expect(checkBackup(other)).rejects.toThrow(/is no whole backup/)
    await expect(checkBackup(`${good}.absent`)).rejects.toThrow(
      /cannot be read: ENOENT.* Check the name of the file\.$/,
    )
    await expect(checkBackup(dirname(good))).rejects.toThrow(
      /is a folder\. Name one of the files in it\.$/,
    )
    const empty = `${good}.empty`
    await writeFile(empty, '')
    await expect(checkBackup(empty)).rejects.toThrow(/is no backup of Trunkline/)
  })

  test('a backup of a newer version', async () => {
    const file = await goodBackup()
    await withSqlite(file, {}, async (database) => {
      database.exec(`insert into kysely_migration values ('9999-future', '2030-01-01')`)
      return Promise.resolve()
    })
    await expect(restoredInto(await emptyPlace('sqlite'), file)).rejects.toThrow(
      /is of a newer version of Trunkline \(9999-future\)\. Install that version/,
    )
  })

  test('another secret file', async () => {
    const file = await goodBackup()
    const place = await emptyPlace('sqlite')
    await expect(restoredInto(place, file, { secretId: 'another' })).rejects.toThrow(
      /The secret file \/keys\/site\.key does not belong to this backup/,
    )
  })

  test.each(BOTH)('over a %s database that is there', async (kind) => {
    const file = await goodBackup()
    const place = await emptyPlace(kind)
    const db = await openDatabase(place)
    await db.insertInto('marks').values({ name: 'mine', value: 'kept' }).execute()
    await db.destroy()
    await expect(restoredInto(place, file)).rejects.toThrow(/--replace|is not empty/)
    const again = await opened(place)
    const { value } = await again
      .selectFrom('marks')
      .select('value')
      .where('name', '=', 'mine')
      .executeTakeFirstOrThrow()
    expect(value).toBe('kept')
  })

  test('says what to do where a service may not write, or its user may not write or read', () => {
    const refused = (code: string) => Object.assign(new Error(code), { code })
    expect(fixOfFolder(refused('EROFS'), '/mnt/safe')).toContain('ReadWritePaths=/mnt/safe')
    expect(fixOfFolder(refused('EACCES'), '/mnt/safe')).toMatch(
      /install -d -o trunkline -g trunkline -m 700 \/mnt\/safe$/,
    )
    expect(fixOfFolder(refused('ENOSPC'), '/mnt/safe')).toBe('')
    expect(fixOfBackup(refused('EACCES'))).toContain('Let the user trunkline read it')
    expect(fixOfBackup(refused('ENOENT'))).toBe('Check the name of the file.')
    expect(fixOfBackup(refused('EIO'))).toBe('')
  })

  test('a backup that cannot be written leaves no file', async () => {
    const { target } = await filled('sqlite')
    const place = await folder()
    await writeFile(join(place, 'taken'), '')
    await expect(writeBackup(target, join(place, 'taken', 'site.db'))).rejects.toThrow(
      /could not be made: E/,
    )
    await expect(
      writeBackup({ kind: 'sqlite', file: join(place, 'absent.db') }, join(place, 'site.db')),
    ).rejects.toThrow(/could not be made/)
    expect(await readdir(place)).toEqual(['taken'])
  })
})

test('what is replaced is backed up first', async () => {
  const { target: source } = await filled('sqlite')
  const file = join(await folder(), 'site.db')
  await writeBackup(source, file)
  const place = await emptyPlace('sqlite')
  const db = await openDatabase(place)
  await db.insertInto('marks').values({ name: 'mine', value: 'kept' }).execute()
  await db.destroy()
  const keepReplacedAs = join(await folder(), 'before.db')
  await restoredInto(place, file, { keepReplacedAs })
  await withSqlite(keepReplacedAs, { readonly: true }, async (_, before) => {
    expect(await before.selectFrom('marks').select('name').execute()).toEqual([{ name: 'mine' }])
  })
  const restored = await opened(place)
  expect(await restored.selectFrom('users').selectAll().execute()).toHaveLength(ROWS_OF_EACH)
})
