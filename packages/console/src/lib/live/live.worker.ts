/** The shared worker of the live stream: all tabs of a browser are its ports (live-sharing.ts). */
import { openStream, sendWatched } from './live-fetch.ts'
import { LiveSharing, type FromTab } from './live-sharing.ts'

const sharing = new LiveSharing({ open: openStream, send: sendWatched, clock: () => Date.now() })

self.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (!port) return
  port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => sharing.hear(port, data))
  port.start()
})
