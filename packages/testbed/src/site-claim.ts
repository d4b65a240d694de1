/**
 * One site at a time in a data folder. The claim is the first thing that a start does, so that a
 * second one touches nothing; it also ends what a starter that was killed has left behind. Media
 * programs and their supervisord are not among that: the agent adopts them.
 */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { holdName } from '@trunkline/agent/host/hold'
import {
  endProcesses,
  identityOf,
  isSameProcess,
} from '@trunkline/agent/supervisor/process-identity'
import { z } from 'zod'
import { writePrivate } from './site-plan.ts'

const Identity = z.object({ pid: z.number(), startTicks: z.string(), bootId: z.string() })
const Processes = z.object({
  starter: Identity.nullable(),
  started: z.array(Identity),
  /** Device and inode of the folder that it was written in; '' by a version that did not say. */
  folder: z.string().default(''),
})

export interface SiteClaim extends AsyncDisposable {
  /** What the next start ends, should this one be killed: the pids of our own processes. */
  note(pids: readonly number[]): void
}

/** An agent or API that is halted hears no TERM. */
const END_GRACE_MS = 10_000

/** Throws a sentence when another start has the folder. */
export async function claimSite(dataDir: string): Promise<SiteClaim> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { dev, ino } = statSync(dataDir, { bigint: true })
  const folder = `${dev}:${ino}`
  const hold = await holdName(`site-${dev}-${ino}`)
  const known = readProcesses(dataDir, folder)
  if (hold === null) {
    const who =
      known?.starter && isSameProcess(known.starter) ? ` (process ${known.starter.pid})` : ''
    throw new Error(
      `Trunkline already runs on ${dataDir}${who}. Nothing was touched. End it there with Ctrl-C, or name another folder in TRUNKLINE_DATA_DIR.`,
    )
  }
  await endProcesses((known?.started ?? []).filter(isSameProcess), END_GRACE_MS)
  return {
    note(pids) {
      const started = pids.map((pid) => identityOf(pid)).filter((item) => item !== null)
      const processes = { starter: identityOf(process.pid), started, folder }
      try {
        writePrivate(fileOf(dataDir), JSON.stringify(processes))
      } catch {
        // On a full disk the site runs all the same; what is halted when this is killed stays.
      }
    },
    async [Symbol.asyncDispose]() {
      rmSync(fileOf(dataDir), { force: true })
      await hold[Symbol.asyncDispose]()
    },
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'processes.json')
}

/** Null for a file that was copied with its folder: its processes are those of the original. */
function readProcesses(dataDir: string, folder: string): z.infer<typeof Processes> | null {
  try {
    const known = Processes.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
    return known.folder === '' || known.folder === folder ? known : null
  } catch {
    return null
  }
}
