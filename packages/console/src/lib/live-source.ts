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
    const told = await port.next()
    if (told === null) return
    if (told.type === 'ended') {
      if (told.status !== null) throw liveRefused(told.status, told.body, token)
      return
    }
    yield told.message
    // A beat comes every two seconds: so often the worker hears that this tab is there.
    if (told.message.event === 'beat') port.send({ type: 'here' })
  }
}

/** What has come and was not taken yet, in order. */
class Port implements Disposable {
  readonly #port: MessagePort
  readonly #told: ToTab[] = []
  readonly #signal: AbortSignal
  #wake = () => {}

  constructor(port: MessagePort, signal: AbortSignal) {
    this.#port = port
    this.#signal = signal
    port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => {
      this.#told.push(data)
      this.#wake()
    })
    signal.addEventListener('abort', () => this.#wake(), { once: true })
    port.start()
  }

  send(told: FromTab): void {
    this.#port.postMessage(told)
  }

  /** Null once `signal` was used. */
  async next(): Promise<ToTab | null> {
    while (this.#told.length === 0 && !this.#signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return this.#signal.aborted ? null : (this.#told.shift() ?? null)
  }

  [Symbol.dispose](): void {
    this.send({ type: 'leave' })
    this.#port.close()
  }
}
