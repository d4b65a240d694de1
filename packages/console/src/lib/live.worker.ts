/** The shared worker of the live stream: all tabs of a browser are its ports (live-sharing.ts). */
import { LiveSharing, type Answer, type FromTab } from './live-sharing.ts'
import { messagesOf } from './live-message.ts'

const sharing = new LiveSharing(open, () => Date.now())

self.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (!port) return
  port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => sharing.hear(port, data))
  port.start()
})

async function open(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, { headers, cache: 'no-store', signal })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (response.ok && isStream && response.body) return { bytes: messagesOf(response.body) }
  return { status: response.status, body: await response.json().catch(() => null) }
}
