/** In front of a server of a test: shut, it is to callers as if that server had ended. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpDoor extends AsyncDisposable {
  readonly port: number
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>
  /** At the same port as before. */
  reopen(): Promise<void>
}

/** Leads to a port of this machine. It is open, on `port` of `listenIp`; 0 takes a free port. */
export async function openTcpDoor(
  to: { port: number; host?: string },
  listenIp = '127.0.0.1',
  listenPort = 0,
): Promise<TcpDoor> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to.port, to.host ?? '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const listen = async (port: number) => {
    if (server.listening) return
    server.listen(port, listenIp)
    await once(server, 'listening')
  }
  const shut = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(listenPort)
  const { port } = server.address() as AddressInfo
  return { port, shut, reopen: async () => listen(port), [Symbol.asyncDispose]: shut }
}
