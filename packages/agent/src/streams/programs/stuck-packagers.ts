/**
 * Which packagers have had data for long and made nothing of them. Times are those at which something
 * was seen to change, so that a host whose clock is set frees none that works.
 */
import type { Reading } from '@trunkline/contract/fleet/reading.schema'

/** A packager begins to write 5 s after data arrive; three times that is no start any more. */
const STUCK_MS = 15_000
/** It writes, and finishes nothing: no segment is as long as this. */
const NO_SEGMENT_MS = 60_000
/** Links report every two seconds while data arrive, and are silent otherwise. */
export const READING_HOLDS_MS = 10_000
/** A packager reports twice a second while data arrive, whatever it makes of them, and not otherwise. */
const REPORT_HOLDS_MS = 3000

/** Milliseconds of one clock; null: does not run, does not receive, has no segment. */
interface PackagerFacts {
  packagerStartedAtMs: number | null
  receivingSinceMs: number | null
  /** When it last wrote a picture or a sound. */
  advancedAtMs: number | null
  newestAtMs: number | null
}

/** True when the packager has had data for long enough and made nothing of them. Pure. */
export function isStuck(facts: PackagerFacts, nowMs: number): boolean {
  const { packagerStartedAtMs, receivingSinceMs, advancedAtMs, newestAtMs } = facts
  if (packagerStartedAtMs === null || receivingSinceMs === null) return false
  const sinceMs = Math.max(packagerStartedAtMs, receivingSinceMs, newestAtMs ?? 0)
  const isIdle = nowMs - Math.max(sinceMs, advancedAtMs ?? 0) > STUCK_MS
  return isIdle || nowMs - sinceMs > NO_SEGMENT_MS
}

/** What a look finds of a packager and its input; times are the host's, and only compared for change. */
export interface PackagerLook {
  ingest: Reading | null
  packager: Reading | null
  packagerStartedAtMs: number | null
  /** When it last listed a segment. */
  newestAtMs: number | null
}

interface Seen {
  value: number
  atMs: number
}

export class StuckPackagers {
  #nowMs = 0
  #before = new Map<string, Seen>()
  #now = new Map<string, Seen>()

  /** Begins a round; `nowMs`: of a clock that nobody sets. Packagers of the last round only are remembered. */
  begin(nowMs: number): void {
    this.#before = this.#now
    this.#now = new Map()
    this.#nowMs = nowMs
  }

  isStuck(id: string, look: PackagerLook): boolean {
    const isReceiving = this.#isReceiving(id, look)
    const facts = {
      packagerStartedAtMs: this.#changedAt(`${id} start`, look.packagerStartedAtMs),
      receivingSinceMs: this.#changedAt(`${id} receiving`, isReceiving ? 1 : null),
      advancedAtMs: this.#changedAt(`${id} advance`, this.#advance(id, look.packager)),
      newestAtMs: this.#changedAt(`${id} newest`, look.newestAtMs),
    }
    return isStuck(facts, this.#nowMs)
  }

  /** By the link's own count, or by the packager's reports: plain datagrams are counted by nobody else. */
  #isReceiving(id: string, { ingest, packager }: PackagerLook): boolean {
    const isCounted = (ingest?.bitrateKbps ?? 0) > 0
    const countedAtMs = this.#changedAt(`${id} ingest`, ingest?.atMs ?? null)
    const reportedAtMs = this.#changedAt(`${id} packager`, packager?.atMs ?? null)
    return (
      (isCounted && this.#isWithin(countedAtMs, READING_HOLDS_MS)) ||
      this.#isWithin(reportedAtMs, REPORT_HOLDS_MS)
    )
  }

  #isWithin(atMs: number | null, holdsMs: number): boolean {
    return atMs !== null && this.#nowMs - atMs < holdsMs
  }

  /** The last report of a picture or a sound; null while there was none. */
  #advance(id: string, reading: Reading | null): number | null {
    const isAdvancing =
      reading?.kind === 'encode' && (reading.framesPerSecond > 0 || reading.speed > 0)
    return isAdvancing ? reading.atMs : (this.#before.get(`${id} advance`)?.value ?? null)
  }

  #changedAt(key: string, value: number | null): number | null {
    if (value === null) return null
    const before = this.#before.get(key)
    const seen = before?.value === value ? before : { value, atMs: this.#nowMs }
    this.#now.set(key, seen)
    return seen.atMs
  }
}
