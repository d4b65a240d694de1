/** Whether this host still has a UDP port to give to a program that calls out. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { textOf } from './files.ts'

/** False when all ports of `callerPorts` are in use. */
export async function hasCallerPort(): Promise<boolean> {
  const socket = createSocket('udp4')
  try {
    socket.bind(0)
    await once(socket, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  } finally {
    socket.close()
  }
}

/** The ports that the kernel gives to callers, such as '32768 to 60999'. */
export function callerPorts(): string {
  return textOf('/proc/sys/net/ipv4/ip_local_port_range').trim().replace(/\s+/, ' to ')
}
