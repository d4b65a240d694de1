/**
 * One WebSocket to one host: requests out, events in, reconnect with back-off. It knows no
 * database and no wanted state. What a host says is parsed; a bad message is dropped, never thrown.
 */
import {
  CLOSE_WRONG_KEY,
  hostCalls,
  HostMessage,
  LINK_PATH,
  type HostCallAnswer,
  type HostCallName,
  type HostCallParams,
  type HostFailure,
} from '@trunkline/contract/agent/host-link.messages'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { HostProblem } from '@trunkline/contract/fleet/fleet.schema'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import { hostAway, hostTimeout } from '../errors.ts'
import type { DialGuard } from '../security/host-guard.ts'
import { addressText, type HostAddress } from './host-address.ts'
import { HostCalls, type OpenCall } from './host-calls.ts'
import { keptCapabilities } from './host-capability.rules.ts'
import { keptHealth, problemOf } from './host-problem.rules.ts'
import { HostFault } from './host-fault.ts'
import { HostReports, MAX_CAUSE_CHARACTERS } from './host-reports.ts'
import { OWN_STALL_MS, RESTART_MS, type LinkTiming } from './link-timing.ts'
import { faultOfError, notAnAgent, timedOut, wrongKey, type LinkFault } from './link-fault.ts'

export interface LinkStatus {
  online: boolean
  /** When this began, API clock. */
  sinceMs: number
  /** null when online. */
  fault: LinkFault | null
}

export type LinkEvent =
  | { type: 'status' }
  /** How the host itself is. */
  | { type: 'health' }
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
  guard: DialGuard
  onEvent: (event: LinkEvent) => void
}

/** A host with thousands of programs says hello in a few megabytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

export class HostLink {
  readonly address: HostAddress
  readonly reports = new HostReports()
  capabilities: Capabilities | null = null
  seatKind: SeatKind | null = null
  status: LinkStatus
  /** Last sign of life of the agent, API clock; null before its first hello. Not told: read it. */
  heardAtMs: number | null = null
  readonly #options: LinkOptions
  /** As last told; null of an older agent. */
  #health: HostHealth | null = null
  readonly #calls: HostCalls
  readonly #waiting: ((status: LinkStatus) => void)[] = []
  #key: string
  #socket: WebSocket | null = null
  #failures = 0
  /** When it was online last, by the clock of the process. */
  #leftAtMs = -Infinity
  #retryTimer: NodeJS.Timeout | undefined
  #beatTimer: NodeJS.Timeout | undefined
  #silenceTimer: NodeJS.Timeout | undefined
  #fault: LinkFault | null = null
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
    this.#key = options.key
    this.address = options.address
    this.#calls = new HostCalls(this.#at())
    this.status = { online: false, sinceMs: options.clock(), fault: timedOut(this.#at()) }
    this.#dial()
  }

  /** What is wrong with the host, as long as it answers. */
  get problem(): HostProblem | undefined {
    return this.status.online && this.#health !== null ? problemOf(this.#health) : undefined
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
    const send = (request: unknown) => socket.send(JSON.stringify(request))
    const answer = await this.#calls.ask(name, params, this.#options.timing.callLimitMs, send)
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

  #nonsense(): string {
    return `The host ${this.#at()} gave an answer that this version does not understand. Update its agent.`
  }

  #dial(): void {
    if (this.#isClosed) return
    const { timing, guard } = this.#options
    const refusal = guard.refusalOf(this.address.host, this.address.port)
    this.#fault = refusal === null ? null : faultOfError(this.#at(), refusal, 'agent')
    if (refusal !== null) {
      // Later: whoever makes this link must have it before it says that it failed.
      this.#retryTimer = setTimeout(() => this.#lost())
      return
    }
    const socket = new WebSocket(`ws://${this.#at()}${LINK_PATH}`, {
      headers: { authorization: `Bearer ${this.#key}` },
      handshakeTimeout: timing.callLimitMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      lookup: guard.lookup,
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
        this.#fault ??= faultOfError(this.#at(), error, 'agent')
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
    const { beatMs, callLimitMs } = this.#options.timing
    // A first hello may be megabytes on a slow line, and nothing is heard before its end.
    const limitMs = (this.status.online ? beatMs : callLimitMs) * 2
    const dueAtMs = performance.now() + limitMs
    this.#silenceTimer = setTimeout(() => {
      const isOwnStall = performance.now() - dueAtMs > OWN_STALL_MS
      if (!isOwnStall) return this.#fellSilent()
      // We were busy ourselves: what the host has said meanwhile is read first.
      this.#silenceTimer = setTimeout(() => this.#fellSilent(), beatMs)
    }, limitMs)
  }

  #fellSilent(): void {
    this.#fault = this.status.online ? timedOut(this.#at()) : notAnAgent(this.#at(), 'agent')
    this.#lost()
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
        const call = this.#calls.take(message.id)
        if (call !== undefined) this.#answered(call, message.result)
        return
      }
      case 'failure':
        this.#calls.take(message.id)?.reject(faultOf(message.failure))
        return
      case 'confirm':
        this.#socket?.send(JSON.stringify(this.#calls.confirm(message.id)))
        return
      case 'hello':
        this.capabilities = keptCapabilities(message.capabilities)
        this.seatKind = message.seatKind
        this.#health = message.health === undefined ? null : keptHealth(message.health)
        this.#calls.confirmsCalls = message.confirmsCalls === true
        this.reports.replace(message.programs, clock() - message.nowMs, clock())
        this.#online()
        return
      case 'health': {
        const before = this.problem
        this.#health = keptHealth(message.health)
        if (this.problem?.sentence !== before?.sentence) onEvent({ type: 'health' })
        return
      }
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

  #online(): void {
    this.#failures = 0
    if (!this.status.online) {
      this.status = { online: true, sinceMs: this.#options.clock(), fault: null }
      this.#options.onEvent({ type: 'status' })
    }
    // From now on its silence is noticed sooner.
    this.#alive()
    this.#options.onEvent({ type: 'hello' })
    this.#tellWaiting()
  }

  #lost(): void {
    this.#hangUp()
    const fault = this.#fault ?? faultOfError(this.#at(), undefined, 'agent')
    const wasOnline = this.status.online
    const isNews = wasOnline || this.status.fault?.sentence !== fault.sentence
    const sinceMs = wasOnline ? this.#options.clock() : this.status.sinceMs
    if (wasOnline) this.#leftAtMs = performance.now()
    this.status = { online: false, sinceMs, fault }
    this.#calls.failAll(fault.sentence)
    if (isNews) this.#options.onEvent({ type: 'status' })
    this.#tellWaiting()
    this.#retryLater()
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.status)
  }

  #retryLater(): void {
    if (this.#isClosed) return
    const { retryFirstMs, retryLongestMs } = this.#options.timing
    // An agent that is restarted is back within seconds: it is not made to wait for its link.
    const isRestart = performance.now() - this.#leftAtMs < RESTART_MS
    const fullMs = Math.min(retryLongestMs, retryFirstMs * 2 ** this.#failures)
    if (!isRestart) this.#failures++
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

function faultOf({ code, message }: HostFailure): Error {
  return code === 'timeout' ? hostTimeout(message) : new HostFault(code, message)
}

function parseMessage(text: string): HostMessage | null {
  try {
    return HostMessage.parse(JSON.parse(text))
  } catch {
    return null
  }
}
