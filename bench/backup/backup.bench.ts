/**
 * A backup while people save: 10,000 encoders with a feeder each, what their links measured within the
 * last day, and 30 days of events, on SQLite. Four people save without a pause, first without and then
 * during a backup that is asked for; the longest wait of a save is what counts. `BENCH_ROWS` for
 * another number of encoders.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '@trunkline/api/db/open'
import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { sql } from 'kysely'
import { watchLoop } from '../kit/event-loop.ts'
import { atMost, percentile, printFigure, round } from '../kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'

const ENCODERS = settingOf('ROWS', 10_000)
const PEOPLE = 4
/** Long enough for the work of each minute to fall into it. */
const ALONE_MS = 70_000
/** Until the API has read its site and called the hosts: that is no matter of backups. */
const AFTER_START_MS = 15_000
const LOOK_MS = 250
/** Kept for two hours and for 26 hours: history-recorder.service.ts. */
const SAMPLES = [
  { stepS: 10, count: 720 },
  { stepS: 60, count: 1560 },
]
/** Of each encoder in 30 days, as one that is started and stopped daily has. */
const EVENTS = 60
/** Nobody listens there. */
const CLOSED_PORT = await freeTcpPort(63_990)

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-backup-'))
try {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  await fillSite(dataDir, { encoders: ENCODERS, port: CLOSED_PORT }, fillHistory)
  // What was filled in stands in the disk's queue otherwise, before every save.
  execFileSync('sync')
  await using api = await startApi(dataDir, { TRUNKLINE_BACKUP_TIMES: 'never' })
  const client = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  const loop = await watchLoop(api)
  const afterStart = await saveUntil(client, pause(AFTER_START_MS))
  await loop.goal()
  const alone = await saveUntil(client, pause(ALONE_MS))
  const aloneGoal = await loop.goal('without a backup')
  const beganMs = performance.now()
  const during = await saveUntil(client, backUp(client))
  const backupMs = performance.now() - beganMs
  const [backup] = (await callApi(client, readBackups, {})).data.backups
  if (backup === undefined || backup.bytes === null) throw new Error(backup?.fault ?? 'No backup.')
  printFigure({
    bench: 'backup',
    rounds: 1,
    ours: {
      encoders: ENCODERS,
      megabytes: round(backup.bytes / 1_000_000),
      backupS: round(backupMs / 1000),
      savesAfterStart: figuresOf(afterStart),
      savesAlone: figuresOf(alone),
      savesDuring: figuresOf(during),
    },
    limit: {},
    goals: [
      atMost('longest wait of a save during a backup', percentile(during, 100), 100, 'ms'),
      aloneGoal,
      await loop.goal('during a backup'),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function figuresOf(timesMs: readonly number[]) {
  const [p50, p99] = [50, 99].map((share) => round(percentile(timesMs, share)))
  return { count: timesMs.length, p50, p99, most: round(percentile(timesMs, 100)) }
}

/** Answers how long each save took, in milliseconds. */
async function saveUntil(client: Client, end: Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = []
  let hasEnded = false
  const people = Array.from({ length: PEOPLE }, async (_, person) => {
    for (let at = 0; !hasEnded; at += 1) {
      const beganMs = performance.now()
      const _id = `e-${1 + ((at * PEOPLE + person) % ENCODERS)}`
      await callApi(client, updateEncoder, { body: { _id, title: `Camera ${at}` } })
      timesMs.push(performance.now() - beganMs)
    }
  })
  await end
  hasEnded = true
  await Promise.all(people)
  return timesMs
}

async function backUp(client: Client): Promise<void> {
  await callApi(client, makeBackup, {})
  for (;;) {
    const { backups } = (await callApi(client, readBackups, {})).data
    if (backups.every(({ endedAt }) => endedAt !== null)) return
    await pause(LOOK_MS)
  }
}

async function fillHistory(db: Connection): Promise<void> {
  const nowS = Math.floor(Date.now() / 1000)
  const numbers = (most: number) =>
    sql`with recursive n(at) as (select 0 union all select at + 1 from n where at < ${sql.lit(most - 1)})`
  for (const { stepS, count } of SAMPLES) {
    await sql`insert into link_samples ${numbers(count)}
      select 'feeder-' || f.id, ${sql.lit(stepS)}, ${sql.lit(nowS)} - n.at * ${sql.lit(stepS)},
        5, 22500 + n.at % 7, 4400, 4600, 12.5, 2000, n.at % 3, n.at % 3, 0
      from feeders f cross join n`.execute(db)
  }
  await sql`insert into events (object_kind, object_id, at, kind, since_at, state, cause) ${numbers(EVENTS)}
    select 'encoder', e.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (n.at * 12) || ' hours'),
      case n.at % 2 when 0 then 'up' else 'down' end, null, 'running', ''
    from encoders e cross join n`.execute(db)
}
