/**
 * Whether anybody takes connections at an address: for a host that was dialled in vain, before it is dialled again. A
 * bare connection that is refused costs a quarter of a WebSocket that is, and thousands of hosts may be away.
 */
import { connect } from 'node:net'
import { withoutBrackets, type DialGuard } from '../../security/host-guard.ts'
import type { HostAddress } from '../host-address.ts'

export interface KnockOptions {
  address: HostAddress
  guard: DialGuard
  limitMs: number
}

/**
 * `onEnd`: null for an address that takes connections; else what the socket says. Answers how to stop:
 * nothing is said after that.
 */
export function knock(
  { address, guard, limitMs }: KnockOptions,
  onEnd: (error: Error | null) => void,
): () => void {
  const host = withoutBrackets(address.host)
  const socket = connect({ host, port: address.port, lookup: guard.lookup, timeout: limitMs })
  let isOver = false
  const end = (error: Error | null) => {
    if (isOver) return
    isOver = true
    socket.destroy()
    onEnd(error)
  }
  socket.on('connect', () => end(null))
  socket.on('error', end)
  socket.on('timeout', () => end(noAnswer()))
  return () => {
    isOver = true
    socket.destroy()
  }
}

/** As the kernel says it, which takes longer. */
function noAnswer(): Error {
  return Object.assign(new Error('Nobody answered in time.'), { code: 'ETIMEDOUT' })
}
