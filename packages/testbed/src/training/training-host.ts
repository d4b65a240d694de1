/** A host of the training site: an agent with its supervisord and programs, which can lose its power. */
import {
  listenersAt,
  processesOf,
  whenGone,
  type ProcessIdentity,
} from '@trunkline/agent/supervisor/process-identity'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import type { Switchable } from '../breaks/break-parts.ts'
import { startOwnProcess, type OwnProcess, type ProcessStart } from '../child.ts'

/** A process that waits for a disk which does not answer cannot be killed. */
const KILL_LIMIT_MS = 10_000

export class TrainingHost implements Switchable, AsyncDisposable {
  readonly #start: ProcessStart
  readonly #agentDir: string
  #agent: OwnProcess
  /** Resolves when its power is back; null while it has power. */
  #away: PromiseWithResolvers<void> | null = null

  private constructor(start: ProcessStart, agentDir: string, agent: OwnProcess) {
    this.#start = start
    this.#agentDir = agentDir
    this.#agent = agent
  }

  static async open(start: ProcessStart, agentDir: string): Promise<TrainingHost> {
    return new TrainingHost(start, agentDir, await startOwnProcess(start))
  }

  get name(): string {
    return this.#start.name
  }

  get agent(): OwnProcess {
    return this.#agent
  }

  get isAway(): boolean {
    return this.#away !== null
  }

  /** Not before its power is back. Rejects when it does not start, or `signal` ends the waiting. */
  async restartAgent(signal: AbortSignal): Promise<void> {
    if (this.#away !== null) await Promise.race([this.#away.promise, aborted(signal)])
    signal.throwIfAborted()
    await this.#agent.stop()
    this.#agent = await startOwnProcess(this.#start, signal)
  }

  /** Everything of it is killed, and stays so: its agent is started by `start`. */
  async stop(): Promise<void> {
    this.#away ??= Promise.withResolvers<void>()
    const { socket } = openLayout(this.#agentDir)
    // Each before what it would start again.
    process.kill(this.#agent.pid, 'SIGKILL')
    kill(listenersAt(socket))
    await this.#agent.ended
    await killUntilNoneIsLeft(() => processesOf(socket))
  }

  /** Whoever keeps its agent alive starts it, and that starts what is to run. */
  async start(): Promise<void> {
    this.#away?.resolve()
    this.#away = null
    return Promise.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A frozen agent hears no TERM.
    if (!this.isAway) process.kill(this.#agent.pid, 'SIGCONT')
    await this.#agent.stop()
    await shutdownSupervisor(this.#agentDir)
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  return promise
}

/** Asked again each time: what supervisord was about to start is found only once it runs. */
async function killUntilNoneIsLeft(find: () => ProcessIdentity[]): Promise<void> {
  for (let left = find(); left.length > 0; left = find()) {
    kill(left)
    const stuck = await whenGone(left, KILL_LIMIT_MS)
    if (stuck.length > 0) return
  }
}

function kill(processes: readonly ProcessIdentity[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended between the look and the signal.
    }
  }
}
