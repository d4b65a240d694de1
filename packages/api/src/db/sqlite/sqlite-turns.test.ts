/** Which transactions of one SQLite file share a commit, and that each is kept or undone by itself. */
import Sqlite from 'better-sqlite3'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Turns } from './sqlite-turns.ts'

function open(assertWritable: () => void = () => undefined) {
  const statements: string[] = []
  const database = new Sqlite(':memory:', { verbose: (text) => statements.push(String(text)) })
  onTestFinished(() => {
    database.close()
  })
  database.exec('create table kept (id integer primary key) strict')
  const turns = new Turns(database, assertWritable)
  const save = async (id: number) => {
    await turns.begin()
    database.exec(`insert into kept values (${id})`)
    await turns.commit()
  }
  const ids = () => database.prepare('select id from kept order by id').pluck().all()
  const commits = () => statements.filter((text) => text === 'commit').length
  return { database, turns, save, ids, commits, statements }
}

/** Still in the same turn of the event loop. */
async function afterMicrotasks(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
}

test('transactions that come at once share one durable commit', async () => {
  const { save, ids, commits } = open()
  await Promise.all([save(1), save(2), save(3)])
  expect(ids()).toEqual([1, 2, 3])
  expect(commits()).toBe(1)
  await save(4)
  expect(commits()).toBe(2)
})

test('one that is alone needs no savepoint; each behind it has its own', async () => {
  const { save, statements } = open()
  await save(1)
  expect(statements.filter((text) => text.startsWith('savepoint'))).toHaveLength(0)
  await Promise.all([save(2), save(3), save(4)])
  expect(statements.filter((text) => text.startsWith('savepoint'))).toHaveLength(2)
})

test('the first that is rolled back leaves those behind it', async () => {
  const { turns, database, save, ids } = open()
  const undone = async () => {
    await turns.begin()
    database.exec('insert into kept values (1)')
    turns.rollback()
  }
  await Promise.all([undone(), save(2), save(3)])
  expect(ids()).toEqual([2, 3])
})

test('one that is rolled back leaves the others of its commit as they are', async () => {
  const { turns, database, save, ids } = open()
  const undone = async () => {
    await turns.begin()
    database.exec('insert into kept values (2)')
    turns.rollback()
  }
  await Promise.all([save(1), undone(), save(3)])
  expect(ids()).toEqual([1, 3])
})

test('one that is rolled back and is alone holds no lock', async () => {
  const { turns, database } = open()
  await turns.begin()
  turns.rollback()
  await turnOfEventLoop()
  expect(database.inTransaction).toBe(false)
})

test('one that the database has undone and that goes on to commit is refused, and others go on', async () => {
  const { turns, database, save, ids } = open()
  await turns.begin()
  database.exec('rollback')
  await expect(turns.commit()).rejects.toThrow('has undone the transaction')
  await save(1)
  expect(ids()).toEqual([1])
})

test('whoever only reads finds nothing that is not durable yet', async () => {
  const { turns, save, commits } = open()
  const saved = save(1)
  const read = turns.take().then((end) => {
    const before = commits()
    end()
    return before
  })
  expect(await read).toBe(1)
  await saved
})

test('W3 saves that read first share a commit, though each comes in a callback of its own', async () => {
  const { turns, save, ids, commits } = open()
  const readAndSave = async (id: number) => {
    const endRead = await turns.take()
    endRead()
    await save(id)
  }
  const saves: Promise<void>[] = []
  for (const id of [1, 2, 3, 4]) {
    saves.push(readAndSave(id))
    await afterMicrotasks()
  }
  await Promise.all(saves)
  expect(ids()).toEqual([1, 2, 3, 4])
  // What comes while the first is written waits for it, and is written together.
  expect(commits()).toBe(2)
})

test('a commit that fails keeps nothing, and each of those who wait for it is told', async () => {
  const { database, save, ids } = open()
  const exec = database.exec.bind(database)
  database.exec = (text) => {
    if (text === 'commit') throw new Error('The disk is full.')
    return exec(text)
  }
  const results = await Promise.allSettled([save(1), save(2)])
  database.exec = exec
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(ids()).toEqual([])
  await save(3)
  expect(ids()).toEqual([3])
})

test('what the database undoes as a whole is told to those who are done already', async () => {
  const { turns, database, save, ids } = open()
  const full = new Error('The disk is full.')
  const fails = async () => {
    await turns.begin()
    // As SQLite does on a full disk.
    database.exec('rollback')
    turns.failed(full)
    turns.rollback()
  }
  const [first] = await Promise.allSettled([save(1), fails()])
  expect(first).toEqual({ status: 'rejected', reason: full })
  expect(ids()).toEqual([])
})

test('nothing is written while the file is not where it was', async () => {
  let isKept = true
  const { save, ids } = open(() => {
    if (!isKept) throw new Error('The file is gone.')
  })
  const saved = save(1)
  await Promise.resolve()
  isKept = false
  await expect(saved).rejects.toThrow('The file is gone.')
  await expect(save(2)).rejects.toThrow('The file is gone.')
  expect(ids()).toEqual([])
})
