/** The connection to one other API process: receives what happens to its hosts, and asks it for calls to them. */
import { CHANGING_CALLS } from '@trunkline/contract/agent/host-link.messages'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import { AppError, hostAway, hostTimeout } from '../../errors.ts'
import { addressText, type HostAddress } from '../host-address.ts'
import { HostFault } from '../host-fault.ts'
import { processAway } from '../link-fault.ts'
import { SilenceWatch } from '../silence-watch.ts'
import {
  PROCESS_PATH,
  PROCESS_VERSION,
  type Failure,
  type HostNews,
  type OwnerMessage,
  type Question,
  type ReaderMessage,
  type Refusal,
} from './process.messages.ts'
import type { Carrier } from './relayed-link.ts'

export interface ProcessLinkOptions {
  processId: string
  /** 'ip:port'. */
  address: string
  key: string
  clock: () => number
  log: Logger
  /** How long an answer may take: longer than the other waits for its host. */
  answerLimitMs: number
  onNews: (at: string, news: HostNews) => void
  onRefusal: (programId: string, refusal: Refusal | null) => void
  /** The connection is lost: 'host:port' of each host that is watched there. */
  onLost: (hosts: Iterable<string>) => void
}

const HANDSHAKE_MS = 2000
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 1000
const BEAT_MS = 1000
const SILENT_MS = 2 * BEAT_MS
/** Below this the difference is delay, not a clock that is set otherwise. */
const CLOCK_STEP_MS = 2000

interface OpenQuestion {
  question: Question
  timer: NodeJS.Timeout
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

export class ProcessLink implements Carrier {
  readonly processId: string
  readonly address: string
  readonly isOwner = true
  offsetMs = 0
  heardAtLeastMs: number | null = null
  readonly #options: ProcessLinkOptions
  readonly #watched = new Map<string, HostAddress>()
  /** Sent together, in one message. */
  #newlyWatched: HostAddress[] = []
  readonly #questions = new Map<number, OpenQuestion>()
  #lastId = 0
  #socket: WebSocket | null = null
  /** It has sent its first message. */
  #isOpen = false
  #retryMs = FIRST_RETRY_MS
  #retryTimer: NodeJS.Timeout | undefined
  #silence: SilenceWatch | null = null
  #isClosed = false

  constructor(options: ProcessLinkOptions) {
    this.#options = options
    this.processId = options.processId
    this.address = options.address
    this.#dial()
  }

  watch(host: HostAddress): void {
    this.#watched.set(addressText(host), host)
    this.#newlyWatched.push(host)
    if (this.#isOpen && this.#newlyWatched.length === 1) queueMicrotask(() => this.#sendWatched())
  }

  unwatch(at: string): void {
    this.#watched.delete(at)
  }

  async ask(question: Question): Promise<unknown> {
    return this.#ask(question, ++this.#lastId)
  }

  async takeTurn(host: HostAddress, programId: string): Promise<() => void> {
    const id = ++this.#lastId
    // Without an answer there is no turn: what is done then may cross, and is settled afterwards.
    await this.#ask({ type: 'turn', host, programId }, id).catch(() => undefined)
    return () => this.#send({ type: 'release', id })
  }

  #send(message: ReaderMessage): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message))
  }

  async #ask(question: Question, id: number): Promise<unknown> {
    if (!this.#isOpen) throw hostAway(this.#away(question))
    return new Promise((resolve, reject) => {
      const { answerLimitMs } = this.#options
      // After what has come while this process was held up is read.
      const timer = setTimeout(() => setImmediate(() => this.#expire(id)), answerLimitMs)
      this.#questions.set(id, { question, timer, resolve, reject })
      this.#send({ type: 'ask', id, question })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#hangUp()
  }

  #dial(): void {
    const socket = new WebSocket(`ws://${this.address}${PROCESS_PATH}`, {
      headers: { authorization: `Bearer ${this.#options.key}` },
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: 0,
    })
    this.#socket = socket
    socket.on('open', () => {
      if (this.#socket === socket) this.#expectSigns(socket)
    })
    socket.on('error', (error) => this.#options.log.debug({ err: error }, 'API process away'))
    socket.on('close', () => {
      if (this.#socket === socket) this.#lost()
    })
    socket.on('message', (data: Buffer) => {
      if (this.#socket === socket) this.#heard(data.toString('utf8'))
    })
  }

  #expectSigns(socket: WebSocket): void {
    const silence = new SilenceWatch({
      beatMs: BEAT_MS,
      ask: () => socket.ping(),
      onSilent: () => socket.terminate(),
    })
    this.#silence = silence
    silence.heard(SILENT_MS)
    socket.on('pong', () => silence.heard(SILENT_MS))
  }

  #heard(text: string): void {
    this.#silence?.heard(SILENT_MS)
    for (const message of JSON.parse(text) as OwnerMessage[]) this.#take(message)
  }

  #take(message: OwnerMessage): void {
    switch (message.type) {
      case 'owner':
        return this.#opened(message)
      case 'beat':
        this.#followClock(message.nowMs)
        this.heardAtLeastMs = message.heardAtLeastMs + this.offsetMs
        return
      case 'news':
        return this.#options.onNews(message.at, message.news)
      case 'refusal':
        return this.#options.onRefusal(message.programId, message.refusal)
      case 'answer':
        return this.#answered(message.id)?.resolve(message.result)
      case 'failure':
        return this.#answered(message.id)?.reject(errorOf(message.failure))
    }
  }

  #opened({ processId, version, nowMs }: Extract<OwnerMessage, { type: 'owner' }>): void {
    // The port of a process that ended may be used by a new one.
    if (processId !== this.processId || version !== PROCESS_VERSION) {
      const { log } = this.#options
      log.warn({ process: this.address, version }, 'An API process of another version is not used.')
      this.#socket?.terminate()
      return
    }
    this.#isOpen = true
    this.#retryMs = FIRST_RETRY_MS
    this.#followClock(nowMs)
    this.#newlyWatched = [...this.#watched.values()]
    this.#sendWatched()
  }

  #sendWatched(): void {
    const hosts = this.#newlyWatched.splice(0)
    if (!this.#isOpen || hosts.length === 0) return
    this.#send({ type: 'watch', hosts })
  }

  #followClock(nowMs: number): void {
    const measuredMs = this.#options.clock() - nowMs
    if (Math.abs(measuredMs - this.offsetMs) > CLOCK_STEP_MS) this.offsetMs = measuredMs
  }

  #answered(id: number): OpenQuestion | undefined {
    const open = this.#questions.get(id)
    clearTimeout(open?.timer)
    this.#questions.delete(id)
    return open
  }

  #expire(id: number): void {
    const open = this.#answered(id)
    open?.reject(hostTimeout(this.#away(open.question) + outcomeOf(open.question)))
  }

  #away({ host }: Question): string {
    return processAway(addressText(host), this.address).sentence
  }

  #lost(): void {
    this.#hangUp()
    if (this.#isClosed) return
    this.#options.onLost(this.#watched.keys())
    this.#retryTimer = setTimeout(() => this.#dial(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS)
  }

  #hangUp(): void {
    clearTimeout(this.#retryTimer)
    this.#silence?.stop()
    this.#silence = null
    const socket = this.#socket
    this.#socket = null
    this.#isOpen = false
    socket?.terminate()
    for (const id of this.#questions.keys()) {
      const open = this.#answered(id)
      open?.reject(hostAway(this.#away(open.question), outcomeOf(open.question)))
    }
  }
}

/** What is known of the result of a question that got no answer; '' for one that changes nothing. */
function outcomeOf(question: Question): string {
  const isChange = question.type === 'call' && CHANGING_CALLS.has(question.name)
  return isChange ? MAY_BE_DONE : ''
}

const MAY_BE_DONE =
  ' The host may have carried out the command: check its state before you try again.'

function errorOf(failure: Failure): Error {
  if (failure.of === 'host') return new HostFault(failure.code, failure.message)
  const { code, message, neutral } = failure
  return new AppError(code, message, neutral === null ? {} : { neutral })
}
