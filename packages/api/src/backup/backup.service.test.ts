import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import { DAY_MS, MINUTE_MS } from '@trunkline/contract/durations'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signIn, startApi, WITH_ADMIN } from '../testing/api-process.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { outcomesOf } from '../outcome-counts.ts'
import { makeTestContext, type TestContext } from '../testing/test-context.ts'
import { openTestSite } from '../testing/test-site.ts'
import { checkBackup } from '../db/backup/backup-file.ts'
import { makeDue, openBackups, openSchedule, read } from './backup.service.ts'
import * as backupStore from './backup.store.ts'

const DAILY = { backupTimes: [{ hour: 3, minute: 30 }], backupsKept: 2 }
const SCHEDULED = /^trunkline-.*Z-scheduled\.db$/

async function opened(more: Parameters<typeof makeTestContext>[0]): Promise<TestContext> {
  const test = await makeTestContext(more)
  onTestFinished(async () => test[Symbol.asyncDispose]())
  return test
}

/** Until it is disposed; a backup reads every table, and waits there. */
async function keepFromReading(url: string, table: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return { [Symbol.asyncDispose]: async () => client.end() }
}

test('one is made each day, those beyond the kept go, and what a person made stays', async () => {
  const site = await opened(DAILY)
  const { ctx } = site
  const { backupDir } = ctx.config
  await mkdir(backupDir)
  await writeFile(join(backupDir, 'trunkline-2020-01-01T000000Z-asked-for.db'), '')
  await openSchedule(ctx)
  expect(await makeDue(ctx)).toBe(false)
  for (let day = 0; day < 3; day += 1) {
    site.advance(DAY_MS)
    expect(await makeDue(ctx)).toBe(true)
    expect(await makeDue(ctx)).toBe(false)
  }
  const names = await readdir(backupDir)
  expect(names.filter((name) => SCHEDULED.test(name))).toHaveLength(2)
  expect(names).toHaveLength(3)
  const { data } = await read(ctx)
  expect(data.backups.map(({ reason, fault }) => [reason, fault])).toEqual([
    ['scheduled', ''],
    ['scheduled', ''],
    ['scheduled', ''],
  ])
  const [newest] = data.backups
  expect(await checkBackup(newest?.file ?? '')).toMatchObject({ bytes: newest?.bytes })
  expect(Date.parse(data.nextAt ?? '')).toBeGreaterThan(ctx.clock())
})

test('of several API processes one makes it', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const first = await opened({ ...DAILY, databaseUrl: database.url })
  const { databaseUrl, secretFile } = first.ctx.config
  const sites = [first, await opened({ ...DAILY, databaseUrl, secretFile })]
  for (const each of sites) {
    await openSchedule(each.ctx)
    each.advance(DAY_MS)
  }
  const made = await Promise.all(sites.map(async ({ ctx }) => makeDue(ctx)))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await backupStore.list(first.ctx.db)).toHaveLength(1)
})

test('a backup that another process makes continues; when that process is killed, it is interrupted and its file is removed', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const mine = await opened({ databaseUrl: database.url })
  const { ctx } = mine
  await using _lock = await keepFromReading(database.url, 'stream_turns')
  const other = await startApi({
    TRUNKLINE_DATA_DIR: mine.folder,
    TRUNKLINE_SECRET_FILE: ctx.config.secretFile,
    TRUNKLINE_DATABASE_URL: database.url,
    TRUNKLINE_LOG_LEVEL: 'silent',
    ...WITH_ADMIN,
  })
  const { token } = await signIn(other.url)
  const begun = await fetch(`${other.url}${makeBackup.path}`, {
    method: makeBackup.method,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(begun.status).toBe(201)
  const [record] = await backupStore.list(ctx.db)
  const { file = '' } = record ?? {}
  await vi.waitFor(async () => access(`${file}.part`), { timeout: 30_000 })

  const look = async () => {
    await openBackups(ctx)[Symbol.asyncDispose]()
    return (await backupStore.list(ctx.db)).map(({ endedAt, fault }) => [endedAt !== null, fault])
  }
  expect(await look()).toEqual([[false, '']])
  other.child.kill('SIGKILL')
  await other.ended
  mine.advance(2 * MINUTE_MS)
  expect(await look()).toEqual([[true, 'The API ended before it was finished.']])
  await expect(access(`${file}.part`)).rejects.toThrow('ENOENT')
})

test('a backup that takes long is not taken for interrupted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const site = await opened({ ...DAILY, databaseUrl: database.url })
  const { ctx } = site
  await using lock = await keepFromReading(database.url, 'stream_turns')
  await openSchedule(ctx)
  site.advance(DAY_MS)
  const made = makeDue(ctx)
  const seen = async () =>
    (await ctx.db.selectFrom('backups').select('seen_at').executeTakeFirst())?.seen_at
  await vi.waitFor(async () => expect(await seen()).toBeDefined())
  const before = await seen()
  site.advance(2 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  await vi.waitFor(async () => expect(await seen()).not.toBe(before))
  const other = await opened({ databaseUrl: database.url, secretFile: ctx.config.secretFile })
  other.advance(DAY_MS + 2 * MINUTE_MS)
  await openBackups(other.ctx)[Symbol.asyncDispose]()
  expect(await backupStore.list(ctx.db)).toMatchObject([{ endedAt: null, fault: '' }])
  await lock[Symbol.asyncDispose]()
  expect(await made).toBe(true)
  expect(await backupStore.list(ctx.db)).toMatchObject([{ fault: '' }])
})

test('a backup that fails says why, and the next one is tried when it is due', async () => {
  const site = await opened(DAILY)
  const { ctx, logged } = site
  await writeFile(ctx.config.backupDir, 'no folder')
  await openSchedule(ctx)
  site.advance(DAY_MS)
  expect(await makeDue(ctx)).toBe(true)
  const { data } = await read(ctx)
  expect(data.backups[0]).toMatchObject({
    bytes: null,
    fault: expect.stringMatching(/could not be made: E/) as string,
  })
  expect(logged.map(({ msg }) => msg)).toContain('A backup could not be made.')
  expect(outcomesOf(ctx).backups).toEqual({ done: 0, failed: 1 })
})

test('a backup that was missed while no API ran is made at the start; an interrupted backup is shown as interrupted', async () => {
  const site = await opened(DAILY)
  const { ctx } = site
  await openSchedule(ctx)
  site.advance(3 * DAY_MS)
  const interrupted = {
    id: 'cut',
    reason: 'scheduled' as const,
    begunAt: new Date(ctx.clock()).toISOString(),
    endedAt: null,
    machine: hostname(),
    file: join(site.folder, 'cut.db'),
    bytes: null,
    fault: '',
  }
  await backupStore.insert(ctx.db, interrupted)
  await writeFile(`${interrupted.file}.part`, 'half')
  await using _open = openBackups(ctx)
  await vi.waitFor(
    async () => {
      const backups = await backupStore.list(ctx.db)
      expect(backups.map(({ id, fault, bytes }) => [id === 'cut', fault, bytes !== null])).toEqual([
        [false, '', true],
        [true, 'The API ended before it was finished.', false],
      ])
    },
    { timeout: 30_000 },
  )
  expect(await readdir(site.folder)).not.toContain('cut.db.part')
})

test('asked for: it begins at once, the record names who asked, and a second one is refused', async () => {
  await using site = await openTestSite()
  const begun = await site.call('admin', makeBackup, {})
  expect(begun.status).toBe(201)
  const second = await site.call('admin', makeBackup, {})
  expect([second.status, second.failure.error]).toEqual([
    409,
    'A backup is being made. Wait until it has ended.',
  ])
  await vi.waitFor(
    async () => {
      const { answer } = await site.call('admin', readBackups, {})
      expect(answer.data.backups).toMatchObject([
        { reason: 'asked for', fault: '', bytes: expect.any(Number) as number },
      ])
    },
    { timeout: 30_000 },
  )
  const lines = await site.ctx.db.selectFrom('audit').select(['call', 'result']).execute()
  expect(lines).toContainEqual({ call: 'backups.make', result: 'done' })
})
