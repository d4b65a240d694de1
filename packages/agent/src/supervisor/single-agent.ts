/** One agent a data folder: two would fight over its programs. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isDiskFull } from '../host/disk.ts'
import { holdName } from '../host/hold.ts'
import { folderId, type Layout } from './layout.ts'
import { writePrivate } from './private-file.ts'
import { identityOf, isSameProcess, type ProcessIdentity } from './process-identity.ts'

const Holder = z.object({
  pid: z.number(),
  startTicks: z.string(),
  bootId: z.string(),
  /** Of the folder that it was written in; '' by a version that did not say. */
  folder: z.string().default(''),
})

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
    const holder = readHolder(file, folder)
    const isHolderAlive = holder !== null && holder.pid !== process.pid && isSameProcess(holder)
    if (hold === null || isHolderAlive) throw refusal(layout, isHolderAlive ? holder.pid : null)
    writeHolder(file, folder)
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
  return new Error(`${who} already works on ${dataDir}. End it first, or name another dataDir.`)
}

function writeHolder(file: string, folder: string): void {
  try {
    writePrivate(file, JSON.stringify({ ...identityOf(process.pid), folder }))
  } catch (error) {
    // A full disk is no reason to leave the host without an agent; the held name keeps others out.
    if (!isDiskFull(error)) throw error
  }
}

/** Null for a file that was copied with its folder: it names the agent of the original. */
function readHolder(file: string, folder: string): ProcessIdentity | null {
  try {
    const holder = Holder.parse(JSON.parse(readFileSync(file, 'utf8')))
    return holder.folder === '' || holder.folder === folder ? holder : null
  } catch {
    return null
  }
}
