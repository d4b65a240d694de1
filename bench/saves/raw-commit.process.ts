/** The process of raw-commits.ts, from outside. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { closedBySignals } from '../kit/ending.ts'

const Answer = z.object({ perSecond: z.number(), cpuUs: z.number() })

export class RawCommits implements AsyncDisposable {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #close: () => Promise<void>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.pid = child.pid ?? 0
    this.#close = closedBySignals(async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    })
  }

  /** `url`: of a PostgreSQL, in place of a file in the folder. */
  static async open(folder: string, rows: number, url: string | null): Promise<RawCommits> {
    const name = url === null ? 'raw-commits.ts' : 'raw-commits-postgres.ts'
    const child = fork(fileURLToPath(new URL(name, import.meta.url)), [url ?? folder, String(rows)])
    await once(child, 'message')
    return new RawCommits(child)
  }

  async commitFor(durationMs: number): Promise<z.infer<typeof Answer>> {
    const answered = once(this.#child, 'message')
    this.#child.send({ durationMs })
    const [answer] = (await answered) as [unknown]
    return Answer.parse(answer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}
