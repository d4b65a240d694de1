/** Which process works on a data folder, written in that folder. */
import { z } from 'zod'
import { isDiskFull } from '../host/disk.ts'
import { readJson } from '../host/files.ts'
import { writePrivate } from './private-file.ts'
import type { ProcessIdentity } from './process-identity.ts'

const ProcessRecord = z.object({
  pid: z.number(),
  startTicks: z.string(),
  bootId: z.string(),
  /** Of the folder that it was written for; '' by a version that did not say. */
  folder: z.string().default(''),
})

/** Null for a file that was copied with its folder: it names the process of the original. */
export function readProcessRecord(file: string, folder: string): ProcessIdentity | null {
  const known = readJson(file, ProcessRecord)
  return known?.folder === '' || known?.folder === folder ? known : null
}

/** On a full disk nothing is written: no reason to leave the host without the process. */
export function writeProcessRecord(
  file: string,
  identity: ProcessIdentity | null,
  folder: string,
): void {
  try {
    writePrivate(file, JSON.stringify({ ...identity, folder }))
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}
