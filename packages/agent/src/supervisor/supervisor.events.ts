/** Reads what supervisord's event listener writes: one line a state change, through a FIFO. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import { stateFromSupervisor, type ProgramState } from '@trunkline/contract/program-state'
import { LISTENER_NAME } from './main-conf.ts'

export interface StateEvent {
  programId: string
  to: ProgramState
  pid: number | null
  /** Counts up by one per event of a supervisord's life. */
  serial: number
}

/** supervisord itself: it is up, or it got a signal to reload or to end and stops all programs. */
interface SupervisorEvent {
  supervisor: 'running' | 'stopping'
  serial: number
}

export type HostEvent = StateEvent | SupervisorEvent

export interface EventListener {
  onEvent(event: StateEvent): void
}

/** What concerns the supervisor, not one of its programs. */
interface SupervisorEvents {
  onSupervisor(state: SupervisorEvent['supervisor']): void
  /** Events were lost. */
  onGap(): void
}

const CHUNK_BYTES = 65_536

/** Null for a line that is no state change. Pure. */
export function parseEvent(line: string): HostEvent | null {
  const fields = new Map(
    line.split(' ').map((pair) => {
      const colon = pair.indexOf(':')
      return [pair.slice(0, colon), pair.slice(colon + 1)]
    }),
  )
  const eventName = fields.get('eventname') ?? ''
  const serial = Number(fields.get('poolserial'))
  if (eventName === 'SUPERVISOR_STATE_CHANGE_RUNNING') return { supervisor: 'running', serial }
  if (eventName === 'SUPERVISOR_STATE_CHANGE_STOPPING') return { supervisor: 'stopping', serial }
  const to = /^PROCESS_STATE_([A-Z]+)$/.exec(eventName)?.[1]
  const programId = fields.get('processname')
  if (to === undefined || programId === undefined) return null
  const pid = Number(fields.get('pid'))
  return {
    programId,
    to: stateFromSupervisor(to),
    pid: pid > 0 ? pid : null,
    serial,
  }
}

export class EventReader {
  readonly #socket: Socket
  readonly #listener: EventListener
  readonly #supervisor: SupervisorEvents
  #lastSerial: number | null = null
  /** What happened while nobody read; empty when nothing did. */
  readonly missed: readonly HostEvent[]

  constructor(fifo: string, listener: EventListener, supervisor: SupervisorEvents) {
    this.#listener = listener
    this.#supervisor = supervisor
    // For reading and writing: then the listener's end is no end of file for us.
    // oxlint-disable-next-line no-bitwise
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const lines = new LineSplitter()
    const parse = (chunk: Buffer) =>
      lines
        .push(chunk)
        .map(parseEvent)
        .filter((event) => event !== null)
    this.missed = parse(drain(fd)).filter(isOfPrograms)
    this.#socket = new Socket({ fd, readable: true, writable: false })
    this.#socket.on('data', (chunk: Buffer) => {
      for (const event of parse(chunk)) this.#take(event)
    })
  }

  #take(event: HostEvent): void {
    const expected = this.#lastSerial === null ? event.serial : this.#lastSerial + 1
    this.#lastSerial = event.serial
    // The first event of a new supervisord is number 0; any other jump is a loss.
    if (event.serial > expected) this.#supervisor.onGap()
    if ('supervisor' in event) this.#supervisor.onSupervisor(event.supervisor)
    else if (isOfPrograms(event)) this.#listener.onEvent(event)
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}

function isOfPrograms(event: HostEvent): boolean {
  return 'supervisor' in event || event.programId !== LISTENER_NAME
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
  #partialLine = ''

  push(chunk: Buffer): string[] {
    const lines = (this.#partialLine + chunk.toString()).split('\n')
    this.#partialLine = lines.pop() ?? ''
    return lines
  }
}
