import { expect, onTestFinished, test } from 'vitest'
import { countLocks, openLiveFile } from './live-file.fixture.ts'
import { KeptLog } from './sqlite-log.ts'

/** A database with a line of a page each, all in the log. */
async function opened(lines: number) {
  const { database, from: file } = await openLiveFile()
  database.pragma('wal_autocheckpoint = 0')
  database.exec('create table lines (id integer primary key, filler blob)')
  const add = (count: number) => {
    database.exec(`with recursive n(at) as (select 1 union all select at + 1 from n where at < ${count})
      insert into lines (filler) select zeroblob(3500) from n`)
  }
  add(lines)
  const moved = (kind: string) => {
    const [state] = database.pragma(`wal_checkpoint(${kind})`) as [
      { log: number; checkpointed: number },
    ]
    return state
  }
  return { file, database, add, moved }
}

function keep(file: string): KeptLog {
  const kept = new KeptLog(file)
  onTestFinished(() => kept[Symbol.dispose]())
  return kept
}

/** Of the database file once the log is written over it. */
function sizeOf(kept: KeptLog) {
  return kept.pages(({ bytes, newest }) => ({ bytes, pages: [...newest].length }))
}

test('F15 a log whose pages are all in the file is kept although it is begun anew, and moved from then on', async () => {
  const { file, add, moved } = await opened(3000)
  const before = moved('PASSIVE')
  expect(before.checkpointed).toBe(before.log)
  const kept = keep(file)
  add(1)
  // Begun anew: SQLite writes over a log that is in the file and that nobody reads.
  expect(moved('NOOP').log).toBeLessThan(10)
  kept.moveToFile()
  add(1500)
  kept.moveToFile()
  expect(moved('NOOP').checkpointed).toBeGreaterThan(1500)
  add(1500)
  expect(moved('PASSIVE').log).toBeGreaterThan(3000)
  expect(sizeOf(kept).pages).toBeGreaterThan(3000)
})

test('F15 nothing of a log is lost while it is moved and nobody writes for a while', async () => {
  const { file, add, moved } = await opened(10)
  const kept = keep(file)
  for (let round = 0; round < 5; round += 1) {
    add(1200)
    for (let look = 0; look < 3; look += 1) kept.moveToFile()
  }
  const { log, checkpointed } = moved('PASSIVE')
  expect(log).toBeGreaterThan(6000)
  expect(checkpointed).toBeGreaterThan(4000)
  expect(sizeOf(kept).pages).toBeGreaterThan(6000)
})

test('F15 pages of a log that is begun anew while it is read are not taken for older ones', async () => {
  const { file, add, moved } = await opened(20)
  const before = moved('PASSIVE')
  expect(before.checkpointed).toBe(before.log)
  const read = keep(file).pages(({ newest }) => {
    let count = 0
    for (const { content } of newest) {
      expect(content).toHaveLength(4096)
      count += 1
      if (count === 3) add(5)
    }
    return count
  })
  expect(read).toBe(3)
})

test('F15 the size of a database that became smaller is that of its newest state', async () => {
  const { file, database } = await opened(500)
  const kept = keep(file)
  database.exec('delete from lines')
  database.exec('vacuum')
  expect(sizeOf(kept)).toEqual({ bytes: 2 * 4096, pages: 2 })
})

test('F15 of a database without a log nothing has to be written over its copy', async () => {
  const { file, database } = await opened(10)
  database.pragma('journal_mode = DELETE')
  expect(sizeOf(keep(file))).toEqual({ bytes: null, pages: 0 })
})

test('F15 says that a database is not there', async () => {
  const { file } = await opened(0)
  expect(() => new KeptLog(`${file}.absent`)).toThrow('unable to open database file')
})

test('F15 this process keeps its locks on a database whose log it reads', async () => {
  const { file, database } = await opened(10)
  database.exec('select * from lines')
  const before = countLocks(file)
  expect(before).toBeGreaterThan(0)
  {
    using kept = new KeptLog(file)
    sizeOf(kept)
  }
  expect(countLocks(file)).toBe(before)
})
