/**
 * In front of a test's PostgreSQL: shut, it is to the API as if the server had ended; silent, as if
 * its machine had lost its power.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface PostgresDoor extends AsyncDisposable {
  /** Leads to the same database. */
  url: string
  /** Cuts every connection and refuses new ones, until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
  /** No byte passes any more, and no connection ends: neither those of now nor new ones, until `leadTo`. */
  fallSilent(): void
  /** New connections go to the server of this address from now on; a silent one stays silent. */
  leadTo(url: string): void
  /** How many came so far. */
  readonly connectionCount: number
}

export async function openPostgresDoor(url: string): Promise<PostgresDoor> {
  let to = new URL(url)
  const sockets = new Set<Socket>()
  /** Of these nothing is passed on, not even that the server ended them. */
  const silent = new WeakSet<Socket>()
  let isSilent = false
  let connectionCount = 0
  const server = createServer((outer) => {
    connectionCount += 1
    const inner = connect(Number(to.port), to.hostname)
    for (const socket of [outer, inner]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        if (socket === inner && silent.has(inner)) return
        outer.destroy()
        inner.destroy()
      })
    }
    if (isSilent) silent.add(inner)
    else outer.pipe(inner).pipe(outer)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const shut = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const through = new URL(url)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    shut,
    open: async () => listen(port),
    fallSilent() {
      isSilent = true
      for (const socket of sockets) silent.add(socket.unpipe().pause())
    },
    leadTo(another) {
      isSilent = false
      to = new URL(another)
    },
    get connectionCount() {
      return connectionCount
    },
    [Symbol.asyncDispose]: shut,
  }
}
