/** F15: the copy that an upgrade waits for. */
import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeBackup } from './backup-file.ts'
import { copyLocked } from './copy-locked.ts'
import { connect, countLocks, openLiveFile } from './live-file.fixture.ts'

/** A database as the API has it open, with one row in its log, and an empty file for the copy. */
async function opened() {
  const live = await openLiveFile()
  const { database } = live
  database.exec('create table lines (text text)')
  database.exec("insert into lines values ('first')")
  return live
}

function linesOf(file: string): unknown[] {
  return connect(file).prepare('select text from lines').pluck().all()
}

test('F15 a database that nobody else uses is copied with what stood in its log, and only its owner may read the copy', async () => {
  const { from, to } = await opened()
  expect(statSync(`${from}-wal`).size).toBeGreaterThan(0)
  expect(await copyLocked(from, to)).toBe(true)
  expect(linesOf(to)).toEqual(['first'])
  expect(statSync(to).mode & 0o777).toBe(0o600)
})

test('F15 nobody writes while it is copied, and everybody may afterwards', async () => {
  const { database, from, to } = await opened()
  const insert = () => database.exec("insert into lines values ('second')")
  const copying = copyLocked(from, to)
  expect(insert).toThrow('database is locked')
  await copying
  insert()
  expect(linesOf(to)).toEqual(['first'])
})

test('F15 this process keeps its locks on the database', async () => {
  const { database, from, to } = await opened()
  // Of a file with a log: held for as long as it is open, so that no other program takes the log away.
  database.exec('select * from lines')
  const before = countLocks(from)
  expect(before).toBeGreaterThan(0)
  await copyLocked(from, to)
  expect(countLocks(from)).toBe(before)
})

test('F15 a database that others read is copied page by page, as it is now', async () => {
  const { database, from, to } = await opened()
  const reader = connect(from)
  reader.exec('begin; select * from lines')
  database.exec("insert into lines values ('second')")
  expect(await copyLocked(from, to)).toBe(false)
  expect(statSync(to).size).toBe(0)
  database.exec('create table kysely_migration (name text, timestamp text)')
  database.exec("insert into kysely_migration values ('0042-display-of-people', '')")
  database.exec('create table marks (name text, value text)')
  await writeBackup({ kind: 'sqlite', file: from }, `${to}.backup`, { isAlone: true })
  expect(linesOf(`${to}.backup`)).toEqual(['first', 'second'])
})

test('F15 says why it cannot be copied', async () => {
  const { from } = await opened()
  await expect(copyLocked(from, '/nowhere/copy.db')).rejects.toThrow(
    "cannot create regular file '/nowhere/copy.db': No such file or directory",
  )
})
