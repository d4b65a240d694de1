/**
 * Datagrams of a transport stream in, figures out, after ETSI TR 101 290. Its memory is fixed:
 * whatever comes, nothing is thrown, and but for a table that changes nothing is allocated.
 */
import { PCRS_LISTED } from '@trunkline/contract/fleet/transport.rules'
import { PcrClock } from './pcr-clock.ts'
import { ProgramTables } from './program-tables.ts'
import type { CountedPid, TransportWindow } from './transport-window.ts'

export const PACKET_BYTES = 188
const SYNC_BYTE = 0x47
const PIDS = 8192
const NULL_PID = 0x1fff
const RTP_HEADER_BYTES = 12
/** Two wrong sync bytes in a row lose the sync, five right ones find it again (TR 101 290, 1.1). */
const WRONG_UNTIL_LOST = 2
const RIGHT_UNTIL_FOUND = 5
/** In one window; a stream has a dozen, noise has all. */
const PIDS_COUNTED = 256
/** After so long without anything what comes is a new beginning, not a gap of each of its tables. */
const NEW_BEGINNING_MS = 500

export class TransportParser {
  /** -1: not known. */
  readonly #counters = new Int8Array(PIDS).fill(-1)
  readonly #isRepeated = new Uint8Array(PIDS)
  readonly #packets = new Uint32Array(PIDS)
  readonly #continuityErrors = new Uint32Array(PIDS)
  readonly #scrambled = new Uint32Array(PIDS)
  /** Of this window, in the order in which they came. */
  readonly #seen = new Uint16Array(PIDS)
  #seenCount = 0
  /** Index in #pcrs plus 1. */
  readonly #pcrIndex = new Uint8Array(PIDS)
  readonly #pcrs: PcrClock[] = []
  readonly #tables: ProgramTables
  /** The begin of a packet that goes on in the next datagram. */
  readonly #carried = new Uint8Array(PACKET_BYTES)
  #carriedLength = 0
  #isInSync = true
  #wrongInRow = 0
  #rightInRow = 0
  #startMs: number
  #lastAtMs: number
  #hasBegun = false
  #allPackets = 0
  #longestSilenceMs = 0
  #syncByteErrors = 0
  #syncLosses = 0
  #transportErrors = 0
  #nowMs: number

  /** All times: milliseconds of one clock that does not jump. */
  constructor(nowMs: number) {
    this.#startMs = nowMs
    this.#lastAtMs = nowMs
    this.#nowMs = nowMs
    this.#tables = new ProgramTables(nowMs)
  }

  push(bytes: Uint8Array, nowMs: number): void {
    this.#arrived(nowMs)
    let at = isRtp(bytes) ? RTP_HEADER_BYTES : 0
    if (!this.#isInSync || this.#wrongInRow > 0) at = this.#align(bytes, at)
    if (this.#carriedLength > 0) at = this.#complete(bytes, at)
    for (; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) this.#packet(bytes, at)
    if (at >= bytes.length) return
    this.#carried.set(bytes.subarray(at))
    this.#carriedLength = bytes.length - at
  }

  /** What has come since the last time. */
  take(nowMs: number): TransportWindow {
    const silentMs = nowMs - this.#lastAtMs
    // Tables are not late while nothing comes at all.
    const tablesEndMs = silentMs > NEW_BEGINNING_MS ? this.#lastAtMs : nowMs
    const { crcErrors, pat, programs } = this.#tables.take(tablesEndMs)
    const window: TransportWindow = {
      startMs: this.#startMs,
      endMs: nowMs,
      packets: this.#allPackets,
      longestSilenceMs: Math.max(this.#longestSilenceMs, silentMs),
      syncByteErrors: this.#syncByteErrors,
      syncLosses: this.#syncLosses,
      transportErrors: this.#transportErrors,
      crcErrors,
      pat,
      programs,
      pcrs: this.#pcrs.map((clock) => clock.take()),
      pids: this.#takePids(),
      pidCount: this.#seenCount,
    }
    this.#seenCount = 0
    this.#startMs = nowMs
    this.#allPackets = 0
    this.#longestSilenceMs = 0
    this.#syncByteErrors = 0
    this.#syncLosses = 0
    this.#transportErrors = 0
    return window
  }

  #takePids(): CountedPid[] {
    const pids: CountedPid[] = []
    for (const pid of this.#seen.subarray(0, this.#seenCount)) {
      pids.push({
        pid,
        packets: this.#packets[pid] ?? 0,
        continuityErrors: this.#continuityErrors[pid] ?? 0,
        scrambledPackets: this.#scrambled[pid] ?? 0,
      })
      this.#packets[pid] = 0
      this.#continuityErrors[pid] = 0
      this.#scrambled[pid] = 0
    }
    if (pids.length <= PIDS_COUNTED) return pids
    return pids.sort((a, b) => b.packets - a.packets).slice(0, PIDS_COUNTED)
  }

  #arrived(nowMs: number): void {
    const silentMs = nowMs - this.#lastAtMs
    if (silentMs > this.#longestSilenceMs) this.#longestSilenceMs = silentMs
    if (silentMs > NEW_BEGINNING_MS || !this.#hasBegun) this.#beginAnew(nowMs)
    this.#lastAtMs = nowMs
    this.#nowMs = nowMs
    this.#hasBegun = true
  }

  #beginAnew(nowMs: number): void {
    this.#tables.resume(nowMs)
    for (const clock of this.#pcrs) clock.restart()
    this.#counters.fill(-1)
    this.#carriedLength = 0
  }

  /** While the sync is lost: where packets begin in this datagram, if they do. */
  #align(bytes: Uint8Array, from: number): number {
    const carried = (bytes[from + PACKET_BYTES - this.#carriedLength] ?? SYNC_BYTE) === SYNC_BYTE
    if (this.#carriedLength > 0 && this.#carried[0] === SYNC_BYTE && carried) return from
    this.#carriedLength = 0
    for (let at = from; at < Math.min(from + PACKET_BYTES, bytes.length); at++) {
      const next = bytes[at + PACKET_BYTES] ?? SYNC_BYTE
      if (bytes[at] === SYNC_BYTE && next === SYNC_BYTE) return at
    }
    return from
  }

  /** Answers where the next packet begins. */
  #complete(bytes: Uint8Array, from: number): number {
    const missing = PACKET_BYTES - this.#carriedLength
    const taken = Math.min(missing, bytes.length - from)
    this.#carried.set(bytes.subarray(from, from + taken), this.#carriedLength)
    this.#carriedLength += taken
    if (this.#carriedLength < PACKET_BYTES) return bytes.length
    this.#carriedLength = 0
    this.#packet(this.#carried, 0)
    return from + taken
  }

  #packet(bytes: Uint8Array, at: number): void {
    this.#allPackets += 1
    if (bytes[at] !== SYNC_BYTE) return this.#wrongSync()
    this.#wrongInRow = 0
    if (!this.#isInSync) {
      this.#rightInRow += 1
      if (this.#rightInRow < RIGHT_UNTIL_FOUND) return
      this.#isInSync = true
      // What was missed meanwhile is known already.
      this.#counters.fill(-1)
    }
    const flags = bytes[at + 1] ?? 0
    const pid = ((flags & 0x1f) << 8) | (bytes[at + 2] ?? 0)
    if ((flags & 0x80) !== 0) {
      // Nothing of it can be trusted, its PID included.
      this.#transportErrors += 1
      this.#counters[pid] = -1
      return
    }
    const before = this.#packets[pid] ?? 0
    if (before === 0) this.#seen[this.#seenCount++] = pid
    this.#packets[pid] = before + 1
    if (pid !== NULL_PID) this.#content(bytes, at, pid, (flags & 0x40) !== 0)
  }

  #wrongSync(): void {
    this.#syncByteErrors += 1
    this.#rightInRow = 0
    this.#wrongInRow += 1
    if (!this.#isInSync || this.#wrongInRow < WRONG_UNTIL_LOST) return
    this.#isInSync = false
    this.#syncLosses += 1
  }

  #content(bytes: Uint8Array, at: number, pid: number, isStart: boolean): void {
    const control = bytes[at + 3] ?? 0
    const isScrambled = (control & 0xc0) !== 0
    const hasPayload = (control & 0x10) !== 0
    const adaptation = (control & 0x20) === 0 ? -1 : (bytes[at + 4] ?? 0)
    const flags = adaptation > 0 ? (bytes[at + 5] ?? 0) : 0
    if (isScrambled) this.#scrambled[pid] = (this.#scrambled[pid] ?? 0) + 1
    const isAnnounced = (flags & 0x80) !== 0
    const isNew = this.#count(pid, control & 0x0f, hasPayload, isAnnounced)
    if ((flags & 0x10) !== 0 && adaptation >= 7) this.#pcr(bytes, at + 6, pid, isAnnounced)
    if (!isNew || !hasPayload || isScrambled || !this.#tables.isTable(pid)) return
    const from = at + 5 + adaptation
    const to = at + PACKET_BYTES
    if (from < to) this.#tables.push(pid, bytes, from, to, isStart, this.#nowMs)
  }

  /** False of a packet that is sent for the second time, which ISO/IEC 13818-1 allows once. */
  #count(pid: number, counter: number, hasPayload: boolean, isAnnounced: boolean): boolean {
    const last = this.#counters[pid] ?? -1
    this.#counters[pid] = counter
    const wasRepeated = this.#isRepeated[pid] === 1
    this.#isRepeated[pid] = 0
    if (last < 0 || isAnnounced) return true
    if (!hasPayload) {
      if (counter !== last) this.#continuityError(pid)
      return true
    }
    if (counter === last && !wasRepeated) {
      this.#isRepeated[pid] = 1
      return false
    }
    if (counter !== ((last + 1) & 0x0f)) this.#continuityError(pid)
    return true
  }

  #continuityError(pid: number): void {
    this.#continuityErrors[pid] = (this.#continuityErrors[pid] ?? 0) + 1
    this.#tables.breakOff(pid)
  }

  #pcr(bytes: Uint8Array, at: number, pid: number, isAnnounced: boolean): void {
    const clock = this.#clockOf(pid)
    if (clock === undefined) return
    if (isAnnounced) clock.restart()
    const high = (bytes[at] ?? 0) * 0x1000000
    const middle = ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    const low = bytes[at + 4] ?? 0
    const base = (high + middle) * 2 + (low >> 7)
    clock.came(base * 300 + (((low & 1) << 8) | (bytes[at + 5] ?? 0)), this.#nowMs)
  }

  #clockOf(pid: number): PcrClock | undefined {
    const index = this.#pcrIndex[pid] ?? 0
    if (index > 0) return this.#pcrs[index - 1]
    if (this.#pcrs.length >= PCRS_LISTED) return undefined
    const clock = new PcrClock(pid)
    this.#pcrs.push(clock)
    this.#pcrIndex[pid] = this.#pcrs.length
    return clock
  }
}

/** RTP version 2, with a header that is followed by whole packets (RFC 2250). */
function isRtp(bytes: Uint8Array): boolean {
  return (
    ((bytes[0] ?? 0) & 0xc0) === 0x80 &&
    bytes[RTP_HEADER_BYTES] === SYNC_BYTE &&
    (bytes.length - RTP_HEADER_BYTES) % PACKET_BYTES === 0
  )
}
