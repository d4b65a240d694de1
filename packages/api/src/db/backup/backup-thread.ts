/** The thread that makes a backup of this database; one at a time. */
import { Worker } from 'node:worker_threads'
import type { DatabaseTarget } from '../open.ts'
import { schemaOfBackup, type BackupCheck, type BackupPace } from './backup-file.ts'
import type { BackupAnswer, BackupTask } from './backup.worker.ts'

/** Beside this file, in the sources and in the build. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './backup.worker.ts' : './backup.worker.js',
  import.meta.url,
)

export class BackupThread implements AsyncDisposable {
  readonly #from: DatabaseTarget
  #worker: Worker | null = null

  constructor(from: DatabaseTarget) {
    this.#from = from
  }

  get isBusy(): boolean {
    return this.#worker !== null
  }

  /** Throws a sentence when it cannot be made, or when it was ended before. */
  async make(file: string, pace: BackupPace = {}): Promise<BackupCheck> {
    if (this.#worker !== null) throw new Error('Another backup is being made.')
    const task: BackupTask = { from: this.#from, file, pace }
    const worker = new Worker(WORKER, { name: 'backup', execArgv: [], workerData: task })
    this.#worker = worker
    try {
      const answer = await answerOf(worker)
      if ('fault' in answer) throw new Error(answer.fault)
      return answer.check
    } finally {
      this.#worker = null
      await worker.terminate()
    }
  }

  /** Of a backup that was made before; null of a file that is none. Takes a moment, and no thread. */
  async schemaOf(file: string): Promise<string | null> {
    return schemaOfBackup(file)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }
}

async function answerOf(worker: Worker): Promise<BackupAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: BackupAnswer) => resolve(answer))
    worker.once('error', reject)
    worker.once('exit', () => resolve({ fault: 'The API ended before it was finished.' }))
  })
}
