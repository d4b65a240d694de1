/** Where this process listens for the other API processes. */
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'

const LOOPBACK = '127.0.0.1'
const POSTGRES_PORT = 5432

/**
 * `given`: 'ip:port'. Without it any free port of the address from which this machine reaches the
 * database: that is where the others, who reach the same database, find it.
 */
export async function listenPlaceTowards(
  databaseUrl: string,
  given: string | null,
): Promise<{ ip: string; port: number }> {
  if (given !== null) {
    const at = given.lastIndexOf(':')
    return { ip: given.slice(0, at), port: Number(given.slice(at + 1)) }
  }
  return { ip: await ownAddressTowards(databaseUrl), port: 0 }
}

/** Loopback for a database that is reached by a socket of this machine. */
async function ownAddressTowards(databaseUrl: string): Promise<string> {
  const { hostname, port } = new URL(databaseUrl)
  if (hostname === '' || hostname.startsWith('%')) return LOOPBACK
  const { address, family } = await lookup(hostname.replace(/^\[|\]$/g, ''))
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    // No packet is sent: the system only chooses the way.
    socket.connect(port === '' ? POSTGRES_PORT : Number(port), address)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
