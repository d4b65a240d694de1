/** One agent a data folder: two would fight over its programs. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Layout } from './layout.ts'
import { writePrivate } from './private-file.ts'
import { identityOf, isSameProcess, type ProcessIdentity } from './process-identity.ts'

const Identity = z.object({ pid: z.number(), startTicks: z.string(), bootId: z.string() })

/** Throws a sentence when another agent has the folder. Disposing lets go of it. */
export function claimFolder(layout: Layout): Disposable {
  const file = join(layout.base, 'agent.json')
  const holder = readIdentity(file)
  if (holder && holder.pid !== process.pid && isSameProcess(holder)) {
    throw new Error(
      `Another agent (process ${holder.pid}) already works on ${layout.dataDir}. End it first, or name another dataDir.`,
    )
  }
  writePrivate(file, JSON.stringify(identityOf(process.pid)))
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

function readIdentity(file: string): ProcessIdentity | null {
  try {
    return Identity.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
