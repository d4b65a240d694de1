/**
 * Ports that no other process of ours is given before a program has opened them: each is held by
 * name. Media tools open a port that another has without a word.
 */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { holdName } from './hold.ts'

/** A port, and the hold on it. */
export interface ClaimedPort extends AsyncDisposable {
  readonly port: number
}

/** Null when it is held or in use. TCP: on loopback. UDP: on all addresses. */
export async function claimPort(kind: 'tcp' | 'udp', port: number): Promise<ClaimedPort | null> {
  const hold = await holdName(`${kind}-port-${port}`)
  if (hold === null) return null
  if (await (kind === 'tcp' ? isTcpFree(port) : isUdpFree(port))) return { ...hold, port }
  await hold[Symbol.asyncDispose]()
  return null
}

async function isTcpFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
    server.close(() => resolve(true))
  })
  return promise
}

async function isUdpFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('error', () => resolve(false))
  socket.bind({ port, exclusive: true }, () => socket.close(() => resolve(true)))
  return promise
}
