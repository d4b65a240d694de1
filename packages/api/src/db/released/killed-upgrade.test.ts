/**
 * F15: an upgrade that is killed, from each kept database, on both databases. All of its steps are one
 * transaction: it is killed at the first, in the middle and at the last. `npm run chaos -- migration-killed`
 * kills it at moments of chance.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { runProcess } from '../../testing/api-process.ts'
import { createNewDatabase } from '../../testing/databases.ts'
import { makeFolder } from '../../testing/folder.ts'
import { keptSchemas, readWhole, writeKept, type StoredWhole } from './kept-databases.fixture.ts'
import { checkBackup, writeBackup } from '../backup/backup-file.ts'
import { restore } from '../backup/restore.ts'
import { isKnownSchema, PRESENT_SCHEMA, stepsAfter } from '../migrate.ts'
import { openDatabase, targetOf } from '../open.ts'

const KINDS = ['SQLite', 'PostgreSQL'] as const
type Kind = (typeof KINDS)[number]
const PRELOAD = new URL('./kill-at-step.preload.ts', import.meta.url)

/** The kept database where an API would have it, and the settings of that API. */
async function siteOf(kept: string, kind: Kind) {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const created = kind === 'PostgreSQL' ? await createNewDatabase() : null
  if (created !== null) onTestFinished(async () => created[Symbol.asyncDispose]())
  const dataDir = join(folder.path, 'data')
  const backupDir = join(folder.path, 'backups')
  const secretFile = join(folder.path, 'secret.key')
  const file = join(folder.path, 'kept.db')
  writeKept(kept, file)
  const to = targetOf({ databaseUrl: created?.url ?? null, dataDir })
  await restore({ file, to, secretId: '', secretFile, keepReplacedAs: null })
  const env = {
    TRUNKLINE_PORT: '0',
    TRUNKLINE_DATA_DIR: dataDir,
    TRUNKLINE_SECRET_FILE: secretFile,
    TRUNKLINE_BACKUP_DIR: backupDir,
    ...(created === null ? {} : { TRUNKLINE_DATABASE_URL: created.url }),
  }
  return { to, env, backupDir }
}

const undisturbed = new Map<string, StoredWhole>()

/** What such a database holds once it was brought forward without a kill. */
async function upgraded(kept: string, kind: Kind): Promise<StoredWhole> {
  const key = `${kept} ${kind}`
  const known = undisturbed.get(key)
  if (known !== undefined) return known
  const { to } = await siteOf(kept, kind)
  await (await openDatabase(to)).destroy()
  const whole = await readWhole(to)
  undisturbed.set(key, whole)
  return whole
}

const CASES = keptSchemas().flatMap((kept) =>
  KINDS.flatMap((kind) =>
    [...endsAndMiddle(stepsAfter(kept))].map((step) => [kept, kind, step] as const),
  ),
)

function endsAndMiddle(steps: readonly string[]): Set<string> {
  return new Set([0, Math.floor(steps.length / 2), -1].flatMap((at) => steps.at(at) ?? []))
}

test('each kept database has steps to take', () => {
  for (const kept of keptSchemas()) {
    expect([isKnownSchema(kept), stepsAfter(kept).at(-1)], kept).toEqual([true, PRESENT_SCHEMA])
  }
})

test.each(CASES)(
  'F15 %s on %s, killed at step %s: nothing is changed, a backup is there, and the next try has all rows',
  async (kept, kind, step) => {
    const { to, env, backupDir } = await siteOf(kept, kind)
    const before = await readWhole(to)
    const killed = runProcess({
      ...env,
      NODE_OPTIONS: `--import ${PRELOAD.href}?step=${step}`,
    })
    await killed.ended
    expect(killed.child.signalCode, killed.text()).toBe('SIGKILL')
    expect(await readWhole(to)).toEqual(before)
    const backups = readdirSync(backupDir)
    expect(backups).toEqual([expect.stringMatching(/^trunkline-.*-before-an-upgrade\.db$/)])
    const check = await checkBackup(join(backupDir, backups[0] ?? ''))
    expect(check.schema).toBe(kept)
    await (await openDatabase(to)).destroy()
    expect(await readWhole(to)).toEqual(await upgraded(kept, kind))
  },
)

test('F15 what a killed backup has left goes with the next start that makes one', async () => {
  const [kept = ''] = keptSchemas()
  const { env, backupDir } = await siteOf(kept, 'SQLite')
  const [last = ''] = stepsAfter(kept).toReversed()
  const settings = { ...env, NODE_OPTIONS: `--import ${PRELOAD.href}?step=${last}` }
  await runProcess(settings).ended
  const [first = ''] = readdirSync(backupDir)
  const unfinished = 'trunkline-2026-11-27T100000Z-before-an-upgrade.db.part'
  writeFileSync(join(backupDir, unfinished), 'half')
  await runProcess(settings).ended
  expect(readdirSync(backupDir)).toContain(first)
  expect(readdirSync(backupDir)).not.toContain(unfinished)
})

test('F15 an upgrade that fails at each start keeps the backups of its last three tries', async () => {
  const [kept = ''] = keptSchemas()
  const { to, env, backupDir } = await siteOf(kept, 'SQLite')
  const [last = ''] = stepsAfter(kept).toReversed()
  const settings = { ...env, NODE_OPTIONS: `--import ${PRELOAD.href}?step=${last}` }
  // Neither a backup of another schema nor one that a person asked for is of a failed try.
  const others = ['2020-01-01T000000Z-before-an-upgrade', '2020-01-01T000000Z-asked-for']
  const files = others.map((name) => `trunkline-${name}.db`)
  const { to: upgradedTo } = await siteOf(kept, 'SQLite')
  await (await openDatabase(upgradedTo)).destroy()
  await writeBackup(upgradedTo, join(backupDir, files[0] ?? ''))
  await writeBackup(to, join(backupDir, files[1] ?? ''))
  const tries = new Set<string>()
  // A backup is named by the second: on a fast machine two tries share one.
  while (tries.size < 5) {
    await runProcess(settings).ended
    for (const name of readdirSync(backupDir)) if (!files.includes(name)) tries.add(name)
  }
  expect(readdirSync(backupDir).toSorted()).toEqual([
    ...files.toSorted(),
    ...[...tries].toSorted().slice(-3),
  ])
})

test.each(KINDS)(
  'F15 an older program refuses the newer database of %s in a sentence',
  async (kind) => {
    const [kept = ''] = keptSchemas()
    const { to, env } = await siteOf(kept, kind)
    const db = await openDatabase(to)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2999-01-01')`.execute(
      db,
    )
    await db.destroy()
    const before = await readWhole(to)
    const api = runProcess(env)
    expect(await api.ended).toBe(1)
    expect(api.text().trim().split('\n').at(-1)).toBe(
      'The database was written by a newer version of Trunkline (9999-future). Start that version, or a newer one. Nothing was changed.',
    )
    expect(await readWhole(to)).toEqual(before)
  },
)
