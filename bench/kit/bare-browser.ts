/**
 * Chromium with nothing watching it but what is asked of it. A browser under Playwright keeps each
 * answer of the network for its inspector, which for live pictures looks like a leak of the page.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import playwrightConfig from '../../e2e/playwright.config.ts'
import { closedBySignals } from './ending.ts'

type Json = Record<string, unknown>
type Answer = { id?: number; result?: Json; error?: { message: string } }

export class BareBrowser implements AsyncDisposable {
  readonly #end: () => Promise<void>
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<Json>>()
  #lastId = 0
  #pageSession = ''

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#end = end
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data)) as Answer))
  }

  /** With one page of 1440 by 900 at `address`. `engineFlags`: of V8. */
  static async open(
    address: string,
    { engineFlags = [] }: { engineFlags?: readonly string[] } = {},
  ): Promise<BareBrowser> {
    const { executablePath = '', args = [] } = playwrightConfig.use?.launchOptions ?? {}
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-bare-'))
    const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`]
    const page = ['--window-size=1440,900', `--js-flags=${engineFlags.join(' ')}`, 'about:blank']
    const child = spawn(executablePath, [...args, ...own, ...page], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const end = closedBySignals(async () => {
      await ended(child)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })
    const socket = new WebSocket(await debuggerOf(child))
    await once(socket, 'open')
    const browser = new BareBrowser(socket, end)
    await browser.#attach(address)
    return browser
  }

  /** Runs in the page. */
  async evaluate<T, A extends readonly unknown[]>(
    work: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> {
    const expression = `(${work.toString()})(...${JSON.stringify(args)})`
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.page('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { value: T }).value
  }

  /** A question to the page's own part of the protocol. */
  async page(method: string, params: Json = {}): Promise<Json> {
    return this.#ask({ method, params, sessionId: this.#pageSession })
  }

  async rendererPids(): Promise<number[]> {
    const { processInfo } = await this.#ask({ method: 'SystemInfo.getProcessInfo' })
    const processes = processInfo as { type: string; id: number }[]
    return processes.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #attach(address: string): Promise<void> {
    const { targetId } = await this.#ask({
      method: 'Target.createTarget',
      params: { url: address },
    })
    const params = { targetId, flatten: true }
    const { sessionId } = await this.#ask({ method: 'Target.attachToTarget', params })
    this.#pageSession = String(sessionId)
  }

  async #ask(question: Json): Promise<Json> {
    const id = ++this.#lastId
    const answer = Promise.withResolvers<Json>()
    this.#waiting.set(id, answer)
    this.#socket.send(JSON.stringify({ id, ...question }))
    return answer.promise
  }

  #hear({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id ?? -1)
    if (waiting === undefined) return
    this.#waiting.delete(id ?? -1)
    if (error === undefined) waiting.resolve(result ?? {})
    else waiting.reject(new Error(error.message))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  // A Ctrl-C in a terminal reaches it too, and it may have gone by then.
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function debuggerOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Chromium was started without a way to hear it.')
  for await (const line of createInterface({ input: stderr })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    stderr.resume()
    return address
  }
  throw new Error('Chromium ended before it could be asked anything.')
}
