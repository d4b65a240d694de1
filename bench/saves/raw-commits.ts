/**
 * The floor of a save: one row changed and one added in a durable transaction (WAL, FULL), nothing
 * else. A process of its own, so that it runs on the same core as the API. Told 'go', it commits for
 * that long and answers how often.
 */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

const [dataDir = '.', rows = '0'] = process.argv.slice(2)
const database = new Sqlite(join(dataDir, 'raw.db'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'create table encoders (id text primary key, version integer, config text) strict; create table audit (id text primary key, at text, before text, after text) strict',
)
/** As long as the configuration of an encoder. */
const CONFIG = 'x'.repeat(900)
const fill = database.prepare('insert into encoders values (?, 1, ?)')
database.transaction(() => {
  for (let number = 0; number < Number(rows); number += 1) fill.run(`e-${number}`, CONFIG)
})()
const update = database.prepare(
  'update encoders set version = version + 1, config = ? where id = ?',
)
const insert = database.prepare('insert into audit values (?, ?, ?, ?)')
let done = 0
const save = database.transaction(() => {
  update.run(CONFIG, `e-${done % Number(rows)}`)
  insert.run(`a-${done}`, '2026-11-20T08:00:00.000Z', CONFIG, CONFIG)
  done += 1
})

process.on('message', ({ durationMs }: { durationMs: number }) => {
  const [startedAt, before, cpu] = [performance.now(), done, process.cpuUsage()]
  while (performance.now() - startedAt < durationMs) save.immediate()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const commits = done - before
  process.send?.({ perSecond: commits / seconds, cpuUs: (user + system) / commits })
})
process.send?.({ type: 'ready' })
