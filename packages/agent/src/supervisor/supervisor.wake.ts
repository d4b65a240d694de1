/**
 * Keeps supervisord awake: it notices a death only when its loop turns, by itself once a second
 * (decisions.md 4). One open connection, the cheapest call, its answer not read: a fifth of what an
 * HTTP client costs for the same, and it goes on for ever. The connection's end is supervisord's.
 */
import { connect, type Socket } from 'node:net'
import { encodeCall } from './xml-rpc.ts'

const BODY = encodeCall('supervisor.getPID', [])
const CALL = Buffer.from(
  `POST /RPC2 HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/xml\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`,
)

export class Waker {
  readonly #socket: Socket
  #askedAtMs: number | null = null
  #isClosed = false

  /** `onEnd`: called once, when it is gone or cannot be reached. */
  constructor(socketPath: string, onEnd: () => void) {
    this.#socket = connect(socketPath)
    this.#socket.on('data', () => (this.#askedAtMs = null))
    // The close that follows says the same.
    this.#socket.on('error', () => undefined)
    this.#socket.once('close', () => {
      this.#isClosed = true
      onEnd()
    })
  }

  /** One at a time: a slow supervisord is not given a pile. */
  wake(): void {
    if (this.#isClosed || this.#askedAtMs !== null) return
    this.#askedAtMs = performance.now()
    this.#socket.write(CALL)
  }

  /** How long the last call has been waiting for its answer. 0 once closed: who has ended owes none. */
  get silentMs(): number {
    return this.#isClosed || this.#askedAtMs === null ? 0 : performance.now() - this.#askedAtMs
  }

  [Symbol.dispose](): void {
    this.#socket.removeAllListeners('close')
    this.#socket.destroy()
  }
}
