/** The agent's side of the thread that has an end of a link test. */
import { Worker } from 'node:worker_threads'
import type {
  CallLinkTest,
  LinkTestReport,
  OpenLinkTest,
} from '@trunkline/contract/agent/link-test.messages'

export type TestTask =
  | { end: 'caller'; asked: CallLinkTest }
  | { end: 'responder'; asked: OpenLinkTest }
export type TestMessage = { type: 'open' } | { type: 'report'; report: LinkTestReport }
/** Ends the test. */
export interface TestOrder {
  outcome: 'cancelled' | 'unread'
}

/** Beside this file, in the sources and in the build. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './link-test.worker.ts' : './link-test.worker.js',
  import.meta.url,
)
const MAX_HEAP_MB = 64
const BROKE_OFF = 'The thread of the test ended unexpectedly. Start the test again.'

export class LinkTestThread implements AsyncDisposable {
  readonly #worker: Worker
  readonly #opened = Promise.withResolvers<void>()
  readonly #onEnd: () => void
  /** As last reported. */
  report: LinkTestReport

  constructor(task: TestTask, onEnd: () => void) {
    const { rateKbps, durationMs, port } = task.asked
    this.report = { ...NOTHING_YET, rateKbps, durationMs, port }
    this.#onEnd = onEnd
    this.#worker = new Worker(WORKER, {
      name: 'link test',
      execArgv: [],
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    this.#worker.on('message', (message: TestMessage) => this.#take(message))
    this.#worker.on('error', () => this.#brokeOff())
    this.#worker.on('exit', () => this.#brokeOff())
    this.#worker.unref()
  }

  get isOver(): boolean {
    return this.report.outcome !== null
  }

  /** Resolves when its socket is open; or it is over, and the report has why. */
  async opened(): Promise<void> {
    return this.#opened.promise
  }

  end(outcome: TestOrder['outcome']): void {
    const order: TestOrder = { outcome }
    this.#worker.postMessage(order)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#worker.removeAllListeners()
    await this.#worker.terminate()
  }

  #take(message: TestMessage): void {
    if (message.type === 'report') this.report = message.report
    if (message.type === 'open' || this.isOver) this.#opened.resolve()
    if (this.isOver) this.#onEnd()
  }

  #brokeOff(): void {
    if (this.isOver) return
    this.#take({
      type: 'report',
      report: { ...this.report, outcome: 'failed', fault: BROKE_OFF },
    })
  }
}

const NOTHING_YET: Omit<LinkTestReport, 'rateKbps' | 'durationMs' | 'port'> = {
  phase: 'waiting',
  phaseMs: 0,
  outcome: null,
  fault: '',
  sent: { packets: 0, forMs: 0 },
  received: {
    packets: 0,
    duplicates: 0,
    reordered: 0,
    expected: 0,
    forMs: 0,
    jitterMs: null,
    droppedByHost: 0,
  },
  probes: 0,
  roundTrips: { out: null, back: null },
  strangerIp: '',
}
