/**
 * raw-commits.ts in PostgreSQL: as many connections as there are editors, each with one row changed and
 * one added in a transaction, nothing else. Its test instance does not wait for the disk.
 */
import pg from 'pg'

const EDITORS = 8
/** As long as the configuration of an encoder. */
const CONFIG = 'x'.repeat(900)

const [url = '', rows = '0'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: EDITORS })
await pool.query('create table raw_encoders (id text primary key, version integer, config text)')
await pool.query('create table raw_audit (id text primary key, at text, before text, after text)')
await pool.query(
  `insert into raw_encoders select 'e-' || n, 1, $1 from generate_series(0, ${Number(rows) - 1}) n`,
  [CONFIG],
)
let done = 0

async function save(client: pg.PoolClient): Promise<void> {
  const number = done
  done += 1
  await client.query('begin')
  await client.query({
    name: 'update',
    text: 'update raw_encoders set version = version + 1, config = $1 where id = $2',
    values: [CONFIG, `e-${number % Number(rows)}`],
  })
  await client.query({
    name: 'insert',
    text: 'insert into raw_audit values ($1, $2, $3, $4)',
    values: [`a-${number}`, '2026-11-20T08:00:00.000Z', CONFIG, CONFIG],
  })
  await client.query('commit')
}

async function commitFor(durationMs: number): Promise<void> {
  const [startedAt, before, cpu] = [performance.now(), done, process.cpuUsage()]
  const edit = async () => {
    const client = await pool.connect()
    while (performance.now() - startedAt < durationMs) await save(client)
    client.release()
  }
  await Promise.all(Array.from({ length: EDITORS }, edit))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const commits = done - before
  process.send?.({ perSecond: commits / seconds, cpuUs: (user + system) / commits })
}

process.on('message', ({ durationMs }: { durationMs: number }) => {
  void commitFor(durationMs)
})
process.send?.({ type: 'ready' })
