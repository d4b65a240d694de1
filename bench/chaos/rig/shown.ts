/** A browser that shows all programs and hosts, and keeps what it showed and when. */
import { setTimeout as pause } from 'node:timers/promises'
import type { HostStatus, ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Client } from '@trunkline/testbed/api-client'
import { framesOf, keysOfAll, openLiveStream } from '../../kit/live-stream.ts'

/** As browsers do when their stream breaks. */
const RETRY_MS = 300

export interface ShownProgram extends Pick<ProgramStatus, 'kind' | 'id' | 'state' | 'pid'> {
  /** Of performance.now(). */
  atMs: number
}
export interface ShownHost extends Pick<HostStatus, 'id' | 'online'> {
  atMs: number
}

/** The stream ends with the process that serves it, and is opened again: on `client`'s address. */
export class ShownRecord implements AsyncDisposable {
  readonly programs: ShownProgram[] = []
  readonly hosts: ShownHost[] = []
  readonly #end = new AbortController()
  readonly #lastPrograms = new Map<string, ShownProgram>()
  readonly #lastHosts = new Map<string, ShownHost>()
  #reading: Promise<void> = Promise.resolve()
  #waiting = Promise.withResolvers<void>()

  static async open(client: Client): Promise<ShownRecord> {
    const record = new ShownRecord()
    const keys = await keysOfAll(client)
    record.#reading = record.#readAgain(client, keys)
    await record.until(() => record.#lastPrograms.size > 0, 'the first programs')
    return record
  }

  program(kind: ProgramStatus['kind'], id: string): ShownProgram | undefined {
    return this.#lastPrograms.get(`${kind} ${id}`)
  }

  host(id: string): ShownHost | undefined {
    return this.#lastHosts.get(id)
  }

  /** Resolves as soon as it shows that. Throws when that takes a minute. */
  async until(isSo: () => boolean, what: string, limitMs = 60_000): Promise<void> {
    const endMs = performance.now() + limitMs
    while (!isSo()) {
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) throw new Error(`The browser did not show within ${limitMs} ms: ${what}.`)
      await Promise.race([this.#waiting.promise, pause(Math.min(leftMs, 1000))])
    }
  }

  async #readAgain(client: Client, keys: readonly string[]): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#read(client, keys).catch(() => undefined)
      if (!this.#end.signal.aborted) await pause(RETRY_MS)
    }
  }

  async #read(client: Client, keys: readonly string[]): Promise<void> {
    const response = await openLiveStream(client, keys, this.#end.signal)
    if (!response.ok) throw new Error(`The live stream is refused: ${response.status}.`)
    for await (const frame of framesOf(response.body)) {
      this.#take(frame)
      this.#waiting.resolve()
      this.#waiting = Promise.withResolvers()
    }
  }

  #take(frame: string): void {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
    const atMs = performance.now()
    if (event === 'program') {
      const { kind, id, state, pid } = JSON.parse(data) as ProgramStatus
      const shown = { kind, id, state, pid, atMs }
      this.#lastPrograms.set(`${kind} ${id}`, shown)
      this.programs.push(shown)
    }
    if (event === 'host') {
      const { id, online } = JSON.parse(data) as HostStatus
      const shown = { id, online, atMs }
      this.#lastHosts.set(id, shown)
      this.hosts.push(shown)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#reading
  }
}
