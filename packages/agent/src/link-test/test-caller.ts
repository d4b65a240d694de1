/**
 * The end that begins. It sends no load before the other end has answered a probe, and none once the
 * answers stay away: nothing is sent for long to a place where nobody wants it.
 */
import type { CallLinkTest, LinkTestReport } from '@trunkline/contract/agent/link-test.messages'
import { LOOK_EVERY_MS, TestEnd } from './test-end.ts'
import type { TestPacket } from './test-packet.ts'

/** How long the first answer is waited for. */
const ANSWER_MS = 5000
/** For what is still on its way when the last packet of a direction was sent. */
const SETTLE_MS = 500
/** If the responder does not say that it has sent everything. */
const LATE_MS = 3000
/** One of them is likely to arrive. */
const LAST_PROBES = 3

export class TestCaller extends TestEnd {
  #probeTimer: NodeJS.Timeout | undefined
  #sequence = 0
  #overAtMs: number | null = null

  constructor(
    { host, ...load }: CallLinkTest,
    onOpen: () => void,
    onReport: (now: LinkTestReport) => void,
  ) {
    super(load, onReport)
    this.socket.connect(host, load.port, () => {
      onOpen()
      this.enter('waiting', performance.now())
      this.#probeTimer = setInterval(() => this.#step(performance.now()), LOOK_EVERY_MS)
      this.#step(performance.now())
    })
  }

  override end(...why: Parameters<TestEnd['end']>): void {
    clearInterval(this.#probeTimer)
    if (!this.isEnded) {
      for (let count = 0; count < LAST_PROBES; count += 1) this.#probe(performance.now(), 'over')
    }
    super.end(...why)
  }

  protected override take(packet: TestPacket, _from: unknown, nowMs: number): void {
    this.heard()
    if (packet.kind === 'data' && this.phase === 'back') this.arrivals.add(packet, nowMs)
    if (packet.kind !== 'echo') return
    this.probes += 1
    this.roundTripsMs[this.phase === 'back' ? 'back' : 'out'].push(nowMs - packet.sentAtMs)
    if (this.phase === 'waiting') {
      this.enter('out', nowMs)
      this.sendLoad('out', nowMs)
    }
    if (this.phase === 'back' && packet.phase === 'over') this.#overAtMs ??= nowMs
  }

  #step(nowMs: number): void {
    this.look(nowMs)
    if (this.phase === 'waiting') {
      if (this.isSilent(ANSWER_MS)) return this.end('silent')
    } else if (this.isSilent()) return this.end('silent')
    else if (this.phase === 'out') {
      if (this.hasSent && this.inPhaseMs(nowMs) > this.directionMs + SETTLE_MS) {
        this.enter('back', nowMs)
      }
    } else if (this.#isBackOver(nowMs)) return this.end('done')
    this.#probe(nowMs, this.phase === 'back' ? 'back' : 'out')
  }

  #isBackOver(nowMs: number): boolean {
    const isSettled = this.#overAtMs !== null && nowMs - this.#overAtMs > SETTLE_MS
    return isSettled || this.inPhaseMs(nowMs) > this.directionMs + LATE_MS
  }

  #probe(nowMs: number, phase: TestPacket['phase']): void {
    this.#sequence += 1
    this.socket.send({ kind: 'probe', phase, sequence: this.#sequence, sentAtMs: nowMs })
  }
}
