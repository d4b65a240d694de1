/**
 * Several API processes on one PostgreSQL hear of each other's changes by LISTEN and NOTIFY, on a
 * connection of its own: a pool would hand it to somebody else, and LISTEN ends with its session.
 */
import { randomUUID } from 'node:crypto'
import { OBJECT_KINDS } from '@trunkline/contract/fleet/fleet.schema'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Notice, Notices } from '../notices.ts'
import type { Connection } from './open.ts'

const CHANNEL = 'trunkline_notices'
/** PostgreSQL takes 8000 bytes a message. */
const PAYLOAD_BYTES = 7800
/**
 * NOTIFY takes a lock of the whole database at commit (stack.md section 5): few, and never in a change.
 * What comes alone is told at once; what comes sooner after that than this is told together.
 */
const GATHER_MS = 50
const FIRST_RETRY_MS = 200
/** What another process changes is seen within a second of the database's return. */
const LAST_RETRY_MS = 1000
/** A connection that is silently gone is known after the pace and the answer's limit. */
const CHECK_MS = 15_000
const ANSWER_MS = 5000
/** Notices kept until they are sent; beyond it the others hear that anything may have changed. */
const WAITING_LIMIT = 1000

/** Of one notice in a message: each takes up to 50 bytes. */
const LISTED_AT_MOST = 100

interface Message {
  origin: string
  notices: Notice[]
  /** Others before these are not sent: anything may have changed. */
  hasGap?: boolean
}

export interface NoticeChannelOptions {
  url: string
  db: Connection
  log: Logger
  /** The listeners of this process: notices of the others arrive here. */
  local: Notices
}

/** Tells here and there; listens to here and there. */
export interface SharedNotices extends Notices, AsyncDisposable {}

/** Resolves once it listens. */
export async function shareNotices(options: NoticeChannelOptions): Promise<SharedNotices> {
  const channel = new NoticeChannel(options)
  await channel.open()
  return {
    tell(notice) {
      options.local.tell(notice)
      channel.send(notice)
    },
    listen: (listener) => options.local.listen(listener),
    hearsOthers: () => channel.isOpen,
    [Symbol.asyncDispose]: async () => channel[Symbol.asyncDispose](),
  }
}

class NoticeChannel {
  readonly #options: NoticeChannelOptions
  /** Our own messages come back to us, and are known by it. */
  readonly #origin = randomUUID()
  #client: pg.Client | null = null
  #waiting: Notice[] = []
  /** Some that waited were dropped. */
  #hasGap = false
  #gathering: NodeJS.Timeout | null = null
  #flushing: Promise<void> | null = null
  /** By the clock of the process. */
  #flushedAtMs = -Infinity
  #timer: NodeJS.Timeout | null = null
  #retryMs = FIRST_RETRY_MS
  /** pg asks one question at a time. */
  #asking: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: NoticeChannelOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#client !== null
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, null))
    client.on('notification', ({ payload }) => this.#heard(client, payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    if (this.#isClosed) {
      await client.end()
      return
    }
    this.#client = client
    this.#retryMs = FIRST_RETRY_MS
    this.#checkLater(client)
    void this.#flush()
  }

  send(notice: Notice): void {
    this.#waiting.push(...inPieces(notice))
    this.#dropOldest()
    if (this.#gathering !== null) return
    const sinceMs = performance.now() - this.#flushedAtMs
    const waitMs = Math.max(0, GATHER_MS - sinceMs)
    this.#gathering = setTimeout(() => {
      this.#gathering = null
      void this.#flush()
    }, waitMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#gathering !== null) clearTimeout(this.#gathering)
    // A command that sends a notice and ends has sent nothing yet.
    await this.#flush()
    const client = this.#client
    this.#client = null
    await client?.end()
  }

  #dropOldest(): void {
    const tooMany = this.#waiting.length - WAITING_LIMIT
    if (tooMany <= 0) return
    this.#waiting.splice(0, tooMany)
    this.#hasGap = true
  }

  /** A statement after the other: of two that fail, what came last would be sent first. Never throws. */
  async #flush(): Promise<void> {
    this.#flushing ??= this.#flushWaiting().finally(() => (this.#flushing = null))
    return this.#flushing
  }

  async #flushWaiting(): Promise<void> {
    for (let client = this.#client; client !== null; client = this.#client) {
      const [notices, hasGap] = [this.#waiting.splice(0), this.#hasGap]
      if (notices.length === 0) return
      this.#hasGap = false
      this.#flushedAtMs = performance.now()
      try {
        await this.#notify(client, hasGap, notices)
      } catch (error) {
        // They are sent when the connection is back: twice is harmless, never is not.
        this.#waiting.unshift(...notices)
        this.#hasGap ||= hasGap
        this.#dropOldest()
        this.#lost(client, error)
      }
    }
  }

  async #notify(client: pg.Client, hasGap: boolean, notices: readonly Notice[]): Promise<void> {
    const origin = this.#origin
    const gap: Message = { origin, notices: [], hasGap }
    const packed = [...(hasGap ? [JSON.stringify(gap)] : []), ...messages(origin, notices)]
    const statement = 'select pg_notify($1, message) from unnest($2::text[]) as message'
    await this.#ask(client, statement, [CHANNEL, packed])
  }

  async #ask(client: pg.Client, statement: string, values: unknown[]): Promise<unknown> {
    const answer = this.#asking.then(async () => client.query(statement, values))
    this.#asking = answer.catch(() => undefined)
    return answer
  }

  #heard(client: pg.Client, payload: string): void {
    const message = messageIn(payload)
    if (message === null) {
      this.#options.log.warn('Something other than a notice was sent on the channel for notices.')
      return
    }
    if (message.origin === this.#origin) return
    if (message.hasGap === true) {
      this.#tellAllChanged().catch((error: unknown) => this.#lost(client, error))
    }
    for (const notice of message.notices) this.#options.local.tell(notice)
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    this.#options.log.warn({ err: error }, 'The database connection for notices broke.')
    // It may be half open: nothing more is expected from it.
    void client.end().catch(() => undefined)
    this.#openLater()
  }

  #openLater(): void {
    if (this.#isClosed) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    const waitMs = this.#retryMs * (0.5 + Math.random() / 2)
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
    this.#timer = setTimeout(() => {
      this.open()
        .then(async () => this.#tellAllChanged())
        .catch((error: unknown) => {
          if (this.#client === null) this.#openLater()
          else this.#lost(this.#client, error)
        })
    }, waitMs)
  }

  #checkLater(client: pg.Client): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#ask(client, 'select 1', []).then(
        () => this.#client === client && this.#checkLater(client),
        (error: unknown) => this.#lost(client, error),
      )
    }, CHECK_MS)
    this.#timer.unref()
  }

  /** Notices of the meantime are lost: anything may have changed, for everybody. */
  async #tellAllChanged(): Promise<void> {
    const groups = await this.#options.db.selectFrom('groups').select('id').execute()
    const groupIds = groups.map((group) => group.id)
    for (const kind of OBJECT_KINDS) {
      this.#options.local.tell({ kind, id: '', change: 'changed', groupIds })
    }
    this.#options.local.tell({ kind: 'alarms', ids: [] })
    this.#options.local.tell({ kind: 'onAir' })
    this.#options.local.tell({ kind: 'hostIdentity', address: null })
  }
}

/** What names more than a message takes is told in several notices, which say the same together. */
function inPieces(notice: Notice): Notice[] {
  if (notice.kind === 'alarms') return chunks(notice.ids).map((ids) => ({ ...notice, ids }))
  if (notice.kind === 'alarmsOver') {
    return chunks(notice.alarms).map((alarms) => ({ ...notice, alarms }))
  }
  if (!('groupIds' in notice)) return [notice]
  return chunks(notice.groupIds).map((groupIds) => ({ ...notice, groupIds }))
}

/** null: none of ours. Whoever may use the database may send there what they like. */
function messageIn(payload: string): Message | null {
  try {
    const message = JSON.parse(payload) as Partial<Message> | null
    const isOurs =
      typeof message?.origin === 'string' &&
      Array.isArray(message.notices) &&
      message.notices.every((notice) => typeof notice?.kind === 'string')
    return isOurs ? (message as Message) : null
  } catch {
    return null
  }
}

/** At least one, for a list that is empty. */
function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.max(1, Math.ceil(list.length / LISTED_AT_MOST)) }, (_, at) =>
    list.slice(at * LISTED_AT_MOST, (at + 1) * LISTED_AT_MOST),
  )
}

/** As few messages as the size allows. */
export function messages(origin: string, notices: readonly Notice[]): string[] {
  const found: string[] = []
  let batch: Notice[] = []
  const text = (some: Notice[]) => JSON.stringify({ origin, notices: some } satisfies Message)
  for (const notice of notices) {
    if (batch.length > 0 && Buffer.byteLength(text([...batch, notice])) > PAYLOAD_BYTES) {
      found.push(text(batch))
      batch = []
    }
    batch.push(notice)
  }
  return batch.length === 0 ? found : [...found, text(batch)]
}
