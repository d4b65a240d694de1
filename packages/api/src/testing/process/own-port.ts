/** Ports of a test's own, which nobody else is given while nothing listens there. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below those that the kernel gives to whoever connects, or listens at any port (ip_local_port_range). */
const FIRST_PORT = 20_000
const PORT_COUNT = 12_000

async function listenAtOwnPort(server: Server): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORT_COUNT)
    try {
      await listenAt(server, port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

/** On 127.0.0.1. `port`: undefined for one of its own. Answers the port. */
export async function listenAsAsked(server: Server, port: number | undefined): Promise<number> {
  if (port === undefined) return listenAtOwnPort(server)
  await listenAt(server, port)
  return port
}

async function listenAt(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

/** Where nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenAtOwnPort(server)
  server.close()
  await once(server, 'close')
  return port
}
