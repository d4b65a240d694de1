/**
 * Loaded into an API before its own code (NODE_OPTIONS=--import): it is killed, as by kill -9, when it is about to
 * record that step of the migrations as done. By then all of the step has been carried out, and none of it is kept.
 */
import { isMainThread } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** The name of a step, such as '0031-schedules': `?step=` of the address that it is loaded by. */
const step = new URL(import.meta.url).searchParams.get('step')
const RECORDS_A_STEP = 'insert into "kysely_migration"'

function killWhenRecorded(sql: unknown, values: readonly unknown[]): void {
  if (typeof sql !== 'string' || !sql.startsWith(RECORDS_A_STEP)) return
  if (values.flat().some((value) => value === step)) process.kill(process.pid, 'SIGKILL')
}

// The thread that makes the backup takes the steps of its copy.
if (isMainThread) {
  const prepare = Reflect.get(Sqlite.prototype, 'prepare') as typeof Sqlite.prototype.prepare
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql)
    const run = statement.run.bind(statement) as (...values: unknown[]) => Sqlite.RunResult
    statement.run = (...values: unknown[]) => {
      killWhenRecorded(sql, values)
      return run(...values)
    }
    return statement
  } as typeof prepare
  const query = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [text, values] = given
    killWhenRecorded(text, Array.isArray(values) ? values : [])
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query
}
