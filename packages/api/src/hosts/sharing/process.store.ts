/** The API processes that share the hosts, each with a row. PostgreSQL only. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { SingleConnection } from '../../db/postgres/single-connection.ts'

export interface ProcessRow {
  id: string
  /** Where the others reach it, 'ip:port'. */
  address: string
  /** Counts up as long as the process is alive. */
  beats: number
}

/** Any number that no other advisory lock of ours has. */
const JOIN_LOCK = 7_203_355

/** On a connection of its own: a beat must not wait behind other work of its process. */
export class ProcessTable implements AsyncDisposable {
  readonly #connection: SingleConnection

  /** `answerMs`: a server that takes longer for an answer is taken for gone. */
  constructor(url: string, answerMs: number) {
    this.#connection = new SingleConnection(url, answerMs)
  }

  /** In turn: of two that come at once, the second sees the first. Answers all there are now. */
  async join({ id, address }: Omit<ProcessRow, 'beats'>): Promise<ProcessRow[]> {
    return this.#connection.use(async (db) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(JOIN_LOCK)})`.execute(trx)
        await trx.insertInto('api_processes').values({ id, address, beats: 0 }).execute()
        return list(trx)
      }),
    )
  }

  /** Answers all there are now; without this process when the others have removed it. */
  async renew(id: string): Promise<ProcessRow[]> {
    return this.#connection.use(async (db) => {
      await db
        .updateTable('api_processes')
        .set((eb) => ({ beats: eb('beats', '+', 1) }))
        .where('id', '=', id)
        .execute()
      return list(db)
    })
  }

  /** False when it has counted on since. */
  async removeSilent({ id, beats }: ProcessRow): Promise<boolean> {
    return this.#connection.use(async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('api_processes')
        .where('id', '=', id)
        .where('beats', '=', beats)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  }

  async remove(id: string): Promise<void> {
    await this.#connection.use(async (db) =>
      db.deleteFrom('api_processes').where('id', '=', id).execute(),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}

async function list(db: Db): Promise<ProcessRow[]> {
  return db.selectFrom('api_processes').selectAll().orderBy('id').execute()
}
