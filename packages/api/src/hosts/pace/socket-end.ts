/**
 * Closes connections that their peers have ended, a few at a time, however many of them end in one moment.
 *
 * To hear of an end takes a hundredth of a millisecond, but all ends that have come are heard in one turn of the event
 * loop: when there are many, the other connections are not read for some turns. What Node, TLS and ws do then, step by
 * step until the connection is gone, takes a tenth of a millisecond for each, and no slice of time holds it: most of it
 * is done in later steps of the event loop, for all of them together.
 */
import type { Socket } from 'node:net'
import type { TasksInSlices } from '../../in-slices.ts'

/** So many are being closed at any moment. */
const CLOSED_AT_ONCE = 20

/** So many ends of a turn hold the others up. */
const HEARD_AT_ONCE = 200
/** Of those that are held up, so many are read again in each turn. */
const READ_AGAIN = 100

/** Node has no public name for not reading a connection at all: a paused one hears of its end. */
interface ReadHandle {
  /** Whether Node wants it to be read. */
  reading: boolean
  readStop(): void
  readStart(): void
}

export class SocketEnds {
  readonly #turns: TasksInSlices
  readonly #read = new Set<Socket>()
  readonly #heldUp = new Set<Socket>()
  #heard = 0
  /** In the order in which their peers have ended. */
  readonly #waiting = new Set<() => void>()
  #closing = 0

  constructor(turns: TasksInSlices) {
    this.#turns = turns
  }

  /** Call it once all that listens to the end of this socket does so. */
  add(socket: Socket): void {
    // Else Node answers the end by itself, at once.
    socket.allowHalfOpen = true
    const listeners = socket.listeners('end') as (() => void)[]
    socket.removeAllListeners('end')
    this.#read.add(socket)
    socket.once('close', () => this.#forget(socket))
    socket.on('end', () => {
      this.#forget(socket)
      this.#countEnd()
      this.#waiting.add(() => this.#close(socket, listeners))
      this.#closeNext()
    })
  }

  #forget(socket: Socket): void {
    this.#read.delete(socket)
    this.#heldUp.delete(socket)
  }

  #countEnd(): void {
    if (this.#heard === 0) setImmediate(() => (this.#heard = 0))
    this.#heard += 1
    if (this.#heard === HEARD_AT_ONCE) this.#holdUp()
  }

  #holdUp(): void {
    if (this.#heldUp.size === 0) setImmediate(() => this.#readAgain())
    for (const socket of this.#read) {
      handleOf(socket)?.readStop()
      this.#heldUp.add(socket)
    }
    this.#read.clear()
  }

  #readAgain(): void {
    let left = READ_AGAIN
    for (const socket of this.#heldUp) {
      if (left === 0) break
      left -= 1
      this.#heldUp.delete(socket)
      this.#read.add(socket)
      const handle = handleOf(socket)
      if (handle?.reading === true) handle.readStart()
    }
    if (this.#heldUp.size > 0) setImmediate(() => this.#readAgain())
  }

  #closeNext(): void {
    for (const close of this.#waiting) {
      if (this.#closing === CLOSED_AT_ONCE) return
      this.#waiting.delete(close)
      this.#closing += 1
      this.#turns.add(close)
    }
  }

  #close(socket: Socket, listeners: readonly (() => void)[]): void {
    if (!socket.destroyed) for (const listener of listeners) listener.call(socket)
    // What it is still sent goes out first, which may take as long as its peer likes: nobody waits for that.
    if (socket.closed || socket.writableLength > 0) {
      this.#closed()
      return
    }
    socket.once('close', () => this.#closed())
    socket.destroy()
  }

  #closed(): void {
    this.#closing -= 1
    this.#closeNext()
  }
}

function handleOf(socket: Socket): ReadHandle | null {
  return (socket as unknown as { _handle: ReadHandle | null })._handle
}
