/**
 * TLS to the port for agents of the console. With thousands of hosts at once a turn there may take a minute: the console
 * sends a byte every two seconds meanwhile, which TLS ignores. So not the turn has a limit, but silence has.
 */
import { connect as connectTcp } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'

/** Of the console, before there is a link. */
const SILENT_LIMIT_MS = 5000
const LOOKS = 20

interface Where {
  host: string
  port: number
  /** Of a bench, whose hosts are all on this machine. */
  localAddress?: string
}

export interface ConsoleConnection {
  socket: TLSSocket
  /** From now on silence does not close it: the link has its own limit. */
  stopWatching: () => void
}

/** It fails after so long without a byte: of TCP, of TLS, or of an answer. */
export function connectToConsole(
  options: Where & ConnectionOptions,
  silentLimitMs = SILENT_LIMIT_MS,
): ConsoleConnection {
  const { host, port, localAddress } = options
  const wire = connectTcp({ host, port, ...(localAddress === undefined ? {} : { localAddress }) })
  const socket = connect({ ...options, socket: wire })
  const everyMs = silentLimitMs / LOOKS
  let [bytes, heardAtMs, isOver] = [0, performance.now(), false]
  let lookedAtMs = heardAtMs
  const look = () => {
    const nowMs = performance.now()
    // While this process was held up it has heard nothing, whatever came.
    heardAtMs += Math.max(0, nowMs - lookedAtMs - 2 * everyMs)
    lookedAtMs = nowMs
    if (wire.bytesRead > bytes) [bytes, heardAtMs] = [wire.bytesRead, nowMs]
    if (isOver || nowMs - heardAtMs < silentLimitMs) return
    stopWatching()
    socket.destroy(new Error(`nothing has come from it for ${silentLimitMs / 1000} s`))
  }
  // What has come while this process was busy is read before it is judged.
  const timer = setInterval(() => setImmediate(look), everyMs)
  const stopWatching = () => {
    isOver = true
    clearInterval(timer)
  }
  socket.once('close', () => {
    stopWatching()
    wire.destroy()
  })
  return { socket, stopWatching }
}
