/** One agent a data folder: two would fight over its programs. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { holdName } from '../host/hold.ts'
import { folderId, type Layout } from './layout.ts'
import { identityOf, isSameProcess } from './process-identity.ts'
import { readProcessRecord, writeProcessRecord } from './process-record.ts'

/**
 * Throws a sentence when another agent has the folder. Disposing releases it. The held name needs no
 * disk space; the file names the process, and counts where the name does not: an agent of an older
 * version, or one in another network namespace.
 */
export async function claimFolder(layout: Layout): Promise<AsyncDisposable> {
  const file = join(layout.base, 'agent.json')
  const folder = folderId(layout)
  const hold = await holdName(`agent-${folder}`)
  try {
    const holder = readProcessRecord(file, folder)
    const isHolderAlive = holder !== null && holder.pid !== process.pid && isSameProcess(holder)
    if (hold === null || isHolderAlive) throw refusal(layout, isHolderAlive ? holder.pid : null)
    // Where a full disk takes none, the held name keeps others out.
    writeProcessRecord(file, identityOf(process.pid), folder)
  } catch (error) {
    await hold?.[Symbol.asyncDispose]()
    throw error
  }
  return {
    async [Symbol.asyncDispose]() {
      try {
        rmSync(file, { force: true })
      } finally {
        await hold[Symbol.asyncDispose]()
      }
    },
  }
}

/** `pid`: null when a full disk kept the other agent from writing it. */
function refusal({ dataDir }: Layout, pid: number | null): Error {
  const who = pid === null ? 'Another agent' : `Another agent (process ${pid})`
  return new Error(`${who} already uses ${dataDir}. End it first, or name another dataDir.`)
}
