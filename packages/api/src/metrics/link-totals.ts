/**
 * What all links together carry and lose. A series per link would grow with the site, and with every
 * link that ever was; which link it is the alarms and the console say.
 */
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import {
  counter,
  gauge,
  Histogram,
  type Labels,
  type Metric,
} from '@trunkline/contract/metrics/metric.rules'
import type { Context } from '../context.ts'

const RTT_BOUNDS_S = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
/** A link whose last reading is older carries nothing, as far as known. */
const READING_LIFE_MS = 30_000
const BITS_PER_KBIT = 1000

/** All links of a protocol, in a direction. */
interface Total {
  labels: Labels
  packets: number
  retransmitted: number
  dropped: number
  rttS: Histogram
}

interface LastReading {
  reading: LinkReading
  heardAtMs: number
}

type LinkContext = Pick<Context, 'hosts' | 'programs' | 'clock'>

/** Hears readings from its making until it is disposed. */
export class LinkTotals implements Disposable {
  readonly #ctx: LinkContext
  readonly #last = new Map<string, LastReading>()
  readonly #totals = new Map<string, Total>()
  readonly #stopHearing: () => void

  constructor(ctx: LinkContext) {
    this.#ctx = ctx
    this.#stopHearing = ctx.hosts.listen((event) => {
      if (event.type !== 'readings' && event.type !== 'programs') return
      for (const programId of event.programIds) this.#heard(programId)
    })
    for (const { programId } of ctx.programs.allWanted()) this.#heard(programId)
  }

  metrics(): Metric[] {
    const bitrates = this.#bitrates()
    const totals = [...this.#totals.values()]
    const sums = (field: 'packets' | 'retransmitted' | 'dropped') =>
      totals.map((total) => ({ labels: total.labels, value: total[field] }))
    return [
      gauge(
        'trunkline_links_bitrate_bits_per_second',
        'Payload of all running links.',
        bitrates.bits,
      ),
      gauge('trunkline_links_measured', 'Links with a reading of the last 30 s.', bitrates.counts),
      counter('trunkline_link_packets_total', 'Packets of payload.', sums('packets')),
      counter('trunkline_link_retransmitted_packets_total', 'Sent again.', sums('retransmitted')),
      counter('trunkline_link_dropped_packets_total', 'Lost for the stream.', sums('dropped')),
      {
        name: 'trunkline_link_rtt_seconds',
        help: 'Round trip times, one of each reading of a link.',
        type: 'histogram',
        samples: totals.flatMap(({ labels, rttS }) => rttS.samples(labels)),
      },
    ]
  }

  [Symbol.dispose](): void {
    this.#stopHearing()
  }

  #heard(programId: string): void {
    const wanted = this.#ctx.programs.wanted(programId)
    const reading = wanted === undefined ? null : (this.#ctx.hosts.report(wanted)?.reading ?? null)
    if (reading?.kind !== 'link') {
      this.#last.delete(programId)
      return
    }
    const before = this.#last.get(programId)?.reading ?? null
    // The same again: something else of the program is new.
    if (before?.atMs === reading.atMs) return
    this.#last.set(programId, { reading, heardAtMs: this.#ctx.clock() })
    this.#add(reading, before)
  }

  /** What was counted before the first scrape counts for nothing. */
  #add(reading: LinkReading, before: LinkReading | null): void {
    const total = this.#totalOf(reading)
    if (reading.rttMs !== null) total.rttS.observe(reading.rttMs / 1000)
    if (before === null) return
    total.packets += grown(reading.packets, before.packets)
    total.retransmitted += grown(reading.retransmittedPackets, before.retransmittedPackets)
    total.dropped += grown(reading.droppedPackets ?? 0, before.droppedPackets ?? 0)
  }

  #totalOf({ protocol, direction }: LinkReading): Total {
    const key = `${protocol} ${direction}`
    const known = this.#totals.get(key)
    if (known !== undefined) return known
    const total = {
      labels: { protocol, direction },
      packets: 0,
      retransmitted: 0,
      dropped: 0,
      rttS: new Histogram(RTT_BOUNDS_S),
    }
    this.#totals.set(key, total)
    return total
  }

  #bitrates() {
    const sinceMs = this.#ctx.clock() - READING_LIFE_MS
    const sums = new Map<string, { labels: Labels; bits: number; count: number }>()
    for (const { reading, heardAtMs } of this.#last.values()) {
      if (heardAtMs < sinceMs) continue
      const { protocol, direction, bitrateKbps } = reading
      const key = `${protocol} ${direction}`
      const sum = sums.get(key) ?? { labels: { protocol, direction }, bits: 0, count: 0 }
      sum.bits += bitrateKbps * BITS_PER_KBIT
      sum.count += 1
      sums.set(key, sum)
    }
    const all = [...sums.values()]
    return {
      bits: all.map(({ labels, bits }) => ({ labels, value: bits })),
      counts: all.map(({ labels, count }) => ({ labels, value: count })),
    }
  }
}

/** A program that was started again counts from 0. */
function grown(now: number, before: number): number {
  return now >= before ? now - before : now
}
