import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { copyUnlocked } from './copy-unlocked.ts'
import { connect, openLiveFile } from './live-file.fixture.ts'

const PAGES = 3000
/** Of the first and the last page, and of those that come later. */
const NUMBERS = `select number from lines where id in (1, ${PAGES}) or id > ${PAGES}`

/** A database of a page a line, and an empty file for the copy. */
async function opened() {
  const live = await openLiveFile()
  const { database } = live
  database.exec('create table lines (id integer primary key, number integer, filler blob)')
  addLines(database, PAGES, 0)
  return live
}

function addLines(database: Sqlite.Database, count: number, number: number): void {
  database.exec(`with recursive n(at) as (select 1 union all select at + 1 from n where at < ${count})
    insert into lines (number, filler) select ${number}, zeroblob(3500) from n`)
}

/** Writes in each turn of the event loop until the copy is made. Answers how often. */
async function copyWhile(write: (round: number) => unknown, from: string, to: string) {
  let round = 0
  let isDone = false
  const copying = copyUnlocked(from, to, true).finally(() => (isDone = true))
  while (!isDone) {
    write(round)
    round += 1
    await nextTurn()
  }
  await copying
  return round
}

test('F15 the copy is the database at one moment, while others change its first and its last pages', async () => {
  const { database, from, to } = await opened()
  const change = database.transaction((round: number) => {
    addLines(database, 20, round)
    database.exec(`update lines set number = ${round} where id in (1, ${PAGES}) or id > ${PAGES}`)
    if (round % 10 === 9) database.exec(`delete from lines where id > ${PAGES}`)
  })
  const rounds = await copyWhile((round) => change(round), from, to)
  const copy = connect(to)
  const [number, ...others] = copy.prepare(NUMBERS).pluck().all() as number[]
  expect(number).toBeGreaterThan(0)
  expect(number).toBeLessThan(rounds)
  expect(others.length).toBeGreaterThan(0)
  expect(new Set(others)).toEqual(new Set([number]))
  expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(statSync(to).size % 4096).toBe(0)
})

test('F15 what is saved during a copy is moved to the file meanwhile, not by the first save after it', async () => {
  const { database, from, to } = await opened()
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.pragma('wal_autocheckpoint = 0')
  // Faster than the file is read: the copy does not run after it.
  await copyWhile((round) => round < 200 && addLines(database, 400, 1), from, to)
  const [{ log, checkpointed }] = database.pragma('wal_checkpoint(NOOP)') as [
    { log: number; checkpointed: number },
  ]
  expect(log).toBeGreaterThan(4000)
  expect(log - checkpointed).toBeLessThan(log / 2)
})

test('F15 the copy of a database that becomes smaller meanwhile is as small', async () => {
  const { database, from, to } = await opened()
  await copyWhile(
    (round) => {
      if (round === 2) database.exec('delete from lines where id > 10; vacuum')
    },
    from,
    to,
  )
  expect(statSync(to).size).toBeLessThan(20 * 4096)
  expect(connect(to).prepare('select count(*) from lines').pluck().get()).toBe(10)
})
