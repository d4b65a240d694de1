/**
 * What one host was asked and has not answered yet. Each call waits for so long and is over then: a
 * host that asks whether the call is still valid gets no, so that nothing is done after its caller
 * got a failure.
 */
import {
  CHANGING_CALLS,
  type HostCallName,
  type HostConfirmation,
  type HostRequest,
} from '@trunkline/contract/agent/host-link.messages'
import { currentRequestId } from '../request-id.ts'
import { hostAway, hostTimeout } from '../errors.ts'

export interface OpenCall {
  readonly name: HostCallName
  resolve(answer: unknown): void
  reject(error: Error): void
}

interface WaitingCall extends OpenCall {
  readonly deadlineMs: number
  readonly timer: NodeJS.Timeout
  /** The host has a confirmation to carry it out. */
  isConfirmed: boolean
}

/** Where a stuck host stops being asked more. */
const MAX_OPEN_CALLS = 1000

export class HostCalls {
  readonly #at: string
  /** null before the first call, for most hosts of a large site are asked nothing. */
  #waiting: Map<number, WaitingCall> | null = null
  #nextId = 1
  /** As the host's hello says: an older agent carries out whatever it reads. */
  confirmsCalls = false

  /** `at`: the host, as messages name it. */
  constructor(at: string) {
    this.#at = at
  }

  /** Resolves with what the host answers, not parsed. Throws HostTimeout after `limitMs`. */
  async ask(
    name: HostCallName,
    params: unknown,
    limitMs: number,
    send: (request: HostRequest) => void,
  ): Promise<unknown> {
    const waiting = (this.#waiting ??= new Map())
    if (waiting.size >= MAX_OPEN_CALLS) {
      throw hostTimeout(`The host ${this.#at} has too many requests open. Try again in a moment.`)
    }
    return new Promise<unknown>((resolve, reject) => {
      const id = this.#nextId++
      // After what has come while this process was held up is read.
      const timer = setTimeout(() => setImmediate(() => this.#expire(id, limitMs)), limitMs)
      const deadlineMs = performance.now() + limitMs
      waiting.set(id, { name, resolve, reject, timer, deadlineMs, isConfirmed: false })
      const requestId = currentRequestId()
      const confirm = CHANGING_CALLS.has(name)
      send({ id, call: name, params, confirm, ...(requestId && { requestId }) })
    })
  }

  /** Undefined for an answer that comes late: its caller has been answered already. */
  take(id: number): OpenCall | undefined {
    const call = this.#waiting?.get(id)
    if (call === undefined) return undefined
    this.#waiting?.delete(id)
    clearTimeout(call.timer)
    return call
  }

  confirm(id: number): HostConfirmation {
    const call = this.#waiting?.get(id)
    if (call === undefined) return { confirmed: id, remainingMs: 0 }
    call.isConfirmed = true
    return { confirmed: id, remainingMs: Math.max(0, call.deadlineMs - performance.now()) }
  }

  /** The link is lost, for the reason that `why` says. */
  failAll(why: string): void {
    for (const [id, call] of this.#waiting ?? []) {
      this.take(id)
      call.reject(hostAway(why, this.#outcomeOf(call)))
    }
  }

  #expire(id: number, limitMs: number): void {
    const call = this.#waiting?.get(id)
    this.#waiting?.delete(id)
    const silence = `The host ${this.#at} did not answer within ${limitMs / 1000} s.`
    call?.reject(hostTimeout(silence + this.#outcomeOf(call)))
  }

  /** What became of a call without an answer; '' of a call that changes nothing. */
  #outcomeOf({ name, isConfirmed }: WaitingCall): string {
    if (!CHANGING_CALLS.has(name)) return ''
    return isConfirmed || !this.confirmsCalls ? MAY_BE_DONE : NOT_DONE
  }
}

/** After a sentence that says why. */
export const NOT_DONE = ' The command was not carried out, and will not be.'
const MAY_BE_DONE = ' It may have carried out the command: check its state before you try again.'
