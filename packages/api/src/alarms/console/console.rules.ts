/** What is wrong with the console itself, in the words of an alarm. Pure. */
import type { ConsolePart } from '@trunkline/contract/alarms/console-parts'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { isDiskLow } from '@trunkline/contract/alarms/threshold.rules'
import { joined, type Condition } from '../finding.rules.ts'

/** As last read. */
export interface ConsoleFacts {
  /** The backup that ended last; '' for one that went well. Null: none was made. */
  backup: { fault: string; endedAtMs: number } | null
  /** Schedules whose last run, of the last day, was not carried out, and the newest of these runs. */
  notRun: { schedules: number; title: string; sentence: string; atMs: number } | null
  /** Of the last ten minutes, and the address that most of them came from. */
  wrongSecrets: { tries: number; address: string }
  /** Of the data folder; null where the database is elsewhere. */
  disk: { path: string; freeBytes: number; totalBytes: number } | null
}

/**
 * Wrong passwords and codes within ten minutes. A control room whose shift changes mistypes a few; a
 * guesser at the limit of one account from one address makes as many in three minutes.
 */
export const WRONG_SECRETS_AT_LEAST = 30

/** `null`: not read yet. `threshold`: of free space, in percent. */
export function conditionOfConsole(
  part: ConsolePart,
  facts: ConsoleFacts | null,
  nowMs: number,
  threshold: number,
): Condition {
  if (facts === null) return { is: 'unsettled', againAtMs: null }
  switch (part) {
    case 'backups':
      return ofBackup(facts)
    case 'schedules':
      return ofSchedules(facts)
    case 'sign-in':
      return ofSecrets(facts, nowMs)
    case 'disk':
      return ofDisk(facts, nowMs, threshold)
  }
}

function ofBackup({ backup }: ConsoleFacts): Condition {
  if (backup === null || backup.fault === '') return WELL
  const remedy = 'Put that right, then make a backup on the Servers page.'
  return bad(
    'backup-failed',
    joined('The last backup failed.', backup.fault, remedy),
    backup.endedAtMs,
  )
}

function ofSchedules({ notRun }: ConsoleFacts): Condition {
  if (notRun === null) return WELL
  const { schedules, title, sentence, atMs } = notRun
  const what =
    schedules === 1
      ? `A schedule of ${title} was not carried out.`
      : `${schedules} schedules were not carried out, the newest of ${title}.`
  const remedy = 'Carry it out by hand if it is still needed.'
  return bad('schedule-not-run', joined(what, sentence, remedy), atMs)
}

function ofSecrets({ wrongSecrets: { tries, address } }: ConsoleFacts, nowMs: number): Condition {
  if (tries < WRONG_SECRETS_AT_LEAST) return WELL
  // Without the count: it would be another sentence with each try.
  return bad(
    'wrong-secrets',
    `At least ${WRONG_SECRETS_AT_LEAST} passwords or codes were wrong within ten minutes, most of them from ${address}. If these are not mistakes of your users, block that address; the record of activity lists each attempt.`,
    nowMs,
  )
}

function ofDisk({ disk }: ConsoleFacts, nowMs: number, threshold: number): Condition {
  if (disk === null || !isDiskLow(disk, threshold)) return WELL
  return bad(
    'disk-full',
    `The disk of ${disk.path}, where the console keeps its data, is nearly full. Free some space: with none left, nothing can be saved.`,
    nowMs,
  )
}

const WELL: Condition = { is: 'well' }

function bad(rule: AlarmRule, sentence: string, sinceMs: number): Condition {
  return { is: 'bad', finding: { rule, sentence }, sinceMs }
}
