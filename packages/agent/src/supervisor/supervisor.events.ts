/** Reads what supervisord's event listener writes: one line a state change, through a FIFO. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import { stateFromSupervisor, type ProgramState } from '@trunkline/contract/program-state'

export interface StateEvent {
  programId: string
  from: ProgramState
  to: ProgramState
  pid: number | null
  /** Counts up by one per event of a supervisord's life. */
  serial: number
}

const CHUNK_BYTES = 65_536

/** Null for a line that is no state change. Pure. */
export function parseEvent(line: string): StateEvent | null {
  const fields = new Map(
    line.split(' ').map((pair) => {
      const colon = pair.indexOf(':')
      return [pair.slice(0, colon), pair.slice(colon + 1)]
    }),
  )
  const to = /^PROCESS_STATE_([A-Z]+)$/.exec(fields.get('eventname') ?? '')?.[1]
  const programId = fields.get('processname')
  if (to === undefined || programId === undefined) return null
  const pid = Number(fields.get('pid'))
  return {
    programId,
    from: stateFromSupervisor(fields.get('from_state') ?? ''),
    to: stateFromSupervisor(to),
    pid: pid > 0 ? pid : null,
    serial: Number(fields.get('poolserial')),
  }
}

export class EventReader {
  readonly #socket: Socket
  /** What happened while nobody read; empty when nothing did. */
  readonly missed: readonly StateEvent[]

  constructor(fifo: string, onEvent: (event: StateEvent) => void) {
    // For reading and writing: then the listener's end is no end of file for us.
    // oxlint-disable-next-line no-bitwise
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const lines = new LineSplitter()
    const parse = (chunk: Buffer) =>
      lines
        .push(chunk)
        .map(parseEvent)
        .filter((event) => event !== null)
    this.missed = parse(drain(fd))
    this.#socket = new Socket({ fd, readable: true, writable: false })
    this.#socket.on('data', (chunk: Buffer) => parse(chunk).forEach(onEvent))
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

/** Everything that waits in the pipe, without waiting for more. */
function drain(fd: number): Buffer {
  const chunks: Buffer[] = []
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (;;) {
    try {
      const size = readSync(fd, buffer)
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(Buffer.from(buffer.subarray(0, size)))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
        return Buffer.concat(chunks)
      }
      closeSync(fd)
      throw error
    }
  }
}

class LineSplitter {
  #rest = ''

  push(chunk: Buffer): string[] {
    const lines = (this.#rest + chunk.toString()).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines
  }
}
