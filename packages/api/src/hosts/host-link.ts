/**
 * One WebSocket to one host: requests out, events in, reconnect with back-off. It knows no
 * database and no wanted state. What a host says is parsed; a bad message is dropped, never thrown.
 */
import {
  CHANGING_CALLS,
  CLOSE_REPLACED,
  CLOSE_WRONG_KEY,
  hostCalls,
  type HostMessage,
  type HostCallAnswer,
  type HostCallName,
  type HostCallParams,
} from '@trunkline/contract/agent/host-link.messages'
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { WebSocket } from 'ws'
import { hostAway } from '../errors.ts'
import { answerFault, errorFault, maySpeakPlain } from './certificates/certificate-fault.ts'
import { goesOn, type HostAccess } from './certificates/host-access.ts'
import { listenTo, openSocket } from './certificates/host-socket.ts'
import type { ShownCertificate } from './certificates/tls-dial.ts'
import { closedFault, connectionReplaced, silentFault } from './dial-in/dial-in-fault.ts'
import { HostCalls, type OpenCall } from './host-calls.ts'
import { keptCapabilities } from './host-capability.rules.ts'
import { keptHealth } from './host-problem.rules.ts'
import { errorOf, HostFault } from './host-fault.ts'
import { parseMessage } from './host-message.ts'
import { MAX_CAUSE_CHARACTERS } from './host-reports.ts'
import { LinkedHost, type LinkStatus } from './linked-host.ts'
import type { LinkOptions } from './link-options.ts'
import { linkMoves, notAnAgent, timedOut, wrongKey, type LinkFault } from './link-fault.ts'
import { DialRetry } from './pace/dial-retry.ts'
import { knock } from './pace/knock.ts'
import { SilenceWatch } from './silence-watch.ts'

export class HostLink extends LinkedHost {
  readonly isOwn = true
  readonly #options: LinkOptions
  readonly #calls: HostCalls
  readonly #waiting: ((status: LinkStatus) => void)[] = []
  #access: HostAccess
  /** By the host on this socket; null without TLS. */
  #shown: ShownCertificate | null = null
  /** This dial, or the next, is by the key, because the host does not use its certificate yet. */
  #isWithKey = false
  #socket: WebSocket | null = null
  /** It has said hello on this socket. */
  #isGreeted = false
  readonly #retry: DialRetry
  /** Does nothing unless it is looked whether anybody is there. */
  #stopKnocking: () => void = () => undefined
  /** null until the socket is open. */
  #silence: SilenceWatch | null = null
  #fault: LinkFault | null = null
  #isClosed = false

  constructor(options: LinkOptions) {
    super(options.address, options.clock(), options.onEvent)
    this.#options = options
    this.#access = options.access
    this.#calls = new HostCalls(this.at())
    this.#retry = new DialRetry(this, options.pace, options.timing)
    if (options.before !== undefined) this.continueFrom(options.before)
    this.#dial()
  }

  /** Another key or a revoked certificate ends what there is at once; the same one changes nothing. */
  useAccess(access: HostAccess): void {
    const before = this.#access
    this.#access = access
    if (!goesOn(before, access, this.#shown?.keyHash ?? null)) this.redial()
  }

  /** What the host showed when this link was made, or was given since; null without TLS. */
  get certificate(): ShownCertificate | null {
    return this.#isGreeted ? this.#shown : null
  }

  /** The host has taken another certificate; the link goes on with the old one. */
  noteCertificate(renewed: ShownCertificate): void {
    this.#shown = renewed
  }

  /** The host has connected by itself; an older connection may be dead. False: it is not to connect. */
  takeSocket(socket: WebSocket, shown: ShownCertificate): boolean {
    if (this.#isClosed || !this.#waitsForHost) return false
    const replaced = this.#socket
    this.#socket = null
    this.#hangUp()
    replaced?.close(CLOSE_REPLACED, 'A newer connection of this host has taken its place.')
    if (replaced !== null) this.#calls.failAll(connectionReplaced(this.at()))
    this.#shown = shown
    this.#fault = null
    this.#socket = socket
    this.#listen(socket)
    this.#opened()
    return true
  }

  /** The host tries to connect and is not let in, for this reason. */
  refuse(fault: LinkFault): void {
    if (this.#socket !== null || !this.#waitsForHost) return
    this.#fault = fault
    this.#lost()
  }

  get #waitsForHost(): boolean {
    return this.#access.by === 'host'
  }

  /** Breaks what there is and dials now, whatever the back-off says. */
  redial(): void {
    this.#retry.begin()
    this.#hangUp()
    this.#dial()
  }

  /** Throws HostUnreachable, HostTimeout, or HostFault with the host's own words. */
  async call<N extends HostCallName>(
    name: N,
    params: HostCallParams<N>,
  ): Promise<HostCallAnswer<N>> {
    const { lease } = this.#options
    if (CHANGING_CALLS.has(name) && lease !== undefined && !(await lease.willAct(this.at()))) {
      throw hostAway(linkMoves(this.at()).sentence)
    }
    // Known from before, and just being dialled.
    if (this.status.online && !this.#isGreeted) await this.settled()
    const socket = this.#socket
    if (!this.#isGreeted || socket === null) {
      // Somebody wants something of it: who tries again finds it there if it is back.
      this.dialNow()
      throw hostAway(this.status.fault?.sentence ?? timedOut(this.at()).sentence)
    }
    const send = (request: unknown) => socket.send(JSON.stringify(request))
    const answer = await this.#calls.ask(name, params, this.#options.timing.callLimitMs, send)
    return answer as HostCallAnswer<N>
  }

  /** Here and now: the next message may be newer than what this one says. */
  #answered(call: OpenCall, answer: unknown): void {
    const parsed = hostCalls[call.name].answer.safeParse(answer)
    if (!parsed.success) {
      const nonsense = `The host ${this.at()} gave an answer that this version does not understand. Update its agent.`
      return call.reject(new HostFault('failed', nonsense))
    }
    // A report is news as well: whoever asks the board next must not read the old state.
    if (call.name === 'applyProgram' || call.name === 'controlProgram') {
      this.#note(parsed.data as ProgramReport, this.reports.offsetMs)
    }
    call.resolve(parsed.data)
  }

  #note(reported: ProgramReport, offsetMs: number): void {
    const report = this.reports.put(reported, offsetMs, this.#options.clock())
    if (report !== null) this.onEvent({ type: 'program', report })
  }

  /** Dials now if it only waits for its turn. */
  dialNow(): void {
    if (!this.#retry.isWaiting) return
    this.#retry.stopWaiting()
    if (this.#retry.isInVain) this.#knock()
    else this.#dial()
  }

  /** Resolves at the next hello, or at the next failed attempt, whichever is first; that attempt is made now. */
  async settled(): Promise<LinkStatus> {
    if (this.#isGreeted) return this.status
    if (this.#waitsForHost && this.#socket === null && this.status.fault) return this.status
    this.dialNow()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  close(): void {
    this.#isClosed = true
    this.#retry.close()
    this.#hangUp()
    this.#calls.failAll(`The link to the host ${this.at()} was closed.`)
    this.#resolveWaiting()
  }

  #knock(): void {
    const { clock, guard, timing } = this.#options
    const { address } = this
    const isRevoked = this.#access.by === 'nothing'
    // Dialling says why it is not done.
    if (isRevoked || guard.refusalOf(address.host, address.port) !== null) return this.#dial()
    this.#stopKnocking = knock({ address, guard, limitMs: timing.callLimitMs }, (error) => {
      if (error === null) return this.#dial()
      this.#fault = errorFault(this.at(), error, clock())
      this.#lost()
    })
  }

  #dial(): void {
    if (this.#isClosed) return
    const { timing, guard } = this.#options
    this.#shown = null
    const socket = openSocket({
      address: this.address,
      access: this.#access,
      guard,
      handshakeMs: timing.callLimitMs,
      withKey: this.#isWithKey,
      onShown: (shown) => (this.#shown = shown),
    })
    this.#fault = 'sentence' in socket ? socket : null
    if ('sentence' in socket) {
      // Later: whoever makes this link must have it before it says that it failed.
      setTimeout(() => this.#socket === null && this.#lost())
      return
    }
    this.#socket = socket
    this.#listen(socket)
  }

  #listen(socket: WebSocket): void {
    const current = { turns: this.#options.turns, isCurrent: () => this.#socket === socket }
    listenTo(socket, current, {
      onOpen: () => this.#opened(),
      onRefused: (answer) => {
        this.#fault ??= answerFault(this.at(), answer, this.#options.clock())
        this.#lost()
      },
      onError: (error) => {
        if (this.#waitsForHost || this.#dialsByKeyAfter(error)) return
        this.#fault ??= errorFault(this.at(), error, this.#options.clock())
      },
      onClose: (code) => {
        if (code === CLOSE_WRONG_KEY) this.#fault = wrongKey(this.at())
        this.#lost()
      },
      onMessage: (text) => this.#heard(text),
      onSign: () => this.#alive(),
    })
  }

  /** A host that is to be enrolled and has not used its certificate yet is reached as before. */
  #dialsByKeyAfter(error: unknown): boolean {
    const isNotUsed = this.#access.by === 'certificate' && this.#access.keyMeanwhile !== null
    if (!isNotUsed || this.#isWithKey || !maySpeakPlain(error)) return false
    this.#hangUp()
    this.#isWithKey = true
    this.#dial()
    return true
  }

  #opened(): void {
    const { turns, timing } = this.#options
    const inTurn = (act: () => void) => turns.add(() => this.#silence === watch && act())
    const watch = new SilenceWatch({
      beatMs: timing.beatMs,
      // Timers that were late once are due together from then on: so are the questions of all links.
      ask: () => inTurn(() => this.#socket?.ping()),
      onSilent: () => inTurn(() => this.#fellSilent()),
    })
    this.#silence = watch
    this.#alive()
  }

  /** Any sign of life starts the wait anew. */
  #alive(): void {
    const { clock, onHeard, timing } = this.#options
    if (this.#isGreeted) {
      this.lastHeardMs = clock()
      onHeard?.(this)
    }
    const { beatMs, callLimitMs } = timing
    // A first hello may be megabytes on a slow line, and nothing is heard before its end.
    this.#silence?.heard((this.#isGreeted ? beatMs : callLimitMs) * 2)
  }

  #fellSilent(): void {
    const silent = silentFault(this.at(), this.#access)
    this.#fault = this.#isGreeted ? silent : notAnAgent(this.at(), 'agent')
    this.#lost()
  }

  #heard(text: string): void {
    this.#alive()
    const message = parseMessage(text)
    if (message === null) {
      this.#options.log.warn({ host: this.at() }, 'a message from a host was not understood')
      return
    }
    this.#take(message)
  }

  #take(message: HostMessage): void {
    const { clock } = this.#options
    switch (message.type) {
      case 'answer': {
        const call = this.#calls.take(message.id)
        if (call !== undefined) this.#answered(call, message.result)
        return
      }
      case 'failure':
        this.#calls.take(message.id)?.reject(errorOf(message.failure))
        return
      case 'confirm':
        this.#confirm(message.id)
        return
      case 'hello':
        this.capabilities = keptCapabilities(message.capabilities)
        this.seatKind = message.seatKind
        this.health = message.health === undefined ? null : keptHealth(message.health)
        this.#calls.confirmsCalls = message.confirmsCalls === true
        this.reports.replace(message.programs, clock() - message.nowMs, clock())
        this.#online()
        return
      case 'health':
        this.takeHealth(keptHealth(message.health))
        return
      case 'program':
        this.#note(message.report, clock() - message.nowMs)
        this.#followShift()
        return
      case 'removed':
        this.forget(message.programId)
        return
      case 'restart':
        this.onEvent({
          ...message,
          atMs: this.reports.toApiClock(message.atMs),
          cause: message.cause.slice(0, MAX_CAUSE_CHARACTERS),
        })
        return
      case 'readings': {
        const { readings, nowMs, transports } = message
        const taken = this.reports.read(readings, clock() - nowMs, clock(), transports)
        this.onEvent({ type: 'readings', ...taken })
        this.#followShift()
      }
    }
  }

  /** After our own clock was set: everybody gets the times of all programs anew. */
  #followShift(): void {
    const byMs = this.reports.takeShiftMs()
    if (byMs === 0) return
    this.status = { ...this.status, sinceMs: this.status.sinceMs + byMs }
    this.onEvent({ type: 'hello' })
  }

  /** A call that was under way when another process took the host over is not carried out. */
  #confirm(id: number): void {
    const isHeld = this.#options.lease?.mayAct(this.at()) !== false
    const answer = isHeld ? this.#calls.confirm(id) : { confirmed: id, remainingMs: 0 }
    this.#socket?.send(JSON.stringify(answer))
  }

  #online(): void {
    this.#isGreeted = true
    this.#retry.arrived()
    if (!this.status.online) {
      this.status = { online: true, sinceMs: this.#options.clock(), fault: null }
      this.onEvent({ type: 'status' })
    }
    // From now on its silence is noticed sooner.
    this.#alive()
    this.onEvent({ type: 'hello' })
    this.#resolveWaiting()
  }

  #lost(): void {
    this.#hangUp()
    const fault = this.#fault ?? closedFault(this.at(), this.#access)
    this.#isWithKey = false
    const wasOnline = this.status.online
    const isNews = wasOnline || this.status.fault?.sentence !== fault.sentence
    const sinceMs = wasOnline ? this.#options.clock() : this.status.sinceMs
    if (wasOnline) this.#retry.left()
    this.status = { online: false, sinceMs, fault }
    this.#calls.failAll(fault.sentence)
    if (isNews) this.onEvent({ type: 'status' })
    this.#resolveWaiting()
    if (!this.#isClosed && !this.#waitsForHost) this.#retry.wait()
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.status)
  }

  #hangUp(): void {
    this.#retry.stopWaiting()
    this.#stopKnocking()
    this.#silence?.stop()
    this.#silence = null
    const socket = this.#socket
    this.#socket = null
    this.#isGreeted = false
    if (socket === null) return
    socket.terminate()
  }
}
