/** Programs outside the product, which a site sends to or gets from. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Switchable } from './break-parts.ts'

/** A program outside the product, which ends with the process that started it. */
export class OutsideProgram implements Switchable, AsyncDisposable {
  readonly #argv: readonly string[]
  #child: ChildProcess | null = null

  constructor(argv: readonly string[]) {
    this.#argv = argv
  }

  /** Resolves at once; nothing happens while it runs. */
  async start(): Promise<void> {
    if (this.#isRunning()) return
    const argv = ['--pdeathsig', 'KILL', ...this.#argv]
    this.#child = spawn('setpriv', argv, { stdio: 'ignore' })
    return Promise.resolve()
  }

  /** Without a word to its peer, as when its host loses power. */
  async stop(): Promise<void> {
    if (this.#child === null || !this.#isRunning()) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  #isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** An SRT receiver that throws away what it gets. */
export function farEnd(ip: string, port: number, latencyMs: number): OutsideProgram {
  const source = `srt://${ip}:${port}?mode=listener&latency=${latencyMs}`
  return new OutsideProgram(['srt-live-transmit', '-ll', 'fatal', source, 'file://con'])
}
