/**
 * One WebSocket to one host: requests out, events in, reconnect with back-off. It knows no
 * database and no wanted state. What a host says is parsed; a bad message is dropped, never thrown.
 */
import {
  CLOSE_WRONG_KEY,
  hostCalls,
  HostMessage,
  LINK_BEAT_MS,
  LINK_PATH,
  type HostCallAnswer,
  type HostCallName,
  type HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import { hostAway, hostTimeout } from '../errors.ts'
import { addressText, type HostAddress } from './host-address.ts'
import { keptCapabilities } from './host-capability.rules.ts'
import { HostFault } from './host-fault.ts'
import { HostReports, MAX_CAUSE_CHARACTERS } from './host-reports.ts'
import { faultOfError, notAnAgent, timedOut, wrongKey, type LinkFault } from './link-fault.ts'

export interface LinkStatus {
  online: boolean
  /** When this began, API clock. */
  sinceMs: number
  /** null when online. */
  fault: LinkFault | null
}

export interface LinkTiming {
  /** How long an answer is waited for (decisions.md 15). */
  callLimitMs: number
  /** Ping pace; a host silent for two beats is taken for gone. */
  beatMs: number
  retryFirstMs: number
  retryLongestMs: number
}

export const LINK_TIMING: LinkTiming = {
  callLimitMs: 5000,
  beatMs: LINK_BEAT_MS,
  retryFirstMs: 200,
  retryLongestMs: 5000,
}

export type LinkEvent =
  | { type: 'status' }
  /** The host has said everything it runs. */
  | { type: 'hello' }
  | { type: 'program'; report: ProgramReport }
  | { type: 'removed'; programId: string }
  | { type: 'restart'; programId: string; atMs: number; restarts: number; cause: string }
  | { type: 'readings'; programIds: string[] }

export type SeatKind = Extract<HostMessage, { type: 'hello' }>['seatKind']

export interface LinkOptions {
  address: HostAddress
  key: string
  timing: LinkTiming
  clock: () => number
  log: Logger
  lookup: LookupFunction
  onEvent: (event: LinkEvent) => void
}

/** A host with thousands of programs says hello in a few megabytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
/** Where a stuck host stops being asked more. */
const MAX_OPEN_CALLS = 1000

interface OpenCall {
  name: HostCallName
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

export class HostLink {
  readonly address: HostAddress
  readonly reports = new HostReports()
  capabilities: Capabilities | null = null
  seatKind: SeatKind | null = null
  status: LinkStatus
  /** Last sign of life of the agent, API clock; null before its first hello. Not told: read it. */
  heardAtMs: number | null = null
  readonly #options: LinkOptions
  readonly #calls = new Map<number, OpenCall>()
  readonly #waiting: ((status: LinkStatus) => void)[] = []
  #key: string
  #socket: WebSocket | null = null
  #nextId = 1
  #failures = 0
  #retryTimer: NodeJS.Timeout | undefined
  #beatTimer: NodeJS.Timeout | undefined
  #silenceTimer: NodeJS.Timeout | undefined
  #fault: LinkFault | null = null
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
    this.#key = options.key
    this.address = options.address
    this.status = { online: false, sinceMs: options.clock(), fault: timedOut(this.#at()) }
    this.#dial()
  }

  /** Another key is tried at once; the same one changes nothing. */
  useKey(key: string): void {
    if (key === this.#key) return
    this.#key = key
    this.redial()
  }

  /** Breaks what there is and dials now, whatever the back-off says. */
  redial(): void {
    this.#failures = 0
    this.#hangUp()
    this.#dial()
  }

  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  async call<N extends HostCallName>(
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>> {
    const socket = this.#socket
    if (!this.status.online || socket === null) {
      throw hostAway(this.status.fault?.sentence ?? timedOut(this.#at()).sentence)
    }
    if (this.#calls.size >= MAX_OPEN_CALLS) {
      throw hostTimeout(`The host ${this.#at()} has too many requests open. Try again in a moment.`)
    }
    const answer = await new Promise<unknown>((resolve, reject) => {
      const id = this.#nextId++
      const timer = setTimeout(() => {
        this.#calls.delete(id)
        reject(hostTimeout(this.#tooLate()))
      }, this.#options.timing.callLimitMs)
      this.#calls.set(id, { name, resolve, reject, timer })
      socket.send(JSON.stringify({ id, call: name, params }))
    })
    return answer as HostCallAnswer<N>
  }

  /** Here and now: the next message may be newer than what this one says. */
  #answered(call: OpenCall, answer: unknown): void {
    const parsed = hostCalls[call.name].answer.safeParse(answer)
    if (!parsed.success) return call.reject(new HostFault('failed', this.#nonsense()))
    if (call.name === 'applyProgram' || call.name === 'controlProgram') {
      this.#note(parsed.data as ProgramReport)
    }
    call.resolve(parsed.data)
  }

  /** An answer's report is news as well: whoever asks the board next must not read the old state. */
  #note(answered: ProgramReport): void {
    const report = this.reports.put(answered, this.reports.offsetMs, this.#options.clock())
    if (report !== null) this.#options.onEvent({ type: 'program', report })
  }

  /** The host has no such program any more. */
  forget(programId: string): void {
    this.reports.remove(programId)
    this.#options.onEvent({ type: 'removed', programId })
  }

  /** Round trip in milliseconds; throws as `call` does. */
  async ping(): Promise<number> {
    const startMs = performance.now()
    // The cheapest question there is: a WebSocket ping would measure the socket, not the agent.
    await this.call('probePort', { port: this.address.port })
    return performance.now() - startMs
  }

  /** Resolves at the next hello, or at the next failed attempt, whichever is first. */
  async settled(): Promise<LinkStatus> {
    if (this.status.online) return this.status
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  close(): void {
    this.#isClosed = true
    this.#hangUp()
    this.#tellWaiting()
  }

  #at(): string {
    return addressText(this.address)
  }

  #tooLate(): string {
    const seconds = this.#options.timing.callLimitMs / 1000
    return `The host ${this.#at()} did not answer within ${seconds} s. Look at its state before you try again.`
  }

  #nonsense(): string {
    return `The host ${this.#at()} gave an answer that this version does not understand. Update its agent.`
  }

  #dial(): void {
    if (this.#isClosed) return
    const { timing } = this.#options
    this.#fault = null
    const socket = new WebSocket(`ws://${this.#at()}${LINK_PATH}`, {
      headers: { authorization: `Bearer ${this.#key}` },
      handshakeTimeout: timing.callLimitMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      lookup: this.#options.lookup,
    })
    this.#socket = socket
    // A socket that was hung up still speaks: of a dial that is over.
    const mine = (act: () => void) => () => {
      if (this.#socket === socket) act()
    }
    socket.on(
      'open',
      mine(() => this.#opened()),
    )
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      mine(() => {
        this.#fault ??=
          response.statusCode === 401 ? wrongKey(this.#at()) : notAnAgent(this.#at(), 'agent')
        this.#lost()
      })()
    })
    socket.on('error', (error) =>
      mine(() => {
        this.#fault ??= isHandshakeTimeout(error)
          ? timedOut(this.#at())
          : faultOfError(this.#at(), error, 'agent')
      })(),
    )
    socket.on('close', (code) =>
      mine(() => {
        if (code === CLOSE_WRONG_KEY) this.#fault = wrongKey(this.#at())
        this.#lost()
      })(),
    )
    socket.on('message', (data: Buffer) => mine(() => this.#heard(data.toString('utf8')))())
    for (const sign of ['ping', 'pong'] as const)
      socket.on(
        sign,
        mine(() => this.#alive()),
      )
  }

  #opened(): void {
    const { beatMs } = this.#options.timing
    this.#beatTimer = setInterval(() => this.#socket?.ping(), beatMs)
    this.#alive()
  }

  /** Any sign of life starts the wait anew. */
  #alive(): void {
    if (this.status.online) this.heardAtMs = this.#options.clock()
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(() => {
      this.#fault = this.status.online ? timedOut(this.#at()) : notAnAgent(this.#at(), 'agent')
      this.#lost()
    }, this.#options.timing.beatMs * 2)
  }

  #heard(text: string): void {
    this.#alive()
    const message = parseMessage(text)
    if (message === null) {
      this.#options.log.warn({ host: this.#at() }, 'a message from a host was not understood')
      return
    }
    this.#take(message)
  }

  #take(message: HostMessage): void {
    const { clock, onEvent } = this.#options
    switch (message.type) {
      case 'answer': {
        const call = this.#openCall(message.id)
        if (call !== undefined) this.#answered(call, message.result)
        return
      }
      case 'failure':
        this.#openCall(message.id)?.reject(
          new HostFault(message.failure.code, message.failure.message),
        )
        return
      case 'hello':
        this.capabilities = keptCapabilities(message.capabilities)
        this.seatKind = message.seatKind
        this.reports.replace(message.programs, clock() - message.nowMs, clock())
        this.#online()
        return
      case 'program': {
        const report = this.reports.put(message.report, clock() - message.nowMs, clock())
        if (report !== null) onEvent({ type: 'program', report })
        return
      }
      case 'removed':
        this.forget(message.programId)
        return
      case 'restart':
        onEvent({
          ...message,
          atMs: this.reports.toApiClock(message.atMs),
          cause: message.cause.slice(0, MAX_CAUSE_CHARACTERS),
        })
        return
      case 'readings': {
        const { readings, nowMs } = message
        const programIds = this.reports.read(readings, clock() - nowMs, clock())
        onEvent({ type: 'readings', programIds })
      }
    }
  }

  /** A late answer finds no open call and is dropped: its caller has been told already. */
  #openCall(id: number): OpenCall | undefined {
    const call = this.#calls.get(id)
    if (call === undefined) return undefined
    this.#calls.delete(id)
    clearTimeout(call.timer)
    return call
  }

  #online(): void {
    this.#failures = 0
    this.heardAtMs = this.#options.clock()
    if (!this.status.online) {
      this.status = { online: true, sinceMs: this.#options.clock(), fault: null }
      this.#options.onEvent({ type: 'status' })
    }
    this.#options.onEvent({ type: 'hello' })
    this.#tellWaiting()
  }

  #lost(): void {
    this.#hangUp()
    const fault = this.#fault ?? faultOfError(this.#at(), undefined, 'agent')
    const wasOnline = this.status.online
    const isNews = wasOnline || this.status.fault?.sentence !== fault.sentence
    const sinceMs = wasOnline ? this.#options.clock() : this.status.sinceMs
    this.status = { online: false, sinceMs, fault }
    this.#failUnanswered(fault)
    if (isNews) this.#options.onEvent({ type: 'status' })
    this.#tellWaiting()
    this.#retryLater()
  }

  #failUnanswered(fault: LinkFault): void {
    for (const call of this.#calls.values()) {
      clearTimeout(call.timer)
      call.reject(hostAway(fault.sentence))
    }
    this.#calls.clear()
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.status)
  }

  #retryLater(): void {
    if (this.#isClosed) return
    const { retryFirstMs, retryLongestMs } = this.#options.timing
    const fullMs = Math.min(retryLongestMs, retryFirstMs * 2 ** this.#failures)
    this.#failures++
    // Half of it by chance, so that hosts do not call back in step after an outage.
    this.#retryTimer = setTimeout(() => this.#dial(), fullMs * (0.5 + Math.random() / 2))
  }

  #hangUp(): void {
    clearTimeout(this.#retryTimer)
    clearInterval(this.#beatTimer)
    clearTimeout(this.#silenceTimer)
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return
    socket.terminate()
  }
}

function isHandshakeTimeout(error: Error): boolean {
  return error.message === 'Opening handshake has timed out'
}

function parseMessage(text: string): HostMessage | null {
  try {
    return HostMessage.parse(JSON.parse(text))
  } catch {
    return null
  }
}
