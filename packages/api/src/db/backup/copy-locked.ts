/** Copies the file of an SQLite database that nobody changes meanwhile, in large blocks. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { codeOf } from '../faults.ts'

const LOCK_WAIT_MS = 5000

/**
 * Takes a small part of the processor time of SQLite's own backup, which copies page by page; where the file system can,
 * the two files share their blocks, and it takes none. `to` exists, and keeps its mode. Answers false, and has copied
 * nothing, when others use the database: then its newest changes stand in the log beside it. Throws when the copy cannot
 * be made.
 */
export async function copyLocked(from: string, to: string): Promise<boolean> {
  const lock = new Sqlite(from, { timeout: 0 })
  try {
    if (!lockWhole(lock, from)) return false
    await copyFile(from, to)
    return true
  } finally {
    // Rolls back, which changes nothing.
    lock.close()
  }
}

/** Whether nobody writes until `lock` is closed, and all that was written is in the file itself. */
function lockWhole(lock: Sqlite.Database, file: string): boolean {
  try {
    lock.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // No room for the checkpoint: then the log is not empty.
    if (!/^SQLITE_(FULL|IOERR)/.test(codeOf(error))) throw error
  }
  lock.pragma(`busy_timeout = ${LOCK_WAIT_MS}`)
  lock.exec('begin immediate')
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/**
 * By a program of its own: this process loses all locks that it has on a file as soon as it closes a descriptor of it
 * (fcntl(2)), those of the open database too.
 */
async function copyFile(from: string, to: string): Promise<void> {
  // Without the settings of the API, which may hold passwords, and in English.
  await promisify(execFile)('/bin/cp', ['--reflink=auto', '--', from, to], { env: {} }).catch(
    (error: Error & { stderr?: string }) => {
      const reason = error.stderr?.trim().split('\n').at(-1)
      throw new Error(reason === undefined || reason === '' ? error.message : reason, {
        cause: error,
      })
    },
  )
}
