/** What the console says about backups. */
import type {
  BackupReason,
  BackupRecord,
  BackupState,
} from '@trunkline/contract/backups/backup.schema'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { agoText, clockDayText, clockTimeText } from '../../shared/format.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

export const BACKUPS = 'Backups'
export const READ_FAILED = 'The backups could not be read.'
export const BACKUP_FAILED = 'The backup could not be begun.'
export const BACKUP_BEGUN = 'The backup has begun.'
export const NONE_YET = 'No backup has been made yet. Make one now, and copy it to another machine.'
export const SAME_DISK =
  'Backups are on the same disk as the database: who loses one loses both. Copy them to another machine, or set TRUNKLINE_BACKUP_DIR.'
export const SECRET_APART =
  'A backup does not hold the secret file. Keep a copy of that elsewhere: without it stored keys and passphrases cannot be read.'

export const REASON_TEXTS: Readonly<Record<BackupReason, string>> = {
  scheduled: 'scheduled',
  'asked for': 'asked for',
  'by command': 'by command',
  'before an upgrade': 'before an upgrade',
  'before a restore': 'before a restore',
}

/** Beside the page's title. */
export function markText(last: BackupRecord | undefined, nowMs: number): string {
  if (last === undefined) return 'No backup yet'
  if (last.endedAt === null) return 'Backing up…'
  if (last.bytes === null) return 'Last backup failed'
  return `Backed up ${agoText(nowMs - Date.parse(last.endedAt))}`
}

export function scheduleText({ nextAt, kept, folder }: BackupState): string {
  const when =
    nextAt === null
      ? 'No backup is scheduled (TRUNKLINE_BACKUP_TIMES).'
      : `Next backup: ${momentText(nextAt)}. The last ${kept} scheduled ones are kept.`
  return `${when} Folder: ${folder}`
}

export function resultText({ bytes, fault, endedAt }: BackupRecord): string {
  if (bytes !== null) return sizeText(bytes)
  return endedAt === null ? 'Being made' : fault
}

/** Its name alone where the folder is known. */
export function placeText(file: string, folder: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file
}

/** `27 Nov 03:30:00 UTC`. */
export function momentText(at: string): string {
  const atMs = Date.parse(at)
  return `${clockDayText(atMs)} ${clockTimeText(atMs)} ${ZONE_WORD}`
}

function sizeText(bytes: number): string {
  return `${decimalText(bytes / 1_000_000, 1)} MB`
}
