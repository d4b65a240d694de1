/** One agent a data folder: two would fight over its programs. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isDiskFull } from '../host/disk.ts'
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

/** Throws a sentence when another agent has the folder. Disposing lets go of it. */
export function claimFolder(layout: Layout): Disposable {
  const file = join(layout.base, 'agent.json')
  const folder = folderId(layout)
  const holder = readHolder(file, folder)
  if (holder && holder.pid !== process.pid && isSameProcess(holder)) {
    throw new Error(
      `Another agent (process ${holder.pid}) already works on ${layout.dataDir}. End it first, or name another dataDir.`,
    )
  }
  try {
    writePrivate(file, JSON.stringify({ ...identityOf(process.pid), folder }))
  } catch (error) {
    // A full disk is no reason to leave the host without an agent.
    if (!isDiskFull(error)) throw error
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
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
