/**
 * A seat that was enrolled to dial out connects to its console, and again whenever the connection ends:
 * for hosts that cannot be dialled, such as those behind NAT (docs/adr/0067). What is spoken is the same.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import {
  CLOSE_REPLACED,
  LINK_PATH,
  LINK_REFUSAL_HEADER,
  OTHER_PROCESS,
} from '@trunkline/contract/agent/host-link.messages'
import { WebSocket } from 'ws'
import type { Context } from '../context.ts'
import type { SeatIdentity } from '../identity/seat-identity.ts'
import { connectToConsole } from './console-connection.ts'
import {
  dialFault,
  dialOptions,
  isToComeLater,
  placesOf,
  sentenceIn,
  type DialPlace,
} from './console-dial.ts'
import { DialPause, type Ending } from './dial-pause.ts'
import { serveLink } from './link.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024

export interface DialOutOptions {
  ctx: Context
  seat: Seat
  /** Of the programs of the seat. */
  owner: string
  identity: SeatIdentity
}

interface Attempt {
  ending: Ending
  /** How many addresses the console has. */
  places: number
  /** How long the link lasted; 0 where there was none. */
  linkedMs: number
}

const NOT_DIALLED: Attempt = { ending: 'lost', places: 1, linkedMs: 0 }

export class DialOut implements Disposable {
  readonly #options: DialOutOptions
  readonly #stopListening: () => void
  #socket: WebSocket | null = null
  #timer: NodeJS.Timeout | undefined
  /** Where the next dial goes, of those that its names have. */
  #next = 0
  #lastDialTo: readonly string[] = []
  readonly #pause = new DialPause()
  /** How many in a row have said that another API process has this host. */
  #passedOn = 0
  /** Also while its link lasts. */
  #isDialling = false
  /** What the seat is enrolled with has changed since that dial began. */
  #isOutdated = false
  #isClosed = false
  /** So that a console that stays away is one line, not one each dial. */
  #lastFault = ''

  /** Dials from the moment on at which the seat is enrolled so. */
  constructor(options: DialOutOptions) {
    this.#options = options
    this.#stopListening = options.identity.listen((change) => {
      // A renewed certificate is for the next link.
      const isLinked = this.#socket?.readyState === WebSocket.OPEN
      if (change === 'replaced' || !isLinked) this.#again()
    })
    this.#again()
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#stopListening()
    clearTimeout(this.#timer)
    this.#socket?.terminate()
  }

  /** At once, with what the seat is enrolled with now. */
  #again(): void {
    this.#isOutdated = this.#isDialling
    if (this.#isDialling) this.#socket?.terminate()
    else this.#begin()
  }

  #begin(): void {
    this.#isOutdated = false
    this.#pause.reset()
    this.#passedOn = 0
    this.#next = 0
    this.#wait(0)
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#dial(), ms)
  }

  async #dial(): Promise<void> {
    const { identity } = this.#options
    if (identity.dialTo === null || this.#isDialling) return
    this.#isDialling = true
    if (!isDeepStrictEqual(identity.dialTo, this.#lastDialTo)) this.#next = 0
    this.#lastDialTo = identity.dialTo
    const { ending, places, linkedMs } = await this.#attempt(identity.dialTo)
    this.#isDialling = false
    if (this.#isOutdated) {
      this.#begin()
      return
    }
    this.#passedOn = ending === 'other process' ? this.#passedOn + 1 : 0
    const isAskedNow = this.#passedOn > 0 && this.#passedOn % places !== 0
    this.#wait(isAskedNow ? 0 : this.#pause.after(ending, linkedMs))
  }

  async #attempt(dialTo: readonly string[]): Promise<Attempt> {
    const { ctx } = this.#options
    try {
      const places = await placesOf(dialTo)
      const index = this.#next % places.length
      const place = places[index]
      if (place === undefined) return NOT_DIALLED
      // The hello lists the sources: a camera may have been plugged in since the last one.
      await ctx.host.sourceLook.look()
      const { ending, openedAtMs } = await this.#link(place)
      this.#next = openedAtMs === null ? index + 1 : index
      const linkedMs = openedAtMs === null ? 0 : performance.now() - openedAtMs
      return { ending, places: places.length, linkedMs }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#note(`The name of the console cannot be resolved (${reason}).`)
      return NOT_DIALLED
    }
  }

  /** Resolves when the link, or the attempt at it, has ended. */
  async #link(place: DialPlace): Promise<{ ending: Ending; openedAtMs: number | null }> {
    const { ctx, seat, owner, identity } = this.#options
    const { tlsOptions } = identity
    if (tlsOptions === null || this.#isClosed) return { ending: 'lost', openedAtMs: null }
    const connection = connectToConsole(dialOptions(place, tlsOptions))
    const options = {
      createConnection: () => connection.socket,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    }
    const url = `wss://${urlHost(place)}:${place.port}${LINK_PATH}`
    const socket = new WebSocket(url, options)
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<Ending>()
    let openedAtMs: number | null = null
    socket.on('open', () => {
      openedAtMs = performance.now()
      connection.stopWatching()
      this.#lastFault = ''
      ctx.log.info({ seat: owner, ...place }, 'connected to the console')
      serveLink(ctx, seat, owner, socket)
    })
    socket.on('unexpected-response', (request, response) => {
      const isOther = response.headers[LINK_REFUSAL_HEADER] === OTHER_PROCESS
      void sentenceIn(response).then((sentence) => {
        request.destroy()
        if (!isOther) this.#note(sentence)
        resolve(isOther ? 'other process' : 'refused')
      })
    })
    socket.on('error', (error) => {
      this.#note(dialFault(place, error))
      resolve(isToComeLater(error) ? 'refused' : 'lost')
    })
    socket.on('close', (code) => {
      if (code === CLOSE_REPLACED) this.#note(REPLACED)
      resolve(code === CLOSE_REPLACED ? 'replaced' : 'lost')
    })
    const ending = await promise
    this.#socket = null
    return { ending, openedAtMs }
  }

  #note(sentence: string): void {
    if (sentence === this.#lastFault || this.#isClosed) return
    this.#lastFault = sentence
    this.#options.ctx.log.warn({ seat: this.#options.owner }, sentence)
  }
}

const REPLACED =
  'The console has taken a newer connection of this seat and closed this one. If no connection was left over, another host has a copy of its identity file: revoke the certificate in the console, and enrol this host again.'

function urlHost({ host }: DialPlace): string {
  return host.includes(':') ? `[${host}]` : host
}
