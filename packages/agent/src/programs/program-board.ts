/** All programs of this host in memory, and the listeners to their changes. */
import { TaskQueues } from '@trunkline/contract/task-queue'
import { reportOf, type Program, type ProgramEvent } from './program.ts'

export class ProgramBoard {
  readonly #programs = new Map<string, Program>()
  readonly #listeners = new Set<(event: ProgramEvent) => void>()
  /** The last published report of each, without its reading: nothing is published twice. */
  readonly #published = new Map<string, string>()
  readonly #queues = new TaskQueues()

  find(programId: string): Program | null {
    return this.#programs.get(programId) ?? null
  }

  all(): Program[] {
    return [...this.#programs.values()]
  }

  add(program: Program): void {
    this.#programs.set(program.id, program)
  }

  /** Publishes its removal, if it was published before. */
  drop(program: Program): void {
    this.#programs.delete(program.id)
    if (!this.#published.delete(program.id)) return
    this.emit({ type: 'removed', owner: program.owner, programId: program.id })
  }

  /** Call after every change. */
  publish(program: Program): void {
    if (this.#programs.get(program.id) !== program) return
    const report = reportOf(program)
    const words = JSON.stringify({ ...report, reading: null })
    if (this.#published.get(program.id) === words) return
    this.#published.set(program.id, words)
    this.emit({ type: 'program', owner: program.owner, report })
  }

  emit(event: ProgramEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Tasks on one program run one after the other; tasks on others do not wait for them. */
  async enqueue<T>(programId: string, task: () => Promise<T>): Promise<T> {
    return this.#queues.add(programId, task)
  }

  /** Answers with what ends it. */
  listen(listener: (event: ProgramEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when `isSo` holds, or after `limitMs`; true when it holds. */
  async until(
    program: Program,
    isSo: (program: Program) => boolean,
    limitMs: number,
  ): Promise<boolean> {
    if (isSo(program)) return true
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = this.listen((event) => {
      if (event.type === 'program' && isSo(program)) resolve()
    })
    const timer = setTimeout(resolve, limitMs)
    await promise
    stop()
    clearTimeout(timer)
    return isSo(program)
  }
}
