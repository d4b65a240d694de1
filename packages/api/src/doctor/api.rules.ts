/** What is found about the API itself, in an administrator's words. Pure. */
import { isDiskLow } from '@trunkline/contract/alarms/threshold.rules'
import { note, ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'

const GIGABYTE = 1e9
const START = 'systemctl start trunkline; what it says: journalctl -u trunkline -n 20'

/** A folder or file as the file system shows it. */
export type Seen =
  | { state: 'missing' }
  /** This user may not do with it what the API does. */
  | { state: 'closed'; reason: string }
  | { state: 'fine'; mode: number }

export function folderFinding(dataDir: string, seen: Seen): Finding {
  if (seen.state === 'fine') return ok(`The data folder ${dataDir} can be written.`)
  if (seen.state === 'missing') {
    return note(
      `The data folder ${dataDir} is not there yet: the API makes it at its first start.`,
      START,
    )
  }
  return wrong(
    `The data folder ${dataDir} cannot be written by this user (${seen.reason}).`,
    `chown -R trunkline: ${dataDir}, or set TRUNKLINE_DATA_DIR`,
  )
}

/** `seen`: the nearest folder that is there; the others are made with the first backup. */
export function backupFolderFindings(backupDir: string, seen: Seen): Finding[] {
  if (seen.state !== 'closed') return []
  return [
    wrong(
      `The folder of the backups ${backupDir} cannot be written by this user (${seen.reason}).`,
      `install -d -o trunkline -g trunkline -m 700 ${backupDir}, or set TRUNKLINE_BACKUP_DIR`,
    ),
  ]
}

/** `last`: the one that ended last; its fault is empty when it is whole. */
export function lastBackupFindings(
  last: { endedAt: string | null; fault: string } | null,
): Finding[] {
  if (last === null || last.fault === '') return []
  return [
    wrong(
      `The last backup, at ${last.endedAt ?? ''}, failed. ${last.fault}`,
      "Correct that, then make one by 'Back up now' on the Servers page: the service itself makes it",
    ),
  ]
}

const GROUP_AND_OTHERS = 0o077

/** `isNeeded`: there is a database whose keys are sealed with it. */
export function secretFinding(file: string, seen: Seen, isNeeded: boolean): Finding {
  if (seen.state === 'missing') {
    return isNeeded
      ? wrong(
          `The secret file ${file} is missing: stored keys and passphrases cannot be read, and the API does not start.`,
          `Put its backup there, chmod 600 ${file}, or name it in TRUNKLINE_SECRET_FILE`,
        )
      : note(`The secret file ${file} is not there yet: the API makes it at its first start.`)
  }
  if (seen.state === 'closed') {
    return wrong(
      `The secret file ${file} cannot be read by this user (${seen.reason}).`,
      `chown trunkline: ${file} && chmod 600 ${file}`,
    )
  }
  const mode = (seen.mode & 0o777).toString(8)
  return (seen.mode & GROUP_AND_OTHERS) === 0
    ? ok(`The secret file ${file} can be read by its user alone.`)
    : wrong(`Other users may read the secret file ${file} (mode ${mode}).`, `chmod 600 ${file}`)
}

/** `threshold`: of the alarm rule, in percent of free space. */
export function diskFinding(
  path: string,
  sizes: { freeBytes: number; totalBytes: number },
  threshold: number,
): Finding {
  const [free, total] = [sizes.freeBytes, sizes.totalBytes].map((bytes) =>
    (bytes / GIGABYTE).toFixed(1),
  )
  const room = `${free} of ${total} GB free`
  return isDiskLow(sizes, threshold)
    ? wrong(
        `The disk of ${path} is nearly full: ${room}.`,
        'Free some space: du -xh --max-depth=2 / | sort -h | tail',
      )
    : ok(`The disk of ${path} has ${room}.`)
}

/** What answers at the API's own port. */
export type PortAnswer = 'api' | 'another program' | 'nobody'

export function portFinding(address: string, answer: PortAnswer): Finding {
  switch (answer) {
    case 'api':
      return ok(`The API answers at ${address}.`)
    case 'another program':
      return wrong(
        `Another program answers at ${address}, where the API is to listen.`,
        `End it (ss -tlnp sport = :${address.split(':').at(-1)}), or set TRUNKLINE_PORT to another port`,
      )
    case 'nobody':
      return wrong(`Nothing answers at ${address}: the API does not run.`, START)
  }
}

export interface KnownDatabase {
  place: string
  present: string
  schema: string | null
  age: 'empty' | 'older' | 'present' | 'newer'
}

export function databaseFinding({ place, present, schema, age }: KnownDatabase): Finding {
  const what = `The database (${place})`
  switch (age) {
    case 'present':
      return ok(`${what} answers and has the schema of this version, ${present}.`)
    case 'empty':
      return note(`${what} answers and is empty: the API sets it up at its first start.`, START)
    case 'older':
      return note(
        `${what} has the schema ${schema}. The API brings it to ${present} at its next start.`,
        'systemctl restart trunkline',
      )
    case 'newer':
      return wrong(
        `${what} has the schema ${schema}, of a newer version than this one, which knows ${present}.`,
        'Install that version again, or restore a backup of this one',
      )
  }
}
