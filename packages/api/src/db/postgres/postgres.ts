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
} from 'kysely'
import pg from 'pg'
import { DatabaseAway, isConnectionFault, reasonOf } from '../faults.ts'
import type { Database } from '../schema.ts'
import { changedBy, withCounts, WriteCounts, type ListSource } from '../write-counts.ts'
import { ConnectionTurns } from './connection-turns.ts'
import { WatchedPool, type Watch } from './watched-pool.ts'

const POSTGRES_CONNECTIONS = 8
const POSTGRES_CONNECT_MS = 5000
/** How long a call waits for others to give a connection back. */
const TURN_LIMIT_MS = 30_000
/** How often a connection is opened that was only slow. */
const MOST_TRIES = 3
/** A limit that is noticed so late was so because this process was held up itself. */
const HELD_UP_MS = 500
/** A server that is gone without a word is noticed some ten seconds after this, on a connection that waits. */
const KEEP_ALIVE_MS = 10_000

interface PoolOptions {
  connections?: number
  /** How long a connection or an answer may take; without it an answer takes as long as it takes. */
  answerMs?: number
  watch?: Watch
}

/** `url`: postgres://user:password@host:5432/database. Connects at the first query. */
export function openPostgres(
  url: string,
  { connections = POSTGRES_CONNECTIONS, answerMs, watch }: PoolOptions = {},
): Kysely<Database> {
  const counts = new WriteCounts()
  const config = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: answerMs ?? POSTGRES_CONNECT_MS,
    ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: typeParser },
  }
  const dialect = new Dialect(new WatchedPool(config, watch), counts)
  return withCounts(new Kysely<Database>({ dialect }), counts)
}

class Dialect extends PostgresDialect {
  readonly #pool: WatchedPool
  readonly #counts: WriteCounts

  constructor(pool: WatchedPool, counts: WriteCounts) {
    super({ pool })
    this.#pool = pool
    this.#counts = counts
  }

  override createDriver(): Driver {
    return new WatchedDriver(this.#pool, this.#counts)
  }
}

/** Throws DatabaseAway, whichever of the many errors of a lost connection it was. */
class WatchedDriver extends PostgresDriver {
  readonly #watched = new WeakSet<DatabaseConnection>()
  readonly #counts: WriteCounts
  readonly #turns = new ConnectionTurns(POSTGRES_CONNECTIONS, TURN_LIMIT_MS)
  readonly #pool: WatchedPool
  /** Of each transaction that is open: what it has changed so far. */
  readonly #changed = new WeakMap<DatabaseConnection, Set<ListSource>>()

  constructor(pool: WatchedPool, counts: WriteCounts) {
    super({ pool })
    this.#pool = pool
    this.#counts = counts
  }

  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>) {
    await this.#turns.take()
    try {
      const connection = await this.#connect(options)
      if (!this.#watched.has(connection)) {
        this.#watched.add(connection)
        watchQueries(connection, (sql, isAnswered) => {
          if (isAnswered) this.#pool.noteAnswer()
          this.#note(connection, sql)
        })
      }
      return connection
    } catch (error) {
      this.#turns.end()
      throw error
    }
  }

  override async releaseConnection(...of: Parameters<PostgresDriver['releaseConnection']>) {
    try {
      await super.releaseConnection(...of)
    } finally {
      this.#turns.end()
    }
  }

  async #connect(options: Parameters<PostgresDriver['acquireConnection']>) {
    for (let tries = 1; ; tries++) {
      const beganAtMs = performance.now()
      try {
        return await super.acquireConnection(...options)
      } catch (error) {
        if (tries < MOST_TRIES && this.#wasOnlySlow(error, beganAtMs)) continue
        const away = new DatabaseAway(error)
        if (isConnectionFault(error)) this.#turns.refuseWaiting(away)
        throw away
      }
    }
  }

  /** Not when the server says nothing at all. */
  #wasOnlySlow(error: unknown, beganAtMs: number): boolean {
    if (!reasonOf(error).includes('timeout')) return false
    const wasHeldUp = performance.now() - beganAtMs > POSTGRES_CONNECT_MS + HELD_UP_MS
    return wasHeldUp || this.#pool.answeredAtMs > beganAtMs
  }

  #note(connection: DatabaseConnection, sql: string): void {
    const changed = changedBy(sql)
    const ofTransaction = this.#changed.get(connection)
    if (ofTransaction === undefined) this.#counts.add(changed)
    else for (const source of changed) ofTransaction.add(source)
  }

  override async beginTransaction(...of: Parameters<PostgresDriver['beginTransaction']>) {
    this.#changed.set(of[0], new Set())
    await super.beginTransaction(...of)
  }

  /** Whether it was kept is unknown when it fails: then it counts as well. */
  override async commitTransaction(connection: DatabaseConnection) {
    try {
      await super.commitTransaction(connection)
    } finally {
      this.#counts.add(this.#changed.get(connection) ?? [])
      this.#changed.delete(connection)
    }
  }

  /** What failed before is thrown by the transaction; a connection that cannot roll back is closed. */
  override async rollbackTransaction(...of: Parameters<PostgresDriver['rollbackTransaction']>) {
    await super.rollbackTransaction(...of).catch(() => undefined)
    this.#changed.delete(of[0])
  }
}

/**
 * In place, as Kysely knows its connections again by identity. `note` is told of each statement that
 * has ended, and whether the server carried it out.
 */
function watchQueries(
  connection: DatabaseConnection,
  note: (sql: string, isAnswered: boolean) => void,
): void {
  const execute = connection.executeQuery.bind(connection) as DatabaseConnection['executeQuery']
  connection.executeQuery = async (...query) => {
    let isAnswered = false
    try {
      const result = await execute(...query)
      isAnswered = true
      return result as never
    } catch (error) {
      throw isConnectionFault(error) ? new DatabaseAway(error) : error
    } finally {
      note(query[0].sql, isAnswered)
    }
  }
}

const PG_BIGINT = 20

/** count(*) is a bigint, which pg hands over as text; SQLite's is a number. */
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === PG_BIGINT) return Number
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
}
