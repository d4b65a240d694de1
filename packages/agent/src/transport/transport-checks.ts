/**
 * Decides when each local bus is measured: two seconds in thirty, a few at a time, and without gaps
 * while a browser shows it. Links that share a bus share its measurement.
 */
import type { TransportMinutes } from '@trunkline/contract/agent/program.messages'
import type {
  MeasuredTransport,
  TransportContent,
  TransportReport,
} from '@trunkline/contract/fleet/transport.schema'
import { isMulticast } from '@trunkline/contract/text.schema'
import type { Logger } from 'pino'
import { BusContents, type ContentPace } from '../content/bus-contents.ts'
import type { UdpAddress } from '../host/free-port.ts'
import type { ListenerAnswer } from './listener.messages.ts'
import { ListenerThread } from './listener-thread.ts'
import { TransportCounts, type AskedMinutes } from './transport-counts.ts'
import { transportReport, type MeasuredHow } from './transport-report.rules.ts'
import type { TransportWindow } from './transport-window.ts'

/** A running link, and where its stream is on this host. */
export interface MeasuredLink {
  programId: string
  /** The seat whose program it is. */
  owner: string
  leg: UdpAddress
}

/** Null: not measured any more. */
export interface LinkTransport {
  programId: string
  report: TransportReport | null
}

export interface ChecksOptions {
  log: Logger
  clock: () => number
  /** Those that run now. */
  links: () => readonly MeasuredLink[]
  onReports: (owner: string, transports: readonly LinkTransport[]) => void
  pace?: ChecksPace
}

export interface ChecksPace {
  windowMs: number
  /** From one sample of a bus to its next. */
  everyMs: number
  lookMs: number
  /** A link that was just started has no stream yet. */
  settleMs: number
  /** From one sample to the next of a bus whose picture or sound may not be well. */
  suspectMs: number
  /** What is counted together and reported once it is over. */
  countedMs: number
  content?: ContentPace
}
const PACE: ChecksPace = {
  windowMs: 2000,
  everyMs: 30_000,
  lookMs: 500,
  settleMs: 3000,
  suspectMs: 5000,
  countedMs: 60_000,
}

/** So many buses take turns in one place: 15 samples of 2 s fit into 30 s. */
const BUSES_PER_SAMPLE = 12
/** Beyond this samples come less often instead. */
const MAX_SAMPLES = 8
/** At once; each takes a few percent of a core. */
const MAX_FOLLOWED = 12
/** What is followed is counted over the last minute. */
const WINDOWS_KEPT = 30

interface Bus {
  readonly key: string
  readonly leg: UdpAddress
  links: MeasuredLink[]
  reading: 'no' | 'sampling' | 'following'
  dueAtMs: number
  sampledAtMs: number | null
  /** Between the last two samples. */
  everyMs: number
  windows: TransportWindow[]
  report: TransportReport | null
}

export class TransportChecks {
  readonly #options: ChecksOptions
  readonly #pace: ChecksPace
  readonly #thread: ListenerThread
  readonly #contents: BusContents
  readonly #counts: TransportCounts
  readonly #buses = new Map<string, Bus>()
  /** Until when each program is followed. */
  readonly #followed = new Map<string, number>()
  /** What was reported of each link, and to whom. */
  readonly #known = new Map<string, { owner: string; report: TransportReport }>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ChecksOptions) {
    this.#options = options
    this.#pace = options.pace ?? PACE
    this.#thread = new ListenerThread(options.log, (answer) => this.#answered(answer))
    this.#counts = new TransportCounts(this.#pace.countedMs)
    this.#contents = new BusContents({
      clock: options.clock,
      onContent: (key, content) => this.#noteContent(key, content),
      ...(this.#pace.content === undefined ? {} : { pace: this.#pace.content }),
    })
  }

  begin(): void {
    this.#timer = setInterval(() => this.look(), this.#pace.lookMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#thread[Symbol.asyncDispose]()
    await this.#contents[Symbol.asyncDispose]()
  }

  /** The last report of each link of this seat. */
  known(owner: string): LinkTransport[] {
    return [...this.#known].flatMap(([programId, known]) =>
      known.owner === owner ? [{ programId, report: known.report }] : [],
    )
  }

  /** What was counted of the links of this seat, in minutes that are over. */
  minutes(owner: string, asked: AskedMinutes): TransportMinutes {
    this.#counts.closeEnded(this.#options.clock())
    return this.#counts.read(owner, asked)
  }

  /** Measures their buses without gaps for so long. Answers for how many of them it does. */
  follow(owner: string, programIds: readonly string[], forMs: number): number {
    const untilMs = this.#options.clock() + forMs
    const own = new Set(
      this.#options.links().flatMap((link) => (link.owner === owner ? [link.programId] : [])),
    )
    const asked = programIds.filter((programId) => own.has(programId))
    for (const programId of asked) this.#followed.set(programId, untilMs)
    this.look()
    const followed = [...this.#buses.values()].filter(({ reading }) => reading === 'following')
    const ids = new Set(followed.flatMap(({ links }) => links.map(({ programId }) => programId)))
    return asked.filter((programId) => ids.has(programId)).length
  }

  /** Begins and ends what is due. */
  look(): void {
    const nowMs = this.#options.clock()
    this.#counts.closeEnded(nowMs)
    this.#takeLinks(this.#options.links(), nowMs)
    for (const [programId, untilMs] of this.#followed) {
      if (untilMs <= nowMs) this.#followed.delete(programId)
    }
    for (const bus of this.#buses.values()) {
      if (bus.reading === 'following' && !this.#isWanted(bus)) this.#end(bus, nowMs)
    }
    for (const bus of this.#buses.values()) this.#followIfWanted(bus, nowMs)
    this.#sampleThoseDue(nowMs)
  }

  #takeLinks(links: readonly MeasuredLink[], nowMs: number): void {
    const byKey = Map.groupBy(links, ({ leg }) => keyOf(leg))
    for (const key of this.#buses.keys()) {
      if (byKey.has(key)) continue
      this.#thread.stop(key)
      this.#contents.forget(key)
      this.#buses.delete(key)
    }
    for (const [key, own] of byKey) {
      const known = this.#buses.get(key)
      if (known === undefined) this.#buses.set(key, newBus(key, own, nowMs + this.#pace.settleMs))
      else this.#join(known, own)
    }
    this.#forgetOthers(new Set(links.map(({ programId }) => programId)))
    for (const bus of this.#buses.values()) {
      if (bus.report !== null || isReadable(bus)) continue
      this.#report(bus, { state: 'unread', reason: 'unicast', atMs: nowMs })
    }
  }

  /** A link that joins a measured bus has its report at once. */
  #join(bus: Bus, links: MeasuredLink[]): void {
    bus.links = links
    if (bus.report === null) return
    const added = links.filter(({ programId }) => !this.#known.has(programId))
    if (added.length > 0) this.#reportLinks(added, bus.report)
  }

  #forgetOthers(running: ReadonlySet<string>): void {
    for (const [programId, { owner }] of this.#known) {
      if (running.has(programId)) continue
      this.#known.delete(programId)
      this.#options.onReports(owner, [{ programId, report: null }])
    }
  }

  #isWanted({ links }: Bus): boolean {
    return links.some(({ programId }) => this.#followed.has(programId))
  }

  #followIfWanted(bus: Bus, nowMs: number): void {
    if (bus.reading === 'following' || !isReadable(bus) || !this.#isWanted(bus)) return
    if (hasFailed(bus) && nowMs < bus.dueAtMs) return
    if (this.#count('following') >= MAX_FOLLOWED) return
    bus.windows = []
    bus.reading = 'following'
    this.#listen(bus, true)
  }

  #sampleThoseDue(nowMs: number): void {
    const readable = [...this.#buses.values()].filter(isReadable)
    const places = Math.min(MAX_SAMPLES, Math.max(2, Math.ceil(readable.length / BUSES_PER_SAMPLE)))
    const due = readable
      .filter(({ reading, dueAtMs }) => reading === 'no' && dueAtMs <= nowMs)
      .sort((a, b) => a.dueAtMs - b.dueAtMs)
    for (const bus of due.slice(0, Math.max(0, places - this.#count('sampling')))) {
      bus.everyMs = Math.max(this.#pauseMs(bus), nowMs - (bus.sampledAtMs ?? nowMs))
      bus.sampledAtMs = nowMs
      bus.windows = []
      bus.reading = 'sampling'
      this.#listen(bus, this.#contents.isDue(bus.key, 'sampled'))
    }
  }

  #listen({ key, leg }: Bus, keepsPackets: boolean): void {
    this.#thread.listen(key, { leg, windowMs: this.#pace.windowMs, keepsPackets })
  }

  #pauseMs({ key }: Bus): number {
    return this.#contents.isSuspect(key) ? this.#pace.suspectMs : this.#pace.everyMs
  }

  #count(reading: Bus['reading']): number {
    return [...this.#buses.values()].filter((bus) => bus.reading === reading).length
  }

  #end(bus: Bus, nowMs: number): void {
    this.#thread.stop(bus.key)
    bus.reading = 'no'
    bus.dueAtMs = Math.max(nowMs, (bus.sampledAtMs ?? nowMs) + this.#pauseMs(bus))
  }

  #answered(answer: ListenerAnswer): void {
    const bus = this.#buses.get(answer.key)
    if (bus === undefined) return
    const nowMs = this.#options.clock()
    const mode = bus.reading === 'following' ? 'continuous' : 'sampled'
    if (answer.type === 'failed') {
      this.#options.log.warn({ ...bus.leg, reason: answer.reason }, 'a local bus cannot be read')
      this.#report(bus, { state: 'unread', reason: 'failed', atMs: nowMs })
      this.#end(bus, nowMs)
      return
    }
    if (!answer.isWhole) {
      // Datagrams that this host dropped would look like errors of the stream.
      bus.windows = []
      this.#report(bus, { state: 'unread', reason: 'overloaded', atMs: nowMs })
    } else {
      const window = inClock(answer.window, nowMs)
      bus.windows = [...bus.windows, window].slice(-WINDOWS_KEPT)
      const content = this.#contents.of(bus.key)
      const how: MeasuredHow = { mode, everyMs: mode === 'sampled' ? bus.everyMs : null, content }
      const report = transportReport(bus.windows, how)
      this.#counts.add(bus.links, window, how)
      this.#report(bus, report)
      this.#lookInto(bus, report, answer)
    }
    if (mode === 'continuous') return
    this.#end(bus, nowMs)
    this.#sampleThoseDue(nowMs)
  }

  #lookInto(
    { key }: Bus,
    { mode, pids }: MeasuredTransport,
    { packets: bytes, window }: Extract<ListenerAnswer, { type: 'window' }>,
  ): void {
    if (bytes === null || bytes.length === 0 || !this.#contents.isDue(key, mode)) return
    const has = (kind: 'video' | 'audio') =>
      pids.some((pid) => pid.kind === kind && pid.packets > 0 && pid.scrambledPackets === 0)
    const tracks = { hasPicture: has('video'), hasSound: has('audio') }
    this.#contents.look(key, mode, { bytes, tracks, durationMs: window.endMs - window.startMs })
  }

  /** One that may not be well is sampled again soon. */
  #noteContent(key: string, content: TransportContent): void {
    const bus = this.#buses.get(key)
    if (bus?.report?.state !== 'measured') return
    this.#report(bus, { ...bus.report, content })
    if (bus.reading !== 'no') return
    const dueAtMs = (bus.sampledAtMs ?? 0) + this.#pauseMs(bus)
    bus.dueAtMs = Math.min(bus.dueAtMs, dueAtMs)
  }

  #report(bus: Bus, report: TransportReport): void {
    bus.report = report
    this.#reportLinks(bus.links, report)
  }

  #reportLinks(links: readonly MeasuredLink[], report: TransportReport): void {
    for (const { programId, owner } of links) this.#known.set(programId, { owner, report })
    for (const [owner, own] of Map.groupBy(links, (link) => link.owner)) {
      this.#options.onReports(
        owner,
        own.map(({ programId }) => ({ programId, report })),
      )
    }
  }
}

function newBus(key: string, links: MeasuredLink[], dueAtMs: number): Bus {
  const [first] = links
  if (first === undefined) throw new Error('A bus without a link.')
  const { leg } = first
  const nothing = { sampledAtMs: null, everyMs: 0, windows: [], report: null }
  return { key, leg, links, reading: 'no', dueAtMs, ...nothing }
}

/** A unicast address has one reader: a second one would take the stream from it. */
function isReadable({ leg }: Bus): boolean {
  return isMulticast(leg.ip)
}

function hasFailed({ report }: Bus): boolean {
  return report?.state === 'unread' && report.reason === 'failed'
}

function keyOf({ ip, port }: UdpAddress): string {
  return `${ip}:${port}`
}

/** The window ends now, whatever clock it was measured by. */
function inClock(window: TransportWindow, nowMs: number): TransportWindow {
  return { ...window, startMs: nowMs - (window.endMs - window.startMs), endMs: nowMs }
}
