/** The live stream of the fake API: what a test pushes arrives as Server-Sent Events. */
import type { LiveEvent, LiveSnapshot } from '@trunkline/contract/fleet/fleet.schema'

export function makeFakeStream() {
  let open: ReadableStreamDefaultController<Uint8Array> | null = null
  const pushRaw = (text: string) => open?.enqueue(new TextEncoder().encode(text))
  return {
    /** The answer to one connection; it ends when the console hangs up. */
    connect(signal: AbortSignal | null): Response {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open = controller
          signal?.addEventListener('abort', () => {
            if (open === controller) open = null
            controller.error(signal.reason)
          })
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    isConnected: () => open !== null,
    push: (event: LiveEvent) =>
      pushRaw(`event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`),
    pushRaw,
    /** The API ends the connection. */
    end: () => {
      open?.close()
      open = null
    },
  }
}

export function snapshotOf(parts: Partial<LiveSnapshot>): LiveEvent {
  return {
    event: 'snapshot',
    data: { atMs: Date.now(), programs: [], hosts: [], streams: [], ...parts },
  }
}
