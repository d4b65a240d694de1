/** What one host last said about its programs, in the API's clock. Kept while the host is away. */
import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import type { Observed } from '@trunkline/contract/fleet/observed.schema'
import type { Reading } from '@trunkline/contract/fleet/reading.schema'

export interface KnownReport extends ProgramReport {
  /** When the host last confirmed it, API clock. */
  readAtMs: number
}

export interface HostReading {
  programId: string
  reading: Reading
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

export class HostReports {
  #reports = new Map<string, KnownReport>()
  /** API clock minus host clock. */
  offsetMs = 0
  /** When any report was last confirmed, API clock; null before the first hello. */
  confirmedAtMs: number | null = null

  get(programId: string): KnownReport | undefined {
    return this.#reports.get(programId)
  }

  all(): readonly KnownReport[] {
    return [...this.#reports.values()]
  }

  /** Always a time that a Date holds, whatever the host says. */
  toApiClock(hostMs: number): number {
    return Math.min(LATEST_MS, Math.max(0, Math.round(hostMs + this.offsetMs)))
  }

  /** Everything the host runs; programs it does not name are gone. */
  replace(programs: readonly ProgramReport[], offsetMs: number, nowMs: number): void {
    this.offsetMs = offsetMs
    this.confirmedAtMs = nowMs
    const kept = programs.slice(0, MAX_PROGRAMS).map((report) => this.#known(report, nowMs))
    this.#reports = new Map(kept.map((report) => [report.programId, report]))
  }

  /** null when there are too many to keep another. */
  put(report: ProgramReport, offsetMs: number, nowMs: number): KnownReport | null {
    this.#followClock(offsetMs)
    if (!this.#reports.has(report.programId) && this.#reports.size >= MAX_PROGRAMS) return null
    const known = this.#known(report, nowMs)
    this.#reports.set(known.programId, known)
    this.confirmedAtMs = nowMs
    return known
  }

  remove(programId: string): void {
    this.#reports.delete(programId)
  }

  /** Answers whose readings were taken; readings of unknown programs are dropped. */
  read(readings: readonly HostReading[], offsetMs: number, nowMs: number): string[] {
    this.#followClock(offsetMs)
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
    return taken
  }

  #followClock(offsetMs: number): void {
    if (Math.abs(offsetMs - this.offsetMs) > CLOCK_STEP_MS) this.offsetMs = offsetMs
  }

  #known(report: ProgramReport, nowMs: number): KnownReport {
    const { sinceMs, startedAtMs, observed, reading } = report
    return {
      ...report,
      cause: report.cause.slice(0, MAX_CAUSE_CHARACTERS),
      changedByHand: report.changedByHand.slice(0, MAX_CAUSE_CHARACTERS),
      appliedRevision: report.appliedRevision.slice(0, MAX_REVISION_CHARACTERS),
      runningRevision: report.runningRevision.slice(0, MAX_REVISION_CHARACTERS),
      sinceMs: sinceMs === null ? null : this.toApiClock(sinceMs),
      startedAtMs: startedAtMs === null ? null : this.toApiClock(startedAtMs),
      observed: observed === null ? null : this.#observedInApiClock(observed),
      reading: reading === null ? null : this.#inApiClock(reading),
      readAtMs: nowMs,
    }
  }

  #observedInApiClock(observed: Observed): Observed {
    const { peerFacts } = observed
    return {
      ...observed,
      peerSinceMs: this.toApiClock(observed.peerSinceMs),
      peerFacts: peerFacts && { ...peerFacts, sinceMs: this.toApiClock(peerFacts.sinceMs) },
      mediaSinceMs: this.toApiClock(observed.mediaSinceMs),
      warningSinceMs: this.toApiClock(observed.warningSinceMs),
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
