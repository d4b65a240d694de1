/**
 * Adds up what each window found of a link's transport stream, minute by minute, and keeps minutes
 * that are over until the API reads them. They are numbered: an API that was away, or has lost an
 * answer, asks again from the last number that it has stored, so that nothing is lost or counted twice.
 */
import { randomUUID } from 'node:crypto'
import {
  TRANSPORT_MINUTES_AT_ONCE,
  type TransportMinutes,
} from '@trunkline/contract/agent/program.messages'
import { isNotice, transportFaults } from '@trunkline/contract/fleet/transport.rules'
import type { TransportContent } from '@trunkline/contract/fleet/transport.schema'
import {
  FAULTS_OF_SPAN,
  SPANS_OF_MINUTE,
  withSpan,
} from '@trunkline/contract/fleet/transport-history.rules'
import type {
  ErrorSpan,
  HistoryFault,
  TransportFigures,
  TransportMinute,
} from '@trunkline/contract/fleet/transport-history.schema'
import type { MeasuredLink } from './transport-checks.ts'
import { transportReport, type MeasuredHow } from './transport-report.rules.ts'
import type { TransportWindow } from './transport-window.ts'

export interface AskedMinutes {
  run: string | null
  after: number
}

/** An API that is away for longer has a gap. */
const KEPT_MS = 3_600_000
/** Of all links together: some 400 bytes each. With more than 160 links it is less than an hour. */
const MINUTES_KEPT = 10_000
/** What a decoder said longer ago is not said of this window. */
const CONTENT_LIFE_MS = 90_000

interface KeptMinute {
  number: number
  owner: string
  minute: TransportMinute
  /** By a clock that is never set. */
  closedAtMs: number
}

interface OpenMinute {
  owner: string
  minute: TransportMinute
}

export class TransportCounts {
  /** Numbers begin anew with each start of the agent. */
  readonly #run = randomUUID()
  readonly #lengthMs: number
  /** By program. */
  readonly #open = new Map<string, OpenMinute>()
  #closed: KeptMinute[] = []
  #last = 0
  #openAtMs = 0

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  /** A window counts in the minute in which it ends. */
  add(links: readonly MeasuredLink[], window: TransportWindow, how: MeasuredHow): void {
    this.closeEnded(window.endMs)
    const figures = figuresOf(window, how)
    const span = errorSpanOf(window, how)
    for (const { programId, owner } of links) {
      const known = this.#open.get(programId)?.minute
      const minute: TransportMinute = {
        ...(known === undefined ? figures : addedFigures(known, figures)),
        programId,
        atMs: this.#openAtMs,
        errors: errorsWith(known?.errors ?? [], span),
      }
      this.#open.set(programId, { owner, minute })
    }
  }

  /** Minutes that are over by then are not changed any more. */
  closeEnded(nowMs: number): void {
    const atMs = Math.floor(nowMs / this.#lengthMs) * this.#lengthMs
    if (atMs === this.#openAtMs) return
    this.#openAtMs = atMs
    const closedAtMs = performance.now()
    for (const { owner, minute } of this.#open.values()) {
      this.#last += 1
      this.#closed.push({ number: this.#last, owner, minute, closedAtMs })
    }
    this.#open.clear()
    this.#closed = this.#closed
      .slice(-MINUTES_KEPT)
      .filter((kept) => closedAtMs - kept.closedAtMs <= KEPT_MS)
  }

  /** The next ones of this seat. */
  read(owner: string, { run, after }: AskedMinutes): TransportMinutes {
    const ownRun = `${owner}.${this.#run}`
    if (run !== ownRun) return { run: ownRun, upTo: 0, hasMore: true, minutes: [] }
    const own = this.#closed.filter((kept) => kept.owner === owner && kept.number > after)
    const some = own.slice(0, TRANSPORT_MINUTES_AT_ONCE)
    const hasMore = some.length < own.length
    return {
      run: ownRun,
      upTo: hasMore ? (some.at(-1)?.number ?? after) : this.#last,
      hasMore,
      minutes: some.map(({ minute }) => minute),
    }
  }
}

function errorsWith(errors: readonly ErrorSpan[], span: ErrorSpan | null): ErrorSpan[] {
  return span === null ? [...errors] : withSpan(errors, span, SPANS_OF_MINUTE)
}

function figuresOf(window: TransportWindow, { mode }: MeasuredHow): TransportFigures {
  const { startMs, endMs, syncLosses, transportErrors, crcErrors, pat, programs, pids } = window
  const lookedMs = Math.round(endMs - startMs)
  const pcrs = window.pcrs.filter(({ count }) => count > 0)
  const pmts = programs.filter(({ sections }) => sections > 0)
  return {
    lookedMs,
    followedMs: mode === 'continuous' ? lookedMs : 0,
    continuityErrors: pids.reduce((all, { continuityErrors }) => all + continuityErrors, 0),
    syncLosses,
    transportErrors,
    crcErrors,
    scrambledPackets: pids.reduce((all, { scrambledPackets }) => all + scrambledPackets, 0),
    patGapMs: worst(pat.sections > 0 ? [pat.longestGapMs] : []),
    pmtGapMs: worst(pmts.map(({ longestGapMs }) => longestGapMs)),
    pcrIntervalMs: worst(pcrs.map(({ longestIntervalMs }) => longestIntervalMs)),
    pcrJitterMs: worst(pcrs.map(({ jitterMs }) => jitterMs)),
  }
}

function addedFigures(a: TransportFigures, b: TransportFigures): TransportFigures {
  return {
    lookedMs: a.lookedMs + b.lookedMs,
    followedMs: a.followedMs + b.followedMs,
    continuityErrors: a.continuityErrors + b.continuityErrors,
    syncLosses: a.syncLosses + b.syncLosses,
    transportErrors: a.transportErrors + b.transportErrors,
    crcErrors: a.crcErrors + b.crcErrors,
    scrambledPackets: a.scrambledPackets + b.scrambledPackets,
    patGapMs: worst([a.patGapMs, b.patGapMs]),
    pmtGapMs: worst([a.pmtGapMs, b.pmtGapMs]),
    pcrIntervalMs: worst([a.pcrIntervalMs, b.pcrIntervalMs]),
    pcrJitterMs: worst([a.pcrJitterMs, b.pcrJitterMs]),
  }
}

/** To a tenth of a millisecond. */
function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.round(Math.max(...known) * 10) / 10
}

/** Null: nothing was wrong in this window. What a receiver plays all the same is no error. */
function errorSpanOf(window: TransportWindow, how: MeasuredHow): ErrorSpan | null {
  const faults: HistoryFault[] = [
    ...transportFaults(transportReport([window], how)).filter((fault) => !isNotice(fault)),
    ...contentFaults(how.content ?? null, window.endMs),
  ]
  if (faults.length === 0) return null
  const [fromMs, toMs] = [Math.round(window.startMs), Math.round(window.endMs)]
  const { everyMs } = how
  const worstOnes = faults.slice(0, FAULTS_OF_SPAN)
  return { fromMs, toMs, lookedMs: toMs - fromMs, everyMs, faults: worstOnes }
}

function contentFaults(content: TransportContent | null, nowMs: number): HistoryFault[] {
  if (content === null || nowMs - content.atMs > CONTENT_LIFE_MS) return []
  const { picture, sound } = content
  const kinds: HistoryFault['kind'][] = []
  if (picture !== null && picture.kind !== 'moving') kinds.push(picture.kind)
  if (sound?.kind === 'silent') kinds.push('silent-audio')
  return kinds.map((kind) => ({ kind, pid: null, count: null, longestMs: null }))
}
