import { z } from 'zod'
import { Sentence } from '../sentence.schema.ts'

/** Why a backup was made. */
const BACKUP_REASONS = [
  'scheduled',
  'asked for',
  'by command',
  'before an upgrade',
  'before a restore',
] as const

export type BackupReason = (typeof BACKUP_REASONS)[number]

export const BackupRecord = z.object({
  id: z.string(),
  reason: z.enum(BACKUP_REASONS),
  begunAt: z.iso.datetime(),
  /** Null while it is made. */
  endedAt: z.iso.datetime().nullable(),
  /** Of the machine whose disk it is on. */
  machine: z.string(),
  /** Its whole path there. */
  file: z.string(),
  /** Null unless it was made. */
  bytes: z.number().nullable(),
  /** Why it was not made; '' otherwise. */
  fault: Sentence,
})

export type BackupRecord = z.infer<typeof BackupRecord>

export const BackupState = z.object({
  /** The newest first. */
  backups: z.array(BackupRecord),
  /** Where this API process puts its backups. */
  folder: z.string(),
  /** Null when none is scheduled. */
  nextAt: z.iso.datetime().nullable(),
  /** How many scheduled backups stay. */
  kept: z.number(),
  /** Whether the loss of a disk would take the database and its backups. */
  isOnSameDisk: z.boolean(),
})

export type BackupState = z.infer<typeof BackupState>
