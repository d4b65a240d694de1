/**
 * Connections to a PostgreSQL that may go without a word: its machine loses power, a network drops
 * what is sent, its address moves to a standby. What was asked on such a connection waits for as long
 * as TCP repeats its packets (15 minutes by net.ipv4.tcp_retries2 of Linux; keep-alive only counts on
 * a connection where nothing is under way). So the server is asked about what waits for long, on a
 * connection of its own, and all connections are opened anew when it is not the one that they led to.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isConnectionFault } from '../faults.ts'
import { KeptStatements } from './kept-statements.ts'

export interface Watch {
  /** How long a connection is in use before the server is asked about it, and from then on how often. */
  everyMs: number
  /** How long the server may take to let us in, and for its answer. */
  answerMs: number
}

/** An operator waits ten seconds for a save: a standby that took over by then is found within five. */
const WATCH: Watch = { everyMs: 2500, answerMs: 5000 }
/** A machine that was held up itself hears no answer either, for a moment. */
const SILENCES = 2

export class WatchedPool implements PostgresPool {
  readonly #config: pg.PoolConfig & { connectionString: string }
  readonly #watch: Watch
  /** Since when, by the clock of the process. */
  readonly #inUse = new Map<pg.PoolClient, number>()
  readonly #kept = new KeptStatements()
  #pool: pg.Pool
  #timer: NodeJS.Timeout | null = null
  #silences = 0
  #answeredAtMs = -Infinity

  constructor(config: pg.PoolConfig & { connectionString: string }, watch: Watch = WATCH) {
    this.#config = config
    this.#watch = watch
    this.#pool = this.#open()
  }

  get options(): pg.PoolConfig {
    return this.#pool.options
  }

  /** When the server answered any statement, by the clock of the process. */
  get answeredAtMs(): number {
    return this.#answeredAtMs
  }

  noteAnswer(): void {
    this.#answeredAtMs = performance.now()
  }

  async connect(): Promise<PostgresPoolClient> {
    return this.#pool.connect()
  }

  async end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#pool.end()
  }

  #open(): pg.Pool {
    const pool = new pg.Pool(this.#config)
    // Without a listener a broken connection ends the process. The pool listens while one is idle; while it is
    // in use nobody does, and its queries fail by themselves.
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      nameStatements(client, this.#kept)
    })
    // An idle connection that breaks is replaced at the next query.
    pool.on('error', () => undefined)
    pool.on('acquire', (client) => {
      this.#inUse.set(client, performance.now())
      this.#timer ??= this.#lookLater()
    })
    pool.on('release', (_, client) => this.#inUse.delete(client))
    return pool
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), this.#watch.everyMs).unref()
  }

  async #look(): Promise<void> {
    const nowMs = performance.now()
    const waiting = new Map(
      [...this.#inUse].filter(([, sinceMs]) => nowMs - sinceMs >= this.#watch.everyMs),
    )
    if (waiting.size === 0) this.#silences = 0
    else await this.#askAbout(waiting, nowMs)
    // Whoever uses the next connection begins to look again.
    this.#timer = this.#inUse.size === 0 ? null : this.#lookLater()
  }

  async #askAbout(waiting: ReadonlyMap<pg.PoolClient, number>, nowMs: number): Promise<void> {
    const pids = [...waiting.keys()].map(pidOf)
    const known = await backendsOf(this.#config.connectionString, pids, this.#watch.answerMs)
    const isSilent = known === null && this.#answeredAtMs < nowMs
    this.#silences = isSilent ? this.#silences + 1 : 0
    if (known === null && this.#silences < SILENCES) return
    const gone = [...waiting].filter(
      ([client, sinceMs]) =>
        known?.has(pidOf(client)) !== true && this.#inUse.get(client) === sinceMs,
    )
    if (gone.length > 0) this.#renew(gone.map(([client]) => client))
  }

  /** Those that are idle lead to the same server, and whoever used them would wait as well. */
  #renew(gone: readonly pg.PoolClient[]): void {
    const left = this.#pool
    this.#pool = this.#open()
    this.#silences = 0
    for (const client of gone) void (client as unknown as pg.Client).end().catch(() => undefined)
    void left.end().catch(() => undefined)
  }
}

/** In place: the pool knows its connections by identity. */
function nameStatements(client: pg.PoolClient, kept: KeptStatements): void {
  const query = client.query.bind(client) as (...of: unknown[]) => Promise<pg.QueryResult>
  const named = async (text: unknown, values: unknown): Promise<pg.QueryResult> => {
    const name = typeof text === 'string' ? kept.nameOf(text) : undefined
    if (name === undefined) return query(text, values)
    try {
      return await query({ name, text, values })
    } catch (error) {
      kept.note(error)
      throw error
    }
  }
  client.query = named as typeof client.query
}

/**
 * Which of these backends the server has; null when there is no answer. Behind a pooler the numbers
 * are the pooler's, and nothing is known: then it has all of them.
 */
async function backendsOf(
  connectionString: string,
  pids: readonly number[],
  answerMs: number,
): Promise<ReadonlySet<number> | null> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const own = pidOf(client)
    const statement = 'select pid from pg_stat_activity where pid = any($1)'
    const { rows } = await client.query<{ pid: number }>(statement, [[own, ...pids]])
    const known = new Set(rows.map(({ pid }) => pid))
    return known.has(own) ? known : new Set(pids)
  } catch (error) {
    // One that has no connection left, or lets us in no more, is there.
    return isConnectionFault(error) || isTimeout(error) ? null : new Set(pids)
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** In the words of pg, which has no code for it: 'timeout expired', 'Query read timeout'. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes('timeout')
}

/** Of the process that serves this connection; the types of pg leave it out. */
function pidOf(client: pg.ClientBase): number {
  return (client as pg.ClientBase & { processID: number | null }).processID ?? 0
}
