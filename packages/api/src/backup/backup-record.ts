import { hostname } from 'node:os'
import type { BackupReason, BackupRecord } from '@trunkline/contract/backups/backup.schema'
import { newId } from '../id.ts'

/** A backup that begins on this machine. */
export function newBackup(reason: BackupReason, begunMs: number, file: string): BackupRecord {
  return {
    id: newId(),
    reason,
    begunAt: new Date(begunMs).toISOString(),
    endedAt: null,
    machine: hostname(),
    file,
    bytes: null,
    fault: '',
  }
}
