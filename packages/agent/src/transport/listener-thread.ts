/** The agent's side of the thread that reads local buses. It is started when it is first needed. */
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { ListenerAnswer, ListenerRequest } from './listener.messages.ts'

/** Beside this file, in the sources and in the build. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './transport.worker.ts' : './transport.worker.js',
  import.meta.url,
)
/** Its parsers take a hundred kilobytes each, packets are kept outside the heap; more is broken. */
const MAX_HEAP_MB = 64

export class ListenerThread {
  readonly #log: Logger
  readonly #onAnswer: (answer: ListenerAnswer) => void
  readonly #keys = new Set<string>()
  #worker: Worker | null = null

  constructor(log: Logger, onAnswer: (answer: ListenerAnswer) => void) {
    this.#log = log
    this.#onAnswer = onAnswer
  }

  listen(
    key: string,
    asked: Omit<Extract<ListenerRequest, { type: 'listen' }>, 'type' | 'key'>,
  ): void {
    this.#keys.add(key)
    this.#worker ??= this.#begin()
    this.#post({ type: 'listen', key, ...asked })
  }

  stop(key: string): void {
    if (this.#keys.delete(key)) this.#post({ type: 'stop', key })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#keys.clear()
    worker?.removeAllListeners()
    await worker?.terminate()
  }

  #begin(): Worker {
    const worker = new Worker(WORKER, {
      name: 'transport',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    // A message of a bus that was stopped may still arrive.
    worker.on('message', (answer: ListenerAnswer) => {
      if (this.#keys.has(answer.key)) this.#answered(answer)
    })
    worker.on('error', (error: Error) => this.#ended(worker, error.message))
    worker.on('exit', () => this.#ended(worker, 'it ended'))
    worker.unref()
    return worker
  }

  #answered(answer: ListenerAnswer): void {
    if (answer.type === 'failed') this.#keys.delete(answer.key)
    this.#onAnswer(answer)
  }

  /** The next `listen` starts another thread. */
  #ended(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#log.error({ reason }, 'the thread that reads transport streams ended')
    const keys = [...this.#keys]
    this.#keys.clear()
    for (const key of keys) this.#onAnswer({ type: 'failed', key, reason })
  }

  #post(request: ListenerRequest): void {
    this.#worker?.postMessage(request)
  }
}
