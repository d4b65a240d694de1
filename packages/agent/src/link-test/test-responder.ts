/**
 * The end that is called. It answers nobody but the caller: the first who sends a packet of this test
 * from an address where the caller is expected. An echo is as large as its probe.
 */
import type { LinkTestReport, OpenLinkTest } from '@trunkline/contract/agent/link-test.messages'
import { LOOK_EVERY_MS, TestEnd } from './test-end.ts'
import type { TestPacket } from './test-packet.ts'

/** How long the caller is waited for. */
const CALL_MS = 8000

export class TestResponder extends TestEnd {
  readonly #callerIps: readonly string[]
  #lookTimer: NodeJS.Timeout | undefined

  constructor(
    { callerIps, ...load }: OpenLinkTest,
    onOpen: () => void,
    onReport: (now: LinkTestReport) => void,
  ) {
    super(load, onReport)
    this.#callerIps = callerIps
    this.socket.listen(load.port, () => {
      this.enter('waiting', performance.now())
      this.#lookTimer = setInterval(() => this.#step(performance.now()), LOOK_EVERY_MS)
      onOpen()
    })
  }

  override end(...why: Parameters<TestEnd['end']>): void {
    clearInterval(this.#lookTimer)
    super.end(...why)
  }

  protected override take(
    packet: TestPacket,
    from: { address: string; port: number },
    nowMs: number,
  ): void {
    if (packet.kind === 'echo') return
    if (!this.socket.isConnected) return this.#meet(packet, from)
    this.heard()
    if (packet.kind === 'data') return this.arrivals.add(packet, nowMs)
    this.probes += 1
    if (packet.phase === 'over') return this.end(this.hasSent ? 'done' : 'silent')
    if (packet.phase === 'back' && this.phase === 'out') {
      this.enter('back', nowMs)
      this.sendLoad('back', nowMs)
    }
    const phase = this.hasSent ? 'over' : packet.phase
    this.socket.send({ ...packet, kind: 'echo', phase })
  }

  #meet(packet: TestPacket, { address, port }: { address: string; port: number }) {
    if (packet.kind !== 'probe') return
    if (this.#callerIps.length > 0 && !this.#callerIps.includes(address)) {
      this.strangerIp = address
      return
    }
    this.probes += 1
    this.heard()
    this.socket.connect(address, port, () => this.enter('out', performance.now()))
  }

  #step(nowMs: number): void {
    this.look(nowMs)
    if (this.phase === 'waiting') {
      if (this.isSilent(CALL_MS)) this.end('silent')
    } else if (this.isSilent()) {
      // The caller may have said that it is over, unheard.
      this.end(this.hasSent ? 'done' : 'silent')
    }
  }
}
