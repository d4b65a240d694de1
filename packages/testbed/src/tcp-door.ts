/**
 * In front of a server of a test: shut, it is to callers as if that server had ended; cut, as if the
 * network between the two lost every packet, one way or both.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** To where no byte passes. Both ends keep their connections, and what they send waits, as TCP has it. */
export type Cut = 'none' | 'to-server' | 'to-caller' | 'both'

export interface TcpDoor extends AsyncDisposable {
  readonly port: number
  /** What waited passes when the cut ends. */
  cut(how: Cut): void
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
  const flows = new Set<Flow>()
  let now: Cut = 'none'
  const server = createServer((near) => {
    const far = connect(to.port, to.host ?? '127.0.0.1')
    const both: Flow[] = [
      { from: near, into: far, cutBy: 'to-server' },
      { from: far, into: near, cutBy: 'to-caller' },
    ]
    for (const flow of both) {
      flows.add(flow)
      flow.from.on('close', () => flows.delete(flow))
      apply(flow, now)
    }
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
  return {
    port,
    shut,
    reopen: async () => listen(port),
    cut(how) {
      now = how
      for (const flow of flows) apply(flow, how)
    },
    [Symbol.asyncDispose]: shut,
  }
}

interface Flow {
  from: Socket
  into: Socket
  cutBy: Cut
}

function apply({ from, into, cutBy }: Flow, cut: Cut): void {
  from.unpipe(into)
  // Paused it is not read at all: its sender fills the kernel's buffers, and then waits.
  if (cut === 'both' || cut === cutBy) from.pause()
  else from.pipe(into)
}
