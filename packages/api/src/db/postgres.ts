/**
 * PostgreSQL through a pool that outlives its server: a connection that breaks, idle or in use, fails
 * the calls that need it and nothing else, and the next call opens another one.
 */
import {
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type Driver,
  type PostgresDialectConfig,
} from 'kysely'
import pg from 'pg'
import { DatabaseAway, isConnectionFault } from './faults.ts'
import type { Database } from './schema.ts'

const POSTGRES_CONNECTIONS = 8
const POSTGRES_CONNECT_MS = 5000
/** A server that is gone without a word is noticed some ten seconds after this, on a connection that waits. */
const KEEP_ALIVE_MS = 10_000

/** `url`: postgres://user:password@host:5432/database. Connects at the first query. */
export function openPostgres(url: string): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: typeParser },
  })
  // Without a listener a broken connection ends the process. The pool listens while one is idle; while it is in
  // use nobody does, and its queries fail by themselves.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // An idle one that breaks is replaced at the next query.
  pool.on('error', () => undefined)
  return new Kysely<Database>({ dialect: new Dialect({ pool }) })
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new WatchedDriver(this.#config)
  }
}

/** Throws DatabaseAway, whichever of the many errors of a lost connection it was. */
class WatchedDriver extends PostgresDriver {
  readonly #watched = new WeakSet<DatabaseConnection>()

  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...options).catch((error: unknown) => {
      throw new DatabaseAway(error)
    })
    if (!this.#watched.has(connection)) {
      this.#watched.add(connection)
      watchQueries(connection)
    }
    return connection
  }

  /** What failed before is thrown by the transaction; a connection that cannot roll back is closed. */
  override async rollbackTransaction(...of: Parameters<PostgresDriver['rollbackTransaction']>) {
    await super.rollbackTransaction(...of).catch(() => undefined)
  }
}

/** In place, as Kysely knows its connections again by identity. */
function watchQueries(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
  connection.executeQuery = async (...query) =>
    execute(...query).catch((error: unknown) => {
      throw isConnectionFault(error) ? new DatabaseAway(error) : error
    }) as never
}

const PG_BIGINT = 20

/** count(*) is a bigint, which pg hands over as text; SQLite's is a number. */
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === PG_BIGINT) return Number
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
}
