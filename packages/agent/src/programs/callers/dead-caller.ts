/**
 * Ends an SRT listener whose caller's process has died. libsrt takes a silent peer for lost after
 * 5.1 s, whatever `peeridletimeo` asks for (16 timers of 300 ms come first), and until then
 * srt-live-transmit is deaf to the caller that was started again. But the host of a process that
 * died refuses what is sent to its port, at once and by itself: a datagram without content asks it.
 * A network that is cut refuses nothing, so a link that may yet recover is left alone (ADR 0027).
 */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Context } from '../../context.ts'
import { peerOf, type Program } from '../program.ts'

const LOOK_MS = 250
/** Of a live caller. Where one of these is refused, a router or firewall on the way does it. */
const FIRST_QUESTIONS = 4
/** A refusal may belong to a caller that is closing at this moment. */
const REFUSALS = 2
/** Media that wait in the listener's buffer are lost with it: for longer ones 5.1 s cost less. */
const MOST_LATENCY_MS = 4000

export const CALLER_DIED =
  'The process of its SRT caller died, so the listener was started again to take the next call.'

export function watchCallers(ctx: Context): Disposable {
  const callers = new Callers(ctx)
  ctx.watch.causeOfOurs = (program, pid) => (callers.hasEnded(program, pid) ? CALLER_DIED : '')
  const timer = setInterval(() => callers.look(), LOOK_MS)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      callers[Symbol.dispose]()
    },
  }
}

class Callers implements Disposable {
  readonly #ctx: Context
  readonly #questions = new Map<string, CallerQuestion>()
  /** The process of each listener that was ended here last. */
  readonly #endedPids = new Map<string, number>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  look(): void {
    const asked = new Set<string>()
    for (const program of this.#ctx.board.all()) {
      const address = callerOf(program)
      if (address === null) continue
      asked.add(program.id)
      this.#lookAt(program, address)
    }
    for (const [programId, question] of this.#questions) {
      if (asked.has(programId)) continue
      question[Symbol.dispose]()
      this.#questions.delete(programId)
    }
  }

  hasEnded(program: Program, pid: number | null): boolean {
    return pid !== null && this.#endedPids.get(program.id) === pid
  }

  [Symbol.dispose](): void {
    for (const question of this.#questions.values()) question[Symbol.dispose]()
    this.#questions.clear()
  }

  #lookAt(program: Program, address: string): void {
    const known = this.#questions.get(program.id)
    const key = `${program.pid} ${address}`
    if (known?.key !== key) {
      known?.[Symbol.dispose]()
      this.#questions.set(program.id, new CallerQuestion(key, address))
    } else if (known.isCallerDead) this.#end(program)
    else known.ask()
  }

  /** By TERM: should it be wrong, the caller hears a goodbye and calls again. */
  #end(program: Program): void {
    const { id, pid } = program
    if (pid === null || this.hasEnded(program, pid)) return
    this.#endedPids.set(id, pid)
    this.#ctx.log.warn({ programId: id }, 'its caller died: the listener is started again')
    this.#ctx.supervisor.pollFast(LOOK_MS)
    try {
      process.kill(pid, 'SIGTERM')
    } catch {
      // It has gone in this moment, by itself.
      this.#endedPids.delete(id)
    }
  }
}

/** `address:port` of the one caller of an SRT listener; null when there is none to ask. */
function callerOf(program: Program): string | null {
  const { spec, state, pid, peer, observed } = program
  // An output has nothing to gain: its receivers call again as long as they like.
  if (spec?.kind !== 'receiver' || state !== 'running' || pid === null) return null
  if (spec.outer.protocol !== 'srt' || spec.outer.mode !== 'listen') return null
  const latencyMs = observed?.peerFacts?.latencyMs ?? null
  if (latencyMs === null || latencyMs > MOST_LATENCY_MS) return null
  return peerOf(program) === 'connected' ? (peer.handshake?.address ?? null) : null
}

/** Datagrams without content to one caller; libsrt takes no notice of them. */
export class CallerQuestion implements Disposable {
  /** Of the process that listens and its caller. */
  readonly key: string
  #socket: Socket | null = createSocket('udp4')
  #isOpen = false
  #asked = 0
  #refused = 0

  constructor(key: string, address: string) {
    this.key = key
    const colon = address.lastIndexOf(':')
    const [ip, port] = [address.slice(0, colon), Number(address.slice(colon + 1))]
    this.#socket?.on('error', (error) => {
      // A host or network that cannot be reached says nothing of the process.
      if ('code' in error && error.code === 'ECONNREFUSED') this.#noteRefusal()
    })
    if (isIPv4(ip) && port > 0) this.#socket?.connect(port, ip, () => (this.#isOpen = true))
  }

  get isCallerDead(): boolean {
    return this.#refused >= REFUSALS
  }

  /** Nothing can be learnt from it. */
  get isOver(): boolean {
    return this.#socket === null
  }

  ask(): void {
    if (!this.#isOpen) return
    this.#asked += 1
    this.#socket?.send('', () => undefined)
  }

  [Symbol.dispose](): void {
    this.#isOpen = false
    this.#socket?.close()
    this.#socket = null
  }

  #noteRefusal(): void {
    if (this.#asked > FIRST_QUESTIONS) this.#refused += 1
    else this[Symbol.dispose]()
  }
}
