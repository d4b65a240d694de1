import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { metricsText } from '@trunkline/contract/metrics/metric.rules'
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { LinkTotals } from './link-totals.ts'

function reading(atMs: number, more: Partial<LinkReading>): LinkReading {
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs,
    bitrateKbps: 4000,
    rttMs: 30,
    packets: 0,
    lostPackets: 0,
    retransmittedPackets: 0,
    droppedPackets: 0,
    ...more,
  }
}

/** Readings of two links, as their hosts would report them. */
function open() {
  const readings = new Map<string, LinkReading>()
  let nowMs = 0
  let hear: (event: HostsEvent) => void = () => undefined
  const ctx = {
    clock: () => nowMs,
    programs: {
      wanted: (programId: string) => (readings.has(programId) ? { programId } : undefined),
      allWanted: () => [...readings.keys()].map((programId) => ({ programId })).values(),
    },
    hosts: {
      listen: (listener: (event: HostsEvent) => void) => {
        hear = listener
        return () => undefined
      },
      report: ({ programId }: { programId: string }) => ({ reading: readings.get(programId) }),
    },
  }
  const totals = new LinkTotals(ctx as unknown as Context)
  return {
    read: (programId: string, atMs: number, more: Partial<LinkReading>) => {
      readings.set(programId, reading(atMs, more))
      hear({ type: 'readings', programIds: [programId] })
    },
    end: (programId: string) => {
      readings.delete(programId)
      hear({ type: 'programs', programIds: [programId] })
    },
    advance: (ms: number) => void (nowMs += ms),
    lines: (name: string) =>
      metricsText(totals.metrics())
        .split('\n')
        .filter((line) => line.startsWith(name)),
  }
}

const SRT = '{protocol="srt",direction="receive"}'

test('counters of all links add up to a total that never falls, also when a program starts again', () => {
  const { read, lines } = open()
  read('in-a', 1, { packets: 1_000_000, droppedPackets: 500 })
  expect(lines('trunkline_link_packets_total')).toEqual([`trunkline_link_packets_total${SRT} 0`])
  read('in-a', 2, { packets: 1_000_100, droppedPackets: 503 })
  read('in-b', 2, { packets: 50 })
  read('in-b', 3, { packets: 80, retransmittedPackets: 4 })
  read('in-a', 3, { packets: 10, droppedPackets: 1 })
  expect(lines('trunkline_link_packets_total')).toEqual([`trunkline_link_packets_total${SRT} 140`])
  expect(lines('trunkline_link_dropped_packets_total')).toEqual([
    `trunkline_link_dropped_packets_total${SRT} 4`,
  ])
  expect(lines('trunkline_link_retransmitted_packets_total')).toEqual([
    `trunkline_link_retransmitted_packets_total${SRT} 4`,
  ])
})

test('bitrates of the links with a fresh reading are added up by protocol and direction', () => {
  const { read, end, advance, lines } = open()
  read('in-a', 1, {})
  read('in-b', 1, { bitrateKbps: 1000 })
  read('out-a', 1, { protocol: 'rist', direction: 'send', rttMs: null })
  const name = 'trunkline_links_bitrate_bits_per_second'
  expect(lines(name)).toEqual([
    `${name}${SRT} 5000000`,
    `${name}{protocol="rist",direction="send"} 4000000`,
  ])
  end('in-b')
  advance(31_000)
  read('in-a', 2, { bitrateKbps: 2000 })
  expect(lines(name)).toEqual([`${name}${SRT} 2000000`])
})

test('a reading is counted once, whatever else of the program is new', () => {
  const { read, lines } = open()
  read('in-a', 1, {})
  read('in-a', 1, {})
  expect(lines('trunkline_link_rtt_seconds_count')).toEqual([
    `trunkline_link_rtt_seconds_count${SRT} 1`,
  ])
  expect(
    lines('trunkline_link_rtt_seconds_bucket{protocol="srt",direction="receive",le="0.05"}'),
  ).toEqual([`trunkline_link_rtt_seconds_bucket{protocol="srt",direction="receive",le="0.05"} 1`])
})
