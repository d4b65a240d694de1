/**
 * Stores what hosts count in the transport streams of their links. A host that has something new is
 * asked once a minute for the minutes that are over. It keeps them for an hour, and answers from the
 * number on that is stored here: what is counted is neither lost nor stored twice when this process,
 * the link or the database goes away in between.
 */
import type { TransportMinutes } from '@trunkline/contract/agent/program.messages'
import { TRANSPORT_STEPS } from '@trunkline/contract/contributions/transport-history.calls'
import type { Context } from '../../context.ts'
import { removeOldest } from '../history/steps.store.ts'
import { addressText, type HostAddress } from '../../hosts/host-address.ts'
import type { HostsEvent } from '../../hosts/hosts-event.ts'
import { giveWay } from '../../in-slices.ts'
import { HOUR_S, MINUTE_S, samplesOf, summedSamples } from './transport-history.rules.ts'
import * as transportStore from './transport-history.store.ts'
import { noteStored } from './transport-totals.ts'

/** Hosts that are due are looked for. */
const LOOK_MS = 5000
const ASK_EVERY_MS = 60_000
/** At once: a host that is slow must not hold up the others. */
const ASKED_AT_ONCE = 8
/** A host that has nothing new may have a minute under way. */
const NEWS_LIFE_MS = 150_000
/** Of one host in a turn: an hour of its minutes. */
const PARTS_AT_MOST = 20

/** Two hours more than the longest span that is asked of each. */
const MINUTES_KEPT_S = TRANSPORT_STEPS['24h'].lengthMs / 1000 + 2 * 3600
const HOURS_KEPT_S = TRANSPORT_STEPS['7d'].lengthMs / 1000 + 2 * 3600
const CURSORS_KEPT_S = 2 * 86_400

export type TransportRecorderContext = Pick<Context, 'db' | 'log' | 'clock' | 'hosts' | 'programs'>

interface HeardHost {
  address: HostAddress
  newsAtMs: number
  dueAtMs: number
  /** Null: not known here, or another process has stored more. */
  stored: { run: string; upTo: number } | null
}

/** Works until it is disposed. Dispose it before the context. */
export function openTransportHistory(ctx: TransportRecorderContext): AsyncDisposable {
  const recorder = new TransportRecorder(ctx)
  const stopHearing = ctx.hosts.listen((event) => recorder.hear(event))
  let timer: NodeJS.Timeout
  let working = Promise.resolve()
  const begin = () => {
    working = recorder.work().then(() => {
      if (!recorder.isEnded) timer = setTimeout(begin, LOOK_MS).unref()
    })
  }
  timer = setTimeout(begin, LOOK_MS).unref()
  return {
    async [Symbol.asyncDispose]() {
      stopHearing()
      recorder.end()
      clearTimeout(timer)
      await working
    },
  }
}

/** The work without the timer. */
export class TransportRecorder {
  readonly #ctx: TransportRecorderContext
  readonly #heard = new Map<string, HeardHost>()
  #isEnded = false
  #thinnedToS = 0

  constructor(ctx: TransportRecorderContext) {
    this.#ctx = ctx
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  end(): void {
    this.#isEnded = true
  }

  hear(event: HostsEvent): void {
    if (event.type === 'host') {
      if (this.#ctx.hosts.status(event.address)?.online === true) this.#note(event.address)
    }
    if (event.type !== 'transports') return
    for (const programId of event.programIds) {
      const wanted = this.#ctx.programs.wanted(programId)
      if (wanted !== undefined) this.#note(wanted.address)
    }
  }

  /** Hosts that are heard at once are asked one after the other within the next minute. */
  #note(address: HostAddress): void {
    // Of several processes the one with the link stores it.
    if (!this.#ctx.hosts.isOwn(address)) return
    const nowMs = this.#ctx.clock()
    const at = addressText(address)
    const known = this.#heard.get(at)
    if (known !== undefined) known.newsAtMs = nowMs
    else {
      const dueAtMs = nowMs + Math.random() * ASK_EVERY_MS
      this.#heard.set(at, { address, newsAtMs: nowMs, dueAtMs, stored: null })
    }
  }

  /** Asks those that are due. Never throws: who could not be asked is asked again. */
  async work(): Promise<void> {
    const nowMs = this.#ctx.clock()
    const due = [...this.#heard.values()].filter(({ dueAtMs }) => dueAtMs <= nowMs)
    const next = async () => {
      for (let host = due.pop(); host !== undefined && !this.#isEnded; host = due.pop()) {
        await this.#ask(host)
      }
    }
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, next))
    try {
      await this.#thin(nowMs)
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'The history of transport streams is not thinned out.')
    }
  }

  async #ask(host: HeardHost): Promise<void> {
    const { hosts, clock, log } = this.#ctx
    const nowMs = clock()
    const at = addressText(host.address)
    host.dueAtMs = nowMs + ASK_EVERY_MS
    // Older agents do not count.
    const isAsked =
      hosts.isOwn(host.address) && hosts.capabilities(host.address)?.countsTransports === true
    if (!isAsked || nowMs - host.newsAtMs > NEWS_LIFE_MS) this.#heard.delete(at)
    // What a host that is away has counted is read when it is back.
    const isOnline = () => hosts.status(host.address)?.online === true
    if (!isAsked || !isOnline()) return
    try {
      await this.#readAll(host)
    } catch (error) {
      host.stored = null
      // Thousands of hosts may go away together: each of them says so already.
      if (!isOnline()) return
      log.warn({ err: error, host: at }, 'The counts of transport streams could not be stored.')
    }
  }

  async #readAll(host: HeardHost): Promise<void> {
    const { hosts, db } = this.#ctx
    for (let part = 0; part < PARTS_AT_MOST && !this.#isEnded; part++) {
      const asked = { run: host.stored?.run ?? null, after: host.stored?.upTo ?? 0 }
      const answer = await hosts.call(host.address, 'readTransportMinutes', asked)
      const { run, upTo, hasMore } = answer
      if (run !== asked.run) {
        host.stored = { run, upTo: await transportStore.storedUpTo(db, run) }
        continue
      }
      const isNothing = answer.minutes.length === 0 && !hasMore
      if (isNothing || upTo <= asked.after) return
      const isStored = await this.#store(host, asked.after, answer)
      host.stored = isStored ? { run, upTo } : null
      if (!hasMore) return
      await giveWay()
    }
  }

  async #store(
    { address }: HeardHost,
    from: number,
    { run, upTo: to, minutes }: TransportMinutes,
  ): Promise<boolean> {
    const { db, clock, hosts, programs } = this.#ctx
    const nowMs = clock()
    const at = addressText(address)
    const offsetMs = hosts.link(address)?.clockOffsetMs ?? 0
    const own = minutes.filter(({ programId }) => {
      const wanted = programs.wanted(programId)
      return wanted !== undefined && addressText(wanted.address) === at
    })
    const samples = summedSamples(own.flatMap((minute) => samplesOf(minute, offsetMs, nowMs)))
    const isStored = await db.transaction().execute(async (trx) => {
      const nowS = Math.floor(nowMs / 1000)
      if (!(await transportStore.advance(trx, { run, from, to, nowS }))) return false
      await transportStore.add(trx, samples)
      return true
    })
    if (isStored) noteStored(hosts, own)
    return isStored
  }

  /** Once a minute, a step at a time so that nobody waits for it. */
  async #thin(nowMs: number): Promise<void> {
    const nowS = Math.floor(nowMs / 1000)
    if (nowS - this.#thinnedToS < MINUTE_S) return
    this.#thinnedToS = nowS
    const { db } = this.#ctx
    for (const [stepS, beforeS] of [
      [MINUTE_S, nowS - MINUTES_KEPT_S],
      [HOUR_S, nowS - HOURS_KEPT_S],
    ] as const) {
      while (!this.#isEnded && (await removeOldest(db, 'transport_samples', stepS, beforeS))) {
        await giveWay()
      }
    }
    await transportStore.removeOldCursors(db, nowS - CURSORS_KEPT_S)
  }
}
