/**
 * One API at a time on a data folder: with two of them, each would command the hosts from a memory that the other has
 * changed. The lock is the kernel's, so it ends with the process, however that ends.
 */
import Sqlite from 'better-sqlite3'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, reasonOf } from '../faults.ts'

/**
 * Locks the folder until disposed. Throws a sentence when another process has it, or when it cannot be locked.
 * `by`: what would have it, an API or a restore.
 */
export function lockFolder(folder: string, by: 'api' | 'restore'): Disposable {
  const file = join(folder, 'trunkline.lock')
  let lock: Sqlite.Database | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Closing any descriptor of a file drops the locks that its process has on it: never one that is there.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    lock = new Sqlite(file, { timeout: 0 })
    // Node has no call for a lock; SQLite takes one of the kernel's (fcntl). The file stays empty, so that this works
    // on a full disk too.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    throw new Error(sentenceOf(folder, file, by, error), { cause: error })
  }
  return { [Symbol.dispose]: () => void lock.close() }
}

function sentenceOf(folder: string, file: string, by: 'api' | 'restore', error: unknown): string {
  if (!codeOf(error).startsWith('SQLITE_BUSY')) {
    return `The data folder ${folder} cannot be locked: ${reasonOf(error)}. Set TRUNKLINE_DATA_DIR to a folder that may be written.`
  }
  const pid = ownerOf(file)
  const owner = pid === null ? '' : ` (process ${pid})`
  return by === 'restore'
    ? `The API${owner} uses the data folder ${folder}. Stop it, restore, and start it again.`
    : `Another API${owner} already uses the data folder ${folder}. End it, or set TRUNKLINE_DATA_DIR to another folder.`
}

/** As the kernel lists it; null where it does not, as across containers. */
function ownerOf(file: string): string | null {
  try {
    const locks = readFileSync('/proc/locks', 'utf8').split('\n')
    const held = locks.find((line) => line.includes(`:${statSync(file).ino} `))
    const pid = held?.trim().split(/\s+/)[4] ?? ''
    return /^[1-9]\d*$/.test(pid) ? pid : null
  } catch {
    return null
  }
}
