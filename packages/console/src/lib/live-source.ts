/** What the live stream says, for this tab: from the worker that all tabs share, or its own stream. */
import { liveRefused, liveRequest, openLiveStream } from './call.ts'
import { messagesOf, type LiveMessage } from './live-message.ts'
import type { FromTab, ToTab } from './live-sharing.ts'

/**
 * Ends with the stream.
 *
 * @throws ApiError when it is refused or nobody answers
 */
export async function* liveMessages(signal: AbortSignal): AsyncGenerator<LiveMessage, void> {
  // Chrome on Android has none; its tabs share no six connections either, one is seen at a time.
  if (typeof SharedWorker === 'undefined') yield* messagesOf(await openLiveStream(signal))
  else yield* sharedMessages(signal)
}

async function* sharedMessages(signal: AbortSignal): AsyncGenerator<LiveMessage, void> {
  const { token, ...request } = liveRequest()
  const worker = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
    type: 'module',
    name: 'live',
  })
  using port = new Port(worker.port, signal)
  port.send({ type: 'join', ...request })
  for (;;) {
    const notice = await port.next()
    if (notice === null) return
    if (notice.type === 'ended') {
      if (notice.status !== null) throw liveRefused(notice.status, notice.body, token)
      return
    }
    yield notice.message
    // A beat comes every two seconds: so often the worker hears that this tab is there.
    if (notice.message.event === 'beat') port.send({ type: 'here' })
  }
}

/** What has come and was not taken yet, in order. */
class Port implements Disposable {
  readonly #port: MessagePort
  readonly #received: ToTab[] = []
  readonly #signal: AbortSignal
  #wake = () => {}

  constructor(port: MessagePort, signal: AbortSignal) {
    this.#port = port
    this.#signal = signal
    port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => {
      this.#received.push(data)
      this.#wake()
    })
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    port.start()
  }

  send(request: FromTab): void {
    this.#port.postMessage(request)
  }

  /** Null once `signal` was used. */
  async next(): Promise<ToTab | null> {
    while (this.#received.length === 0 && !this.#signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return this.#signal.aborted ? null : (this.#received.shift() ?? null)
  }

  [Symbol.dispose](): void {
    this.send({ type: 'leave' })
    this.#port.close()
  }
}
