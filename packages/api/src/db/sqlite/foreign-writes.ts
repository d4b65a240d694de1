/**
 * SQLite tells nobody what another process writes, as the password command does. It counts it,
 * though, and that count costs microseconds to read: it changes with the writes of others only.
 */
import { sql } from 'kysely'
import type { Connection } from '../open.ts'

/** As long as a session is remembered at most (session/session-memory.ts). */
const LOOK_MS = 1000

/** Calls `onWrite` within a second after another process has written. SQLite only. */
export async function watchForeignWrites(
  db: Connection,
  onWrite: () => void,
): Promise<AsyncDisposable> {
  let known = await dataVersion(db)
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    const now = await dataVersion(db)
    if (now === known) return
    known = now
    onWrite()
  }
  // A busy file is looked at again a second later.
  const timer = setInterval(() => {
    looking = look().catch(() => undefined)
  }, LOOK_MS)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

async function dataVersion(db: Connection): Promise<number | undefined> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db)
  return rows[0]?.data_version
}
