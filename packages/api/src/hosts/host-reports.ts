/** What one host last said about its programs, in the API's clock. Kept while the host is away. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { MediaFinding, Observed } from '@trunkline/contract/fleet/observed.schema'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'
import type { TransportContent, TransportReport } from '@trunkline/contract/fleet/transport.schema'

export interface KnownReport extends ProgramReport {
  /** When the host last confirmed it, API clock. */
  readAtMs: number
}

export interface HostReading {
  programId: string
  reading: Reading
}

/** Null: its transport stream is not measured any more. */
export interface HostTransport {
  programId: string
  report: TransportReport | null
}

/** Whose readings and whose transport streams are new. */
export interface NewReadings {
  programIds: string[]
  transportIds: string[]
}

/** An honest host runs some hundreds of programs; a broken one must not fill our memory. */
const MAX_PROGRAMS = 5000
export const MAX_CAUSE_CHARACTERS = 500
/** As many as a revision has that we give. */
const MAX_REVISION_CHARACTERS = 64
/** The end of the year 9999: beyond what a Date holds, a browser could show no time at all. */
const LATEST_MS = 253_402_300_799_999
/** Below this the difference is network delay, not a clock that was set. */
const CLOCK_STEP_MS = 2000
/** As often as the clock of a host may be set, and what it has reported before still be known again. */
const MOST_EARLIER_OFFSETS = 8

export class HostReports {
  #reports = new Map<string, KnownReport>()
  /** Of programs that are known; null before the first: most hosts of a large site have none. */
  #transports: Map<string, TransportReport> | null = null
  /** Programs of which something is found, so that a change of a threshold looks at no others; null as above. */
  #withFindings: Set<string> | null = null
  readonly #monotonicMs: () => number
  /** How far our clock was ahead of one that nobody sets, at the last message. */
  #aheadMs: number | null = null
  #shiftedMs = 0
  /** API clock minus host clock. */
  offsetMs = 0
  /** What that was before the clock of the host was set, the newest first: an agent keeps the times that it noted then. */
  #earlierOffsetsMs: readonly number[] = []
  /** When any report was last confirmed, API clock; null before the first hello. */
  confirmedAtMs: number | null = null

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs
  }

  get(programId: string): KnownReport | undefined {
    return this.#reports.get(programId)
  }

  all(): readonly KnownReport[] {
    return [...this.#reports.values()]
  }

  *withFindings(): Generator<{ programId: string; findings: readonly MediaFinding[] }> {
    for (const programId of this.#withFindings ?? []) {
      yield { programId, findings: this.#reports.get(programId)?.observed?.findings ?? [] }
    }
  }

  /** Always a time that a Date holds, whatever the host says. */
  toApiClock(hostMs: number): number {
    return Math.min(LATEST_MS, Math.max(0, Math.round(hostMs + this.offsetMs)))
  }

  /** What was measured last of its transport stream; null when nothing is. */
  transport(programId: string): TransportReport | null {
    return this.#transports?.get(programId) ?? null
  }

  /** Of all programs whose transport stream is measured. */
  transports(): HostTransport[] {
    return [...(this.#transports ?? [])].map(([programId, report]) => ({ programId, report }))
  }

  /** Everything the host runs; programs it does not name are gone. What it measured is said anew. */
  replace(programs: readonly ProgramReport[], offsetMs: number, nowMs: number): void {
    this.#keepOffset(offsetMs)
    this.offsetMs = offsetMs
    this.#aheadMs = nowMs - this.#monotonicMs()
    this.confirmedAtMs = nowMs
    const kept = programs
      .slice(0, MAX_PROGRAMS)
      .map((report) => this.#known(report, nowMs, this.#timesHeldOf(report.programId)))
    this.clear()
    for (const report of kept) this.#set(report)
  }

  /** As this or another process of ours has known it: `toApiClock` brings its times to our clock. */
  putKnown(report: KnownReport): void {
    const readAtMs = this.toApiClock(report.readAtMs)
    this.#set(this.#known(report, readAtMs))
  }

  /** What a link before this one has known, by the same clock. */
  copyFrom(before: HostReports): void {
    this.#reports = new Map(before.#reports)
    this.#withFindings = before.#withFindings && new Set(before.#withFindings)
    this.#transports = before.#transports && new Map(before.#transports)
    this.offsetMs = before.offsetMs
    this.#earlierOffsetsMs = before.#earlierOffsetsMs
    this.confirmedAtMs = before.confirmedAtMs
  }

  clear(): void {
    this.#reports = new Map()
    this.#withFindings = null
    this.#transports = null
  }

  /** null when there are too many to keep another. */
  put(report: ProgramReport, offsetMs: number, nowMs: number): KnownReport | null {
    this.#followClock(offsetMs, nowMs)
    if (!this.#reports.has(report.programId) && this.#reports.size >= MAX_PROGRAMS) return null
    const known = this.#known(report, nowMs, this.#timesHeldOf(report.programId))
    this.#set(known)
    this.confirmedAtMs = nowMs
    return known
  }

  remove(programId: string): void {
    this.#reports.delete(programId)
    this.#withFindings?.delete(programId)
    this.#transports?.delete(programId)
  }

  #set(report: KnownReport): void {
    const { programId, observed } = report
    this.#reports.set(programId, report)
    if ((observed?.findings?.length ?? 0) === 0) this.#withFindings?.delete(programId)
    else (this.#withFindings ??= new Set()).add(programId)
  }

  /** Answers what was taken; readings of unknown programs are dropped. */
  read(
    readings: readonly HostReading[],
    offsetMs: number,
    nowMs: number,
    transports: readonly HostTransport[] = [],
  ): NewReadings {
    this.#followClock(offsetMs, nowMs)
    this.confirmedAtMs = nowMs
    const taken: string[] = []
    for (const { programId, reading } of readings) {
      const report = this.#reports.get(programId)
      if (report === undefined) continue
      this.#reports.set(programId, {
        ...report,
        readAtMs: nowMs,
        reading: this.#inApiClock(reading),
      })
      taken.push(programId)
    }
    return { programIds: taken, transportIds: this.putTransports(transports) }
  }

  /** Answers of which programs something was taken; unknown ones are dropped. */
  putTransports(transports: readonly HostTransport[]): string[] {
    const known = transports.filter(({ programId }) => this.#reports.has(programId))
    for (const { programId, report } of known) {
      if (report === null) this.#transports?.delete(programId)
      else (this.#transports ??= new Map()).set(programId, this.#transportInApiClock(report))
    }
    return known.map(({ programId }) => programId)
  }

  #contentInApiClock(content: TransportContent): TransportContent {
    const since = <T extends { sinceMs: number }>(seen: T) => ({
      ...seen,
      sinceMs: this.toApiClock(seen.sinceMs),
    })
    const { atMs, picture, sound } = content
    return {
      ...content,
      atMs: this.toApiClock(atMs),
      picture: picture && since(picture),
      sound: sound && since(sound),
    }
  }

  #transportInApiClock(report: TransportReport): TransportReport {
    if (report.state === 'unread') return { ...report, atMs: this.toApiClock(report.atMs) }
    const { fromMs, toMs, content } = report
    const span = { fromMs: this.toApiClock(fromMs), toMs: this.toApiClock(toMs) }
    return { ...report, ...span, content: content && this.#contentInApiClock(content) }
  }

  /** By how much the times of all programs were moved since this was asked last; mostly 0. */
  takeShiftMs(): number {
    const shiftedMs = this.#shiftedMs
    this.#shiftedMs = 0
    return shiftedMs
  }

  /**
   * When it is our own clock that was set, what is known moves with it: an uptime stays what it is. A
   * clock of the host that was set changes nothing about times that were converted before.
   */
  #followClock(offsetMs: number, nowMs: number): void {
    const aheadMs = nowMs - this.#monotonicMs()
    const ownStepMs = this.#aheadMs === null ? 0 : aheadMs - this.#aheadMs
    this.#aheadMs = aheadMs
    const stepMs = offsetMs - this.offsetMs
    if (Math.abs(stepMs) <= CLOCK_STEP_MS) return
    if (Math.abs(stepMs - ownStepMs) <= CLOCK_STEP_MS) this.#shift(stepMs)
    else this.#keepOffset(offsetMs)
    this.offsetMs = offsetMs
  }

  /** Called before the offset becomes that one. */
  #keepOffset(nextMs: number): void {
    if (this.#reports.size === 0 || Math.abs(nextMs - this.offsetMs) <= CLOCK_STEP_MS) return
    const all = [this.offsetMs, ...this.#earlierOffsetsMs]
    this.#earlierOffsetsMs = all.slice(0, MOST_EARLIER_OFFSETS)
  }

  /** In our clock; empty as long as the clock of the host was not set. */
  #timesHeldOf(programId: string): readonly number[] {
    const held = this.#reports.get(programId)
    if (held === undefined || this.#earlierOffsetsMs.length === 0) return []
    const { sinceMs, startedAtMs, observed } = held
    const times = [
      sinceMs,
      startedAtMs,
      ...(observed === null
        ? []
        : [
            observed.peerSinceMs,
            observed.peerFacts?.sinceMs ?? null,
            observed.mediaSinceMs,
            observed.warningSinceMs,
            ...(observed.findings ?? []).map((finding) => finding.sinceMs),
          ]),
    ]
    return times.filter((time) => time !== null)
  }

  /** A time that the host noted before its clock was set means what it meant then. */
  #toApiClockAgain(hostMs: number, heldMs: readonly number[]): number {
    const held = heldMs.find((timeMs) =>
      // Both were rounded.
      this.#earlierOffsetsMs.some((offsetMs) => Math.abs(hostMs + offsetMs - timeMs) <= 1),
    )
    return held ?? this.toApiClock(hostMs)
  }

  #shift(byMs: number): void {
    const all = this.all()
    const transports = this.transports()
    // As from a clock that is behind by that.
    this.offsetMs = byMs
    this.#earlierOffsetsMs = this.#earlierOffsetsMs.map((offsetMs) => offsetMs + byMs)
    for (const report of all) this.#set(this.#known(report, report.readAtMs + byMs))
    this.putTransports(transports)
    if (this.confirmedAtMs !== null) this.confirmedAtMs += byMs
    this.#shiftedMs += byMs
  }

  /** `heldMs`: times that are known of it already, in our clock. */
  #known(report: ProgramReport, nowMs: number, heldMs: readonly number[] = []): KnownReport {
    const { sinceMs, startedAtMs, observed, reading, appliedRevision, runningRevision } = report
    const applied = appliedRevision.slice(0, MAX_REVISION_CHARACTERS)
    const running = runningRevision.slice(0, MAX_REVISION_CHARACTERS)
    return {
      ...report,
      cause: report.cause.slice(0, MAX_CAUSE_CHARACTERS),
      changedByHand: report.changedByHand.slice(0, MAX_CAUSE_CHARACTERS),
      appliedRevision: applied,
      // Mostly alike: held once.
      runningRevision: running === applied ? applied : running,
      sinceMs: sinceMs === null ? null : this.#toApiClockAgain(sinceMs, heldMs),
      startedAtMs: startedAtMs === null ? null : this.#toApiClockAgain(startedAtMs, heldMs),
      observed: observed === null ? null : this.#observedInApiClock(observed, heldMs),
      reading: reading === null ? null : this.#inApiClock(reading),
      readAtMs: nowMs,
    }
  }

  #observedInApiClock(observed: Observed, heldMs: readonly number[]): Observed {
    const { peerFacts, findings } = observed
    const convert = (hostMs: number) => this.#toApiClockAgain(hostMs, heldMs)
    return {
      ...observed,
      ...(findings === undefined
        ? {}
        : {
            findings: findings.map((finding) => ({
              ...finding,
              sinceMs: convert(finding.sinceMs),
            })),
          }),
      peerSinceMs: convert(observed.peerSinceMs),
      peerFacts: peerFacts && { ...peerFacts, sinceMs: convert(peerFacts.sinceMs) },
      mediaSinceMs: convert(observed.mediaSinceMs),
      warningSinceMs: convert(observed.warningSinceMs),
    }
  }

  #inApiClock(reading: Reading): Reading {
    const atMs = this.toApiClock(reading.atMs)
    if (reading.kind !== 'link' || reading.paths === undefined) return { ...reading, atMs }
    const paths = reading.paths.map((path) => ({
      ...path,
      silentSinceMs: path.silentSinceMs === null ? null : this.toApiClock(path.silentSinceMs),
    }))
    return { ...reading, atMs, paths }
  }
}
