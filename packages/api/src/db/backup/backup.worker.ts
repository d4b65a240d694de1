/** Makes a backup in a thread of its own: copying, checking and writing to the disk hold up no answer. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseTarget } from '../open.ts'
import { writeBackup, type BackupCheck, type BackupPace } from './backup-file.ts'

export interface BackupTask {
  readonly from: DatabaseTarget
  readonly file: string
  readonly pace: BackupPace
}

export type BackupAnswer = { check: BackupCheck } | { fault: string }

const { from, file, pace } = workerData as BackupTask

// Of this thread alone: whoever saves or looks comes first.
if (pace.isAlone !== true) setPriority(constants.priority.PRIORITY_LOW)

async function answer(): Promise<BackupAnswer> {
  try {
    return { check: await writeBackup(from, file, pace) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await answer())
