/** Makes a backup in a thread of its own: copying, checking and writing to the disk hold up no answer. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseTarget } from '../open.ts'
import { writeBackup, type BackupCheck } from './backup-file.ts'

export interface BackupTask {
  readonly from: DatabaseTarget
  readonly file: string
}

export type BackupAnswer = { check: BackupCheck } | { fault: string }

/** Of this thread alone: whoever saves or looks comes first. */
setPriority(constants.priority.PRIORITY_LOW)

const { from, file } = workerData as BackupTask

async function answer(): Promise<BackupAnswer> {
  try {
    return { check: await writeBackup(from, file) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await answer())
