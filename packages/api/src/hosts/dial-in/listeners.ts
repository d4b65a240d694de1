/**
 * Several listening sockets of one port, among which the kernel shares out who connects. libuv takes one connection of
 * a socket in each turn of the event loop: with one socket, and turns of 20 ms, thousands of hosts would wait for
 * minutes, longer than their agents do, before anybody looks at them.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface ListenPlace {
  ip: string
  port: number
}

const SOCKETS = 32
/** Of each. What comes beyond those that wait to be accepted is dropped by the kernel, and tried again after seconds. */
const BACKLOG = 512

/** `first` listens too, and hears its connections by itself. Throws what listening throws. Closed with `closeAll`. */
export async function listenWidely(
  first: Server,
  place: ListenPlace,
  onConnection: (socket: Socket) => void,
): Promise<Server[]> {
  await refuseTaken(place)
  const more = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ noDelay: true }, onConnection),
  )
  await listen(first, place, true)
  const { port } = first.address() as AddressInfo
  for (const server of more) await listen(server, { ip: place.ip, port }, true)
  return more
}

export async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }),
  )
}

/** A port that sockets share is not refused where another process shares it: that process would take half of the hosts. */
async function refuseTaken(place: ListenPlace): Promise<void> {
  const alone = createServer()
  await listen(alone, place, false)
  await closeAll([alone])
}

async function listen(server: Server, { ip, port }: ListenPlace, isShared: boolean): Promise<void> {
  server.listen({ port, host: ip, backlog: BACKLOG, reusePort: isShared })
  await once(server, 'listening')
}
