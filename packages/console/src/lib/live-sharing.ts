/**
 * One live stream for all tabs of a browser: over HTTP/1.1 it opens six connections to a server, and
 * a stream of each tab would leave none for calls. Runs in a shared worker (live.worker.ts), which
 * also plain http has; knows nothing of a session but the token that each tab brings.
 */
import type { LiveMessage } from './live-message.ts'

export type FromTab =
  /** `account`: whose stream it is. Its token slides: each tab may bring another one. */
  | { type: 'join'; account: string; url: string; headers: Record<string, string> }
  /** Told now and then: a tab that is gone cannot say so. */
  | { type: 'here' }
  | { type: 'leave' }

type Join = Extract<FromTab, { type: 'join' }>

export type ToTab =
  | { type: 'message'; message: LiveMessage }
  /** Ended or could not be opened; `status` of a refusal, null for no answer. */
  | { type: 'ended'; status: number | null; body: unknown }

export type Answer =
  | { bytes: AsyncIterable<LiveMessage> }
  | { status: number | null; body: unknown }

export type OpenStream = (
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<Answer>

export interface TabPort {
  postMessage: (message: ToTab) => void
}

/** A tab that has not told for so long is closed. It tells at each beat, which come every 2 s. */
export const TAB_LOST_MS = 30_000

/** The streams of a browser, one for each account that is signed in. */
export class LiveSharing {
  readonly #open: OpenStream
  readonly #clock: () => number
  readonly #streams = new Map<string, SharedStream>()
  readonly #tabs = new Map<TabPort, { stream: string; heardAtMs: number }>()

  constructor(open: OpenStream, clock: () => number) {
    this.#open = open
    this.#clock = clock
  }

  hear(tab: TabPort, request: FromTab): void {
    const known = this.#tabs.get(tab)
    if (request.type === 'here') {
      if (known) known.heardAtMs = this.#clock()
      return
    }
    if (known) this.#leave(tab)
    if (request.type === 'join') this.#join(tab, request)
  }

  #join(tab: TabPort, { account: key, url, headers }: Join): void {
    this.#tabs.set(tab, { stream: key, heardAtMs: this.#clock() })
    const stream = this.#streams.get(key) ?? new SharedStream((all) => this.#tell(key, all))
    this.#streams.set(key, stream)
    stream.openAnew(async (signal) => this.#open(url, headers, signal))
  }

  #leave(tab: TabPort): void {
    const key = this.#tabs.get(tab)?.stream ?? ''
    this.#tabs.delete(tab)
    if (this.#tabsOf(key).length > 0) return
    this.#streams.get(key)?.close()
    this.#streams.delete(key)
  }

  #tabsOf(key: string): TabPort[] {
    return [...this.#tabs].flatMap(([tab, { stream }]) => (stream === key ? [tab] : []))
  }

  #tell(key: string, notice: ToTab): void {
    for (const tab of this.#tabsOf(key)) {
      tab.postMessage(notice)
      const isLost = this.#clock() - (this.#tabs.get(tab)?.heardAtMs ?? 0) > TAB_LOST_MS
      // Each tab joins again by itself.
      if (notice.type === 'ended' || isLost) this.#leave(tab)
    }
  }
}

/** One answer of the API, and the next one while a tab that has joined waits for its first picture. */
class SharedStream {
  readonly #tell: (notice: ToTab) => void
  #current: AbortController | null = null
  #next: AbortController | null = null

  constructor(tell: (notice: ToTab) => void) {
    this.#tell = tell
  }

  /**
   * A stream begins with the whole picture, which a new tab needs; the others take it as well. One
   * that is being opened serves all who come meanwhile.
   */
  openAnew(open: (signal: AbortSignal) => Promise<Answer>): void {
    if (this.#next) return
    const mine = new AbortController()
    this.#next = mine
    void this.#read(mine, open)
  }

  close(): void {
    this.#current?.abort()
    this.#next?.abort()
  }

  async #read(mine: AbortController, open: (signal: AbortSignal) => Promise<Answer>) {
    let end: ToTab = { type: 'ended', status: null, body: null }
    try {
      const answer = await open(mine.signal)
      if ('bytes' in answer) {
        for await (const message of answer.bytes) this.#pass(mine, message)
      } else {
        end = { type: 'ended', ...answer }
      }
    } catch {
      // However it ended: the tabs are told, and come again.
    }
    if (mine.signal.aborted) return
    this.close()
    this.#tell(end)
  }

  #pass(mine: AbortController, message: LiveMessage): void {
    if (this.#next === mine) {
      this.#current?.abort()
      this.#current = mine
      this.#next = null
    }
    if (this.#current === mine) this.#tell({ type: 'message', message })
  }
}
