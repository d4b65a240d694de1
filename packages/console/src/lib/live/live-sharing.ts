/**
 * One live stream for all tabs of a browser: with HTTP/1.1 a browser opens six connections to a
 * server, and a stream for each tab would leave none for calls. Runs in a shared worker
 * (live.worker.ts), or in the page where the browser has no shared workers. Each tab brings its token.
 */
import type { WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import type { LiveMessage } from './live-message.ts'
import { SharedStream } from './shared-stream.ts'

export interface TabRequest {
  /** Whose stream it is. Its token slides: each tab may bring another one. */
  account: string
  url: string
  watchUrl: string
  headers: Record<string, string>
  /** What this tab shows. */
  set: WatchedSet
}

export type FromTab =
  | ({ type: 'join' } & TabRequest)
  /** The tab shows something else than before. */
  | { type: 'show'; headers: Record<string, string>; set: WatchedSet }
  /** Sent now and then: a closed tab cannot say that it is gone. */
  | { type: 'here' }
  | { type: 'leave' }

export type Notice =
  /** Of 'watching' with the sequence of the tab's own set. */
  | { type: 'message'; message: LiveMessage }
  /** Ended or could not be opened; `status` of a refusal, null for no answer. */
  | { type: 'ended'; status: number | null; body: unknown }

/** `atMs`: when it was sent to the tab, which may be busy with its page for seconds before it hears of it. */
export type ToTab = Notice & { atMs: number }

export type Answer =
  | { bytes: AsyncIterable<LiveMessage> }
  | { status: number | null; body: unknown }

export interface LiveRequest {
  url: string
  headers: Record<string, string>
  body: WatchedSet | (WatchedSet & { connection: string })
}

export interface SharingOptions {
  open: (request: LiveRequest, signal: AbortSignal) => Promise<Answer>
  /** Answers the status; null for no answer. */
  send: (request: LiveRequest, signal: AbortSignal) => Promise<number | null>
  clock: () => number
}

export interface TabPort {
  postMessage: (message: ToTab) => void
}

/** A tab that was silent for so long is closed. It sends at each beat, every 2 s. */
export const TAB_LOST_MS = 30_000

/** The streams of a browser, one for each account that is signed in. */
export class LiveSharing {
  readonly #options: SharingOptions
  readonly #streams = new Map<string, SharedStream>()
  readonly #tabs = new Map<TabPort, { account: string; heardAtMs: number }>()

  constructor(options: SharingOptions) {
    this.#options = options
  }

  hear(tab: TabPort, notice: FromTab): void {
    const known = this.#tabs.get(tab)
    if (known) known.heardAtMs = this.#options.clock()
    switch (notice.type) {
      case 'here':
        return
      case 'show':
        if (known) this.#streams.get(known.account)?.show(tab, notice.headers, notice.set)
        return
      case 'join':
        if (known) this.#leave(tab)
        this.#join(tab, notice)
        return
      case 'leave':
        if (known) this.#leave(tab)
    }
  }

  #join(tab: TabPort, request: TabRequest): void {
    const { account } = request
    this.#tabs.set(tab, { account, heardAtMs: this.#options.clock() })
    const stream =
      this.#streams.get(account) ??
      new SharedStream(this.#options, (to, notice) => this.#post(to, notice))
    this.#streams.set(account, stream)
    stream.join(tab, request)
  }

  #leave(tab: TabPort): void {
    const account = this.#tabs.get(tab)?.account ?? ''
    this.#tabs.delete(tab)
    const stream = this.#streams.get(account)
    stream?.leave(tab)
    if (stream?.isEmpty !== true) return
    stream.close()
    this.#streams.delete(account)
  }

  #post(tab: TabPort, notice: Notice): void {
    const atMs = this.#options.clock()
    tab.postMessage({ ...notice, atMs })
    const isLost = atMs - (this.#tabs.get(tab)?.heardAtMs ?? 0) > TAB_LOST_MS
    // Each tab joins again by itself.
    if (notice.type === 'ended' || isLost) this.#leave(tab)
  }
}
