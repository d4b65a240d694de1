/** Ports that nothing on this machine uses: the preferred one when it is free, else any. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** TCP, on loopback. */
export async function freeTcpPort(preferred: number): Promise<number> {
  return (await tryTcp(preferred)) ?? (await tryTcp(0)) ?? never('TCP')
}

/** UDP, on all addresses: the links of a host listen on all of them. `taken` are ports given out already. */
export async function freeUdpPort(preferred: number, taken: ReadonlySet<number>): Promise<number> {
  for (let port = preferred; port < preferred + 400; port += 2) {
    if (!taken.has(port) && (await tryUdp(port)) !== null) return port
  }
  return never('UDP')
}

function never(kind: string): never {
  throw new Error(`This machine has no free ${kind} port on loopback.`)
}

async function tryTcp(port: number): Promise<number | null> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number | null>()
  server.once('error', () => resolve(null))
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
  })
  return promise
}

async function tryUdp(port: number): Promise<number | null> {
  const socket = createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<number | null>()
  socket.once('error', () => resolve(null))
  socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(port)))
  return promise
}
