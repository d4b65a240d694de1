/** Messages of the live stream for this tab: from the worker that all tabs share, or from its own stream. */
import type { WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import { liveRefused, liveRequest } from '../call.ts'
import { openStream, sendWatched } from './live-fetch.ts'
import type { LiveMessage } from './live-message.ts'
import { LiveSharing, type FromTab, type ToTab } from './live-sharing.ts'

interface ReceivedMessage extends LiveMessage {
  /** By the browser's clock; this page may have been too busy to read it then. */
  receivedAtMs: number
}

export class LiveSource implements Disposable {
  readonly #line: Line
  readonly #token: string | null

  /** `first`: what is shown now. Nothing is received after `signal`. */
  constructor(first: WatchedSet, signal: AbortSignal) {
    const { token, ...request } = liveRequest()
    this.#token = token
    this.#line = new Line(signal)
    this.#line.send({ type: 'join', ...request, set: first })
  }

  show(set: WatchedSet): void {
    this.#line.send({ type: 'show', headers: liveRequest().headers, set })
  }

  /**
   * Ends with the stream.
   *
   * @throws ApiError when it is refused
   */
  async *messages(): AsyncGenerator<ReceivedMessage, void> {
    for (;;) {
      const notice = await this.#line.next()
      if (notice === null) return
      if (notice.type === 'ended') {
        if (notice.status !== null) throw liveRefused(notice.status, notice.body, this.#token)
        return
      }
      yield { ...notice.message, receivedAtMs: notice.atMs }
      // Every two seconds, so that the worker knows that this tab is open.
      if (notice.message.event === 'beat') this.#line.send({ type: 'here' })
    }
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]()
  }
}

/** The connection to the shared stream, and what was received and not read yet. */
class Line implements Disposable {
  readonly #received: ToTab[] = []
  readonly #signal: AbortSignal
  readonly #send: (notice: FromTab) => void
  readonly #hangUp: () => void
  #wake = () => {}

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    const hear = (notice: ToTab) => {
      this.#received.push(notice)
      this.#wake()
    }
    const { send, hangUp } = typeof SharedWorker === 'undefined' ? ownLine(hear) : sharedLine(hear)
    this.#send = send
    this.#hangUp = hangUp
  }

  send(notice: FromTab): void {
    this.#send(notice)
  }

  /** Null after `signal`. */
  async next(): Promise<ToTab | null> {
    while (this.#received.length === 0 && !this.#signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return this.#signal.aborted ? null : (this.#received.shift() ?? null)
  }

  [Symbol.dispose](): void {
    this.send({ type: 'leave' })
    this.#hangUp()
  }
}

function sharedLine(hear: (notice: ToTab) => void) {
  const worker = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
    type: 'module',
    name: 'live',
  })
  const { port } = worker
  port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => hear(data))
  port.start()
  return { send: (notice: FromTab) => port.postMessage(notice), hangUp: () => port.close() }
}

/** Chrome on Android has no shared workers; it shows one tab at a time, so its tabs need not share a stream. */
function ownLine(hear: (notice: ToTab) => void) {
  const sharing = new LiveSharing({ open: openStream, send: sendWatched, clock: () => Date.now() })
  const port = { postMessage: hear }
  return { send: (notice: FromTab) => sharing.hear(port, notice), hangUp: () => undefined }
}
