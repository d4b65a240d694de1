/**
 * F15: the API is killed with kill -9 at a random moment while it upgrades an old database, and started again: all data
 * is there, no table is half made, a backup was made first, and an older program refuses the newer database. Each kept
 * database of an earlier version has so many rounds.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { checkBackup } from '@trunkline/api/db/backup/backup-file'
import { differences } from '@trunkline/api/db/backup/copy-rows'
import { restore } from '@trunkline/api/db/backup/restore'
import { openDatabase, openUnmigrated, type DatabaseTarget } from '@trunkline/api/db/open'
import {
  keptSchemas,
  readWhole,
  writeKept,
  type StoredWhole,
} from '@trunkline/api/db/released/kept-databases.fixture'
import { entryOf } from '@trunkline/testbed/site-processes'
import { openDatabases, settingsOf } from '../kit/database.ts'
import { atLeast, atMost, printFigure, spread } from '../kit/figure.ts'
import { startApi } from '../kit/large-site.ts'
import { storedPlace } from './rig/api-site.ts'
import { roundsOf } from './rig/rounds.ts'

/** Of each kept database. */
const ROUNDS = roundsOf(20)
/** Before the first kill: how long the upgrade takes on this machine. */
const MEASURED = 3
/** Of the time until it answers calls: so much the upgrade takes at most, the rest comes after it. */
const UPGRADE_SHARE = 0.6
/** Of the steps between 0 and 1 that moments are taken from: spread evenly in every order (golden ratio). */
const STEP = 0.618_034
/** What an API that runs writes by itself; the test of each step compares these as well, without such an API. */
const WRITTEN_BY_ITSELF = new Set([
  'marks',
  'backups',
  'events',
  'event_states',
  'event_watchers',
  'alarms',
  'api_processes',
  'link_samples',
  'record_seals',
])

type Moment = 'before the backup was whole' | 'between backup and end' | 'after the upgrade'

interface Old {
  readonly to: DatabaseTarget
  readonly dataDir: string
  readonly backupDir: string
  readonly settings: Readonly<Record<string, string>>
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-chaos-'))
await using life = new AsyncDisposableStack()
life.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = life.use(await openDatabases('CHAOS_DATABASE'))
let made = 0
const moments: Record<Moment, number> = {
  'before the backup was whole': 0,
  'between backup and end': 0,
  'after the upgrade': 0,
}
const faults = {
  half: [] as string[],
  data: [] as string[],
  backup: [] as string[],
  start: [] as string[],
}
const upgradeMs: number[] = []
const readyMs: number[] = []
let refused = 0
for (const kept of keptSchemas()) {
  const reference = await undisturbed(kept)
  for (let at = 0; at < MEASURED; at += 1) upgradeMs.push(await timeOf(await openOld(kept)))
  for (let at = 0; at < ROUNDS; at += 1) {
    const old = await openOld(kept)
    await killAndLook(kept, old, ((at + 1) * STEP) % 1, reference)
  }
  refused += (await isRefusedByOlder(await openOld(kept))) ? 1 : 0
}
printFigure({
  bench: 'migration-killed',
  rounds: ROUNDS * keptSchemas().length,
  ours: {
    database: databases.kind,
    kept: keptSchemas(),
    upgradeMs: spread(upgradeMs),
    readyAfterKillMs: spread(readyMs),
    killed: moments,
    faults,
  },
  limit: {},
  goals: [
    atMost('tables half upgraded', faults.half.length, 0, 'tables'),
    atMost('tables that differ after the next start', faults.data.length, 0, 'tables'),
    atMost('backups missing or damaged', faults.backup.length, 0, 'backups'),
    atMost('starts after a kill that failed', faults.start.length, 0, 'starts'),
    atLeast('kills within the upgrade', moments['between backup and end'], 1, 'kills'),
    atLeast('newer databases refused', refused, keptSchemas().length, 'databases'),
  ],
})

/** A copy of its own, with nothing that an earlier round has written. */
async function openOld(kept: string): Promise<Old> {
  made += 1
  const place = join(folder, `old${made}`)
  const dataDir = join(place, 'data')
  const url = await databases.open(`old${made}`)
  const to = storedPlace(dataDir, url)
  const file = join(folder, `${kept}.db`)
  if (!existsSync(file)) writeKept(kept, file)
  const secretFile = join(place, 'secret.key')
  await restore({ file, to, secretId: '', secretFile, keepReplacedAs: null })
  const backupDir = join(place, 'backups')
  const settings = {
    ...settingsOf(url),
    TRUNKLINE_SECRET_FILE: secretFile,
    TRUNKLINE_BACKUP_DIR: backupDir,
  }
  return { to, dataDir, backupDir, settings }
}

async function undisturbed(kept: string): Promise<StoredWhole> {
  const { to } = await openOld(kept)
  await (await openDatabase(to)).destroy()
  return readWhole(to)
}

/** From when its backup begins to when it answers, without a kill. */
async function timeOf(old: Old): Promise<number> {
  const starting = startApi(old.dataDir, old.settings)
  const startedMs = await untilBackupBegins(old)
  await using _api = await starting
  return performance.now() - startedMs
}

async function untilBackupBegins({ backupDir }: Old): Promise<number> {
  while (!existsSync(backupDir)) await pause(1)
  return performance.now()
}

/** `share`: of the time that an upgrade takes. */
async function killAndLook(kept: string, old: Old, share: number, reference: StoredWhole) {
  const before = await readWhole(old.to)
  const api = spawn(process.execPath, [entryOf('api')], {
    env: {
      PATH: process.env['PATH'],
      TRUNKLINE_DATA_DIR: old.dataDir,
      TRUNKLINE_PORT: '0',
      TRUNKLINE_LOG_LEVEL: 'error',
      ...old.settings,
    },
    stdio: 'ignore',
  })
  const ended = once(api, 'exit')
  await untilBackupBegins(old)
  await pause(share * UPGRADE_SHARE * Math.min(...upgradeMs))
  api.kill('SIGKILL')
  await ended
  await untilServerNoticed(old.to)
  const backups = backupsOf(old)
  const whole = await readWhole(old.to)
  const label = `${kept} killed at ${share.toFixed(2)}`
  if (whole.schema === kept) {
    moments[backups.length === 0 ? 'before the backup was whole' : 'between backup and end'] += 1
    faults.half.push(...differing(before, whole).map((what) => `${label}: ${what}`))
  } else {
    moments['after the upgrade'] += 1
    faults.half.push(...differing(reference, whole).map((what) => `${label}: ${what}`))
    if (backups.length === 0) faults.backup.push(`${label}: none`)
  }
  const startedMs = performance.now()
  try {
    await using _api = await startApi(old.dataDir, old.settings)
    readyMs.push(performance.now() - startedMs)
  } catch (error) {
    faults.start.push(`${label}: ${String(error).slice(0, 300)}`)
    return
  }
  const after = differing(reference, await readWhole(old.to))
  faults.data.push(...after.map((what) => `${label}: ${what}`))
  for (const file of backupsOf(old)) {
    const check = await checkBackup(file).catch((error: unknown) => ({ schema: String(error) }))
    if (check.schema !== kept) faults.backup.push(`${label}: ${check.schema}`)
  }
}

function backupsOf({ backupDir }: Old): string[] {
  return readdirSync(backupDir)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(backupDir, name))
}

/** PostgreSQL goes on with a statement whose client is gone, and undoes it then. */
async function untilServerNoticed(to: DatabaseTarget): Promise<void> {
  if (to.kind === 'sqlite') return
  await using db = await openUnmigrated(to)
  for (;;) {
    const { rows } = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    if (rows.length === 0) return
    await pause(5)
  }
}

/** Schema and names of tables that differ. */
function differing(a: StoredWhole, b: StoredWhole): string[] {
  return [
    ...(a.schema === b.schema ? [] : [`schema ${b.schema}`]),
    ...b.tables.filter((table) => !a.tables.includes(table)),
    ...a.tables.filter((table) => !b.tables.includes(table)),
    ...differences(a.content, b.content).filter((table) => !WRITTEN_BY_ITSELF.has(table)),
  ]
}

/** As a program would that knows all steps but the last. */
async function isRefusedByOlder(old: Old): Promise<boolean> {
  const db = await openDatabase(old.to)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2999-01-01')`.execute(
    db,
  )
  await db.destroy()
  const before = await readWhole(old.to)
  const sentence = await startApi(old.dataDir, old.settings).then(
    async (api) => api.stop().then(() => ''),
    (error: unknown) => String(error),
  )
  const after = await readWhole(old.to)
  return /was written by a newer version/.test(sentence) && differing(before, after).length === 0
}
