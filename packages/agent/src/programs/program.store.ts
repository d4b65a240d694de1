/** Programs on disk, one JSON file each beside the unit scripts: a restarted agent knows all again. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ProgramId, ProgramSpec, Wanted } from '@trunkline/contract/agent/program.messages'
import { Observed } from '@trunkline/contract/fleet/observed.schema'
import { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Layout } from '../supervisor/layout.ts'
import { WrittenFiles } from '../supervisor/written-files.ts'
import { writePrivate, writePrivateSoon } from '../supervisor/private-file.ts'

const Position = z.object({ inode: z.number(), offset: z.number() })

export const StoredProgram = z.object({
  id: ProgramId,
  owner: z.string(),
  /** Null too when it was written by a version that spelled it otherwise: the program goes on. */
  spec: ProgramSpec.nullable().catch(null),
  unit: z.object({
    argv: z.array(z.string()),
    repeat: z.enum(['never', 'after-clean-exit', 'always']),
    output: z.enum(['srt', 'rist', 'ffmpeg']),
    direction: z.enum(['send', 'receive', 'none']),
    secrets: z.array(z.string()),
  }),
  ports: z.array(z.number()),
  bus: z.object({ ip: z.string(), port: z.number() }).nullable().default(null),
  revision: z.string(),
  wanted: Wanted,
  restarts: z.number(),
  deathCause: z.string(),
  changedByHand: z.string().default(''),
  /** Null when it was written by a version that kept none. */
  written: WrittenFiles.nullable().default(null),
  /** The process that ran when this was written. */
  running: z.object({ pid: z.number(), startedAtMs: z.number(), revision: z.string() }).nullable(),
  /** When the state of that time began; null when nobody saw it. */
  sinceMs: z.number().nullable().default(null),
  /** Of that process: its ages go on over a start of ours. */
  observed: Observed.nullable().default(null),
  /** As it was seen last. */
  peer: z.enum(['connected', 'disconnected', '']).default(''),
  /** The sums so far, and up to where in its log they go. */
  counted: z.object({ reading: Reading, position: Position }).nullable(),
})
export type StoredProgram = z.infer<typeof StoredProgram>

/** A file that cannot be read is set aside and logged; the others go on. */
export function list(layout: Layout, log: Logger): StoredProgram[] {
  const names = readdirSync(layout.programsDir).filter((name) => name.endsWith('.json'))
  return names.flatMap((name) => {
    const file = join(layout.programsDir, name)
    try {
      return [StoredProgram.parse(JSON.parse(readFileSync(file, 'utf8')))]
    } catch (error) {
      log.error({ file, reason: String(error) }, 'a program file cannot be read and is set aside')
      renameSync(file, `${file}.unreadable`)
      return []
    }
  })
}

export function save(layout: Layout, program: StoredProgram): void {
  writePrivate(fileOf(layout, program.id), JSON.stringify(program))
}

/** For what changes all the time and may be lost in a power cut: counters. */
export function saveSoon(layout: Layout, program: StoredProgram): void {
  writePrivateSoon(fileOf(layout, program.id), JSON.stringify(program))
}

export function isThere(layout: Layout, programId: string): boolean {
  return existsSync(fileOf(layout, programId))
}

export function remove(layout: Layout, programId: string): void {
  rmSync(fileOf(layout, programId), { force: true })
}

function fileOf(layout: Layout, programId: string): string {
  return join(layout.programsDir, `${programId}.json`)
}
