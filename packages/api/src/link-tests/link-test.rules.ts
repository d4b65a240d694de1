/** What the two ends of a link test measured, as one result with what to do about it. */
import type { LinkTestReport, RoundTrips } from '@trunkline/contract/agent/link-test.messages'
import type { LinkTest, TestedDirection } from '@trunkline/contract/link-tests/link-test.calls'
import { TEST_PACKET_BYTES } from '@trunkline/contract/link-tests/link-test.rules'
import {
  neededLatencyMs,
  rttMultiplier,
  TABLE_LOSS_PERCENT,
} from '@trunkline/contract/paths/latency.rules'

export interface TestEnds {
  caller: LinkTestReport
  responder: LinkTestReport
  titles: { from: string; to: string }
}

export function joinedTest(ends: TestEnds): LinkTest {
  const { caller, responder } = ends
  const state = stateOf(ends)
  const isBackOver = state === 'done'
  const out =
    caller.phase === 'waiting'
      ? null
      : directionOf(caller, responder, caller.roundTrips.out, caller.phase === 'back')
  const back =
    caller.phase === 'back'
      ? directionOf(responder, caller, caller.roundTrips.back, isBackOver)
      : null
  const findings =
    state === 'failed' ? [failureOf(ends)] : state === 'done' ? doubtsOf(ends, out, back) : []
  return { state, elapsedMs: elapsedMs(caller), findings, out, back }
}

function stateOf({ caller, responder }: TestEnds): LinkTest['state'] {
  if (caller.outcome === 'done') return 'done'
  if (caller.outcome === 'cancelled' || responder.outcome === 'cancelled') return 'cancelled'
  // The caller notices within seconds when the responder is over.
  return caller.outcome === null ? caller.phase : 'failed'
}

function elapsedMs({ phase, phaseMs, durationMs, outcome }: LinkTestReport): number {
  if (phase === 'waiting') return 0
  if (outcome === 'done') return durationMs
  const directionMs = durationMs / 2
  return Math.min(phaseMs, directionMs) + (phase === 'back' ? directionMs : 0)
}

/** `isOver`: what was sent and has not come is lost. */
function directionOf(
  { sent }: LinkTestReport,
  { received }: LinkTestReport,
  roundTrips: RoundTrips | null,
  isOver: boolean,
): TestedDirection {
  const { packets, duplicates, reordered, jitterMs, droppedByHost } = received
  const expected = isOver ? Math.max(sent.packets, packets) : received.expected
  const lossPercent = expected === 0 ? null : (100 * (expected - packets)) / expected
  const isKnown = isOver && lossPercent !== null && packets > 0 && roundTrips !== null
  return {
    // The two ends report at different moments: what has come was sent.
    sentPackets: Math.max(sent.packets, received.expected),
    receivedPackets: packets,
    sentKbps: kbps(sent.packets, sent.forMs),
    receivedKbps: kbps(packets - 1, received.forMs),
    lossPercent,
    duplicates,
    reordered,
    jitterMs,
    droppedByHost,
    rttMs: roundTrips && {
      samples: roundTrips.samples,
      median: roundTrips.medianMs,
      p95: roundTrips.p95Ms,
      highest: roundTrips.highestMs,
    },
    needed: isKnown
      ? {
          latencyMs: neededLatencyMs({ rttMs: roundTrips.p95Ms, lossPercent }),
          multiplier: rttMultiplier(lossPercent),
        }
      : null,
  }
}

function kbps(packets: number, forMs: number): number {
  return forMs <= 0 ? 0 : Math.max(0, (packets * TEST_PACKET_BYTES * 8) / forMs)
}

/** Why there is no whole result, and what to do. */
function failureOf({ caller, responder, titles: { from, to } }: TestEnds): string {
  const { port } = caller
  if (caller.outcome === 'failed') return `${from}: ${caller.fault}`
  if (responder.outcome === 'failed') return `${to}: ${responder.fault}`
  if (caller.outcome === 'unread') {
    return 'The test was ended because no browser has shown it for 10 s. Start it again.'
  }
  if (caller.probes > 0) {
    return `The connection broke during the test: nothing came from ${to} for 3 s. Check the network between the two, then test again.`
  }
  if (responder.strangerIp !== '') {
    const ip = responder.strangerIp
    return `The packets reached ${to} from ${ip}, which is not a known address of ${from}, and were not accepted. If ${from} is behind a router, add ${ip} to its adapters, then test again.`
  }
  if (responder.probes > 0) {
    return `Packets of ${from} reach UDP port ${port} of ${to}, but nothing comes back. Allow UDP from port ${port} of ${to} to ${from} in the firewall between the two: SRT and RIST need both directions.`
  }
  const fault = caller.fault === '' ? '' : ` ${from} reports: ${caller.fault}.`
  return `No packets arrived on UDP port ${port} of ${to}: open it in the firewall between the two, and check that ${from} can reach this address.${fault}`
}

/** The bytes that a packet of the load has with its headers of UDP and IP. */
const PACKET_ON_WIRE_BYTES = TEST_PACKET_BYTES + 28
/** Below this share of the rate the sender is said not to have kept up. */
const LEAST_SHARE_SENT = 0.95

/** What the figures of a whole test do not say by themselves. */
function doubtsOf(
  { caller: { rateKbps }, titles: { from, to } }: TestEnds,
  out: TestedDirection | null,
  back: TestedDirection | null,
): string[] {
  return [
    ...(out === null ? [] : doubtsOfDirection(out, rateKbps, from, to)),
    ...(back === null ? [] : doubtsOfDirection(back, rateKbps, to, from)),
  ]
}

function doubtsOfDirection(
  direction: TestedDirection,
  rateKbps: number,
  sender: string,
  receiver: string,
): string[] {
  const { sentPackets, receivedPackets, sentKbps, lossPercent, droppedByHost } = direction
  if (sentPackets > 0 && receivedPackets === 0) {
    return [
      `Small packets of ${sender} reach ${receiver}, but none of ${PACKET_ON_WIRE_BYTES.toLocaleString('en')} bytes does. Check the MTU of the network between the two.`,
    ]
  }
  const doubts: string[] = []
  if ((lossPercent ?? 0) > TABLE_LOSS_PERCENT) {
    doubts.push(
      `${sender} to ${receiver}: no latency makes up for a loss above ${TABLE_LOSS_PERCENT} %. Test again at a lower rate; if it stays, correct the network first.`,
    )
  }
  if (droppedByHost > 0) {
    doubts.push(
      `${droppedByHost.toLocaleString('en')} packets reached ${receiver} and were dropped there, because the host was busy. They count as lost: check what else runs there, then test again.`,
    )
  }
  if (sentKbps < rateKbps * LEAST_SHARE_SENT) {
    doubts.push(
      `${sender} could not send the whole rate, because the host or its network was busy. Test again at a lower rate.`,
    )
  }
  return doubts
}
