/**
 * Loaded into an API before its own code (NODE_OPTIONS=--import): it is killed, as by kill -9, when it is about to
 * record that step of the migrations as done. By then all of the step has been carried out, and none of it is kept.
 */
import { isMainThread } from 'node:worker_threads'
import { Socket } from 'node:net'
import Sqlite from 'better-sqlite3'

/** The name of a step, such as '0031-schedules': `?step=` of the address that it is loaded by. */
const step = new URL(import.meta.url).searchParams.get('step')
const RECORDS_A_STEP = 'insert into "kysely_migration"'

function killWhenRecorded(sql: string, values: readonly unknown[]): void {
  if (!sql.startsWith(RECORDS_A_STEP)) return
  if (values.flat().some((value) => value === step)) process.kill(process.pid, 'SIGKILL')
}

/** Of connections to PostgreSQL: those where such a statement has been sent, whose values come after it. */
const recording = new WeakSet<Socket>()

function killWhenSent(socket: Socket, data: unknown): void {
  if (!(data instanceof Uint8Array)) return
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  if (text.includes(RECORDS_A_STEP)) recording.add(socket)
  if (recording.has(socket) && text.includes(String(step))) process.kill(process.pid, 'SIGKILL')
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
  // The client of PostgreSQL is part of the built API: only what it sends can be seen from outside.
  const write = Reflect.get(Socket.prototype, 'write') as (...given: unknown[]) => boolean
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    killWhenSent(this, given[0])
    return write.apply(this, given)
  } as typeof Socket.prototype.write
}
