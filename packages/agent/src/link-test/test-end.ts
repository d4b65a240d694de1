/** What both ends of a link test do: send the load of a direction, count that of the other, report. */
import type { LinkTestReport, RoundTrips } from '@trunkline/contract/agent/link-test.messages'
import { TEST_PACKET_BYTES } from '@trunkline/contract/link-tests/link-test.rules'
import { Arrivals } from './arrivals.ts'
import { PacketPace } from './packet-pace.ts'
import type { PacketPhase, TestPacket } from './test-packet.ts'
import { TestSocket } from './test-socket.ts'

export type TestOutcome = NonNullable<LinkTestReport['outcome']>
export type TestPhase = 'waiting' | 'out' | 'back'

export interface TestLoad {
  testId: string
  rateKbps: number
  /** Of both directions together. */
  durationMs: number
  /** Of the responder. */
  port: number
}

/** Nothing from the other end for so long: it is gone, and nothing more is sent to it. */
const SILENCE_MS = 3000
/** How often each end looks whether it still hears the other. */
export const LOOK_EVERY_MS = 100
/** A look that comes later than this was held up: what came meanwhile lies unread, and is no silence. */
const MOST_COUNTED_MS = 2 * LOOK_EVERY_MS
const REPORT_EVERY_MS = 250
/** Beyond what is due: nobody sends more than that. */
const SPARE_PACKETS = 100

export abstract class TestEnd {
  readonly #load: TestLoad
  readonly directionMs: number
  protected readonly socket: TestSocket
  protected readonly arrivals: Arrivals
  protected readonly roundTripsMs: { out: number[]; back: number[] } = { out: [], back: [] }
  protected probes = 0
  protected strangerIp = ''
  #lookedAtMs: number
  /** How long nothing was heard while this end looked. */
  #silentMs = 0
  #phase: TestPhase = 'waiting'
  #phaseAtMs: number
  #outcome: TestOutcome | null = null
  #fault = ''
  #pace: PacketPace | null = null
  #sentPackets = 0
  #sendBeganMs = 0
  #sentForMs = 0
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  readonly #reportTimer: NodeJS.Timeout
  readonly #onReport: (report: LinkTestReport) => void

  constructor(load: TestLoad, onReport: (now: LinkTestReport) => void) {
    const { testId, rateKbps, durationMs } = load
    this.#load = load
    this.directionMs = durationMs / 2
    this.#onReport = onReport
    const due = (this.directionMs * rateKbps) / (TEST_PACKET_BYTES * 8)
    this.arrivals = new Arrivals(Math.ceil(due) + SPARE_PACKETS)
    this.#phaseAtMs = performance.now()
    this.#lookedAtMs = this.#phaseAtMs
    this.socket = new TestSocket({
      testId,
      onPacket: (packet, from) => this.take(packet, from, performance.now()),
      onFailure: (reason) => this.end('failed', reason),
    })
    this.#reportTimer = setInterval(() => this.#onReport(this.report()), REPORT_EVERY_MS)
  }

  protected abstract take(
    packet: TestPacket,
    from: { address: string; port: number },
    nowMs: number,
  ): void

  get phase(): TestPhase {
    return this.#phase
  }

  protected inPhaseMs(nowMs: number): number {
    return nowMs - this.#phaseAtMs
  }

  protected enter(phase: TestPhase, nowMs: number): void {
    this.#phase = phase
    this.#phaseAtMs = nowMs
  }

  /** To be called every LOOK_EVERY_MS, before it is asked whether the other end is silent. */
  protected look(nowMs: number): void {
    this.#silentMs += Math.min(nowMs - this.#lookedAtMs, MOST_COUNTED_MS)
    this.#lookedAtMs = nowMs
  }

  protected heard(): void {
    this.#silentMs = 0
  }

  /** For how long this end listened in vain; less than has gone by where its thread was held up. */
  protected isSilent(limitMs = SILENCE_MS): boolean {
    return this.#silentMs > limitMs
  }

  /** Sends the load of the phase from now on; `hasSent` afterwards. */
  protected sendLoad(phase: PacketPhase, nowMs: number): void {
    this.#pace = new PacketPace(this.#load.rateKbps, nowMs)
    this.#sendBeganMs = nowMs
    this.#sendDue(phase)
  }

  protected get hasSent(): boolean {
    return this.#sendBeganMs !== 0 && this.#pace === null
  }

  /** Ends it, and reports for the last time. */
  end(outcome: TestOutcome, fault = ''): void {
    if (this.#outcome !== null) return
    this.#outcome = outcome
    this.#fault = fault || this.socket.sendFault
    this.#pace = null
    this.#dropped = this.socket.dropped()
    clearTimeout(this.#timer)
    clearInterval(this.#reportTimer)
    this.socket.close()
    this.#onReport(this.report())
  }

  protected get isEnded(): boolean {
    return this.#outcome !== null
  }

  report(): LinkTestReport {
    const { out, back } = this.roundTripsMs
    const { rateKbps, durationMs, port } = this.#load
    return {
      rateKbps,
      durationMs,
      port,
      phase: this.#phase,
      phaseMs: performance.now() - this.#phaseAtMs,
      outcome: this.#outcome,
      fault: this.#fault,
      sent: { packets: this.#sentPackets, forMs: this.#sentForMs },
      received: { ...this.arrivals.counted(), droppedByHost: this.#dropped },
      probes: this.probes,
      roundTrips: { out: roundTripsOf(out), back: roundTripsOf(back) },
      strangerIp: this.strangerIp,
    }
  }

  #sendDue(phase: PacketPhase): void {
    const nowMs = performance.now()
    const pace = this.#pace
    if (pace === null) return
    this.#sentForMs = Math.min(this.directionMs, nowMs - this.#sendBeganMs)
    if (nowMs - this.#sendBeganMs >= this.directionMs) {
      this.#pace = null
      return
    }
    for (let count = pace.due(nowMs); count > 0; count -= 1) {
      const sequence = this.#sentPackets
      if (!this.socket.send({ kind: 'data', phase, sequence, sentAtMs: performance.now() })) break
      this.#sentPackets += 1
    }
    this.#timer = setTimeout(() => this.#sendDue(phase), 1)
  }
}

/** Null without samples. The percentile is a sample itself: the smallest that 95 % do not exceed. */
function roundTripsOf(samplesMs: readonly number[]): RoundTrips | null {
  const sorted = samplesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  if (sorted.length === 0) return null
  return { samples: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), highestMs: at(1) }
}
