/** At which console the seats of this host were enrolled last: for `trunkline-agent doctor`. */
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../host/files.ts'
import { writePrivate } from '../supervisor/private-file.ts'

const ConsoleFile = z.object({
  /** As in 'https://console.example'. */
  origin: z.string(),
})

/** Call it once the folder of the identities is there. */
export function writeConsole(dataDir: string, origin: string): void {
  writePrivate(fileOf(dataDir), JSON.stringify({ origin }))
}

/** Null when no seat was enrolled yet. */
export function readConsole(dataDir: string): string | null {
  return readJson(fileOf(dataDir), ConsoleFile)?.origin ?? null
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'identity', 'console.json')
}
