/**
 * F15: how long a site is away while a newer version brings its database forward, with 10,000 rows of each
 * list and a million lines of the record of activity: the backup before it, all steps, and the start. Each
 * kept database of an earlier version, filled. The limit is the same site started once more.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBackup } from '@trunkline/api/db/backup/backup-file'
import { restore } from '@trunkline/api/db/backup/restore'
import { openUnmigrated, targetOf } from '@trunkline/api/db/open'
import { keptSchemas, writeKept } from '@trunkline/api/db/released/kept-databases.fixture'
import { copyRow } from '@trunkline/api/testing/copied-rows'
import { openDatabases, settingsOf } from '../kit/database.ts'
import { atLeast, atMost, median, printFigure, round, spread } from '../kit/figure.ts'
import { startApi } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'

const ROUNDS = settingOf('ROUNDS', 3)
const ROWS = settingOf('ROWS', 10_000)
const LINES = settingOf('LINES', 1_000_000)
/** With the columns that are unique in them. */
const LISTS = [
  ['encoders', ['id', 'name', 'ip']],
  ['inputs', ['id', 'name']],
  ['outputs', ['id', 'name']],
  ['channels', ['id', 'name']],
  ['users', ['id', 'email']],
] as const

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-upgrade-'))
await using life = new AsyncDisposableStack()
life.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = life.use(await openDatabases('BENCH_DATABASE'))
const awayMs: number[] = []
const startMs: number[] = []
let megabytes = 0
let backups = 0
for (const kept of keptSchemas()) {
  for (let at = 0; at < ROUNDS; at += 1) await upgrade(kept, `old${awayMs.length}`)
}
printFigure({
  bench: 'upgrade',
  rounds: awayMs.length,
  ours: { database: databases.kind, rows: ROWS, lines: LINES, megabytes, awayMs: spread(awayMs) },
  limit: { nextStartMs: spread(startMs) },
  goals: [
    atMost('away', median(awayMs), 5000, 'ms'),
    atLeast('backups made', backups, awayMs.length, 'backups'),
  ],
})

async function upgrade(kept: string, name: string): Promise<void> {
  const place = join(folder, name)
  const dataDir = join(place, 'data')
  const backupDir = join(place, 'backups')
  const url = await databases.open(name)
  const to = targetOf({ dataDir, databaseUrl: url })
  const file = join(folder, `${kept}.db`)
  writeKept(kept, file)
  const secretFile = join(place, 'secret.key')
  await restore({ file, to, secretId: '', secretFile, keepReplacedAs: null })
  const db = await openUnmigrated(to)
  for (const [table, differ] of LISTS) {
    const { id } = await db.selectFrom(table).select('id').executeTakeFirstOrThrow()
    await copyRow(db, table, id, ROWS, differ)
  }
  const lines = await db.selectFrom('audit').select('id').execute()
  for (const { id } of lines) await copyRow(db, 'audit', id, LINES / lines.length, ['id'])
  await db.destroy()
  await databases.analyze(url)
  const settings = {
    ...settingsOf(url),
    TRUNKLINE_SECRET_FILE: secretFile,
    TRUNKLINE_BACKUP_DIR: backupDir,
  }
  awayMs.push(await timeOfStart(dataDir, settings))
  startMs.push(await timeOfStart(dataDir, settings))
  const [backup = ''] = readdirSync(backupDir)
  const { schema } = await checkBackup(join(backupDir, backup))
  if (schema === kept) backups += 1
  megabytes = round(statSync(join(backupDir, backup)).size / 1e6)
  rmSync(place, { recursive: true })
}

async function timeOfStart(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const beganMs = performance.now()
  await using _api = await startApi(dataDir, settings)
  return performance.now() - beganMs
}
