import type { LinkTestReport } from '@trunkline/contract/agent/link-test.messages'
import { expect, test } from 'vitest'
import { DONE_LINK_TEST } from '../testing/fake-host.ts'
import { joinedTest } from './link-test.rules.ts'

const titles = { from: 'Gateway 1', to: 'Gateway 2' }

function joined(caller: Partial<LinkTestReport> = {}, responder: Partial<LinkTestReport> = {}) {
  return joinedTest({
    caller: { ...DONE_LINK_TEST, ...caller },
    responder: { ...DONE_LINK_TEST, ...responder },
    titles,
  })
}

const { received } = DONE_LINK_TEST
const NOTHING = { ...received, packets: 0, expected: 0, forMs: 0, jitterMs: null }
const SILENT = {
  outcome: 'silent',
  phase: 'waiting',
  probes: 0,
  sent: { packets: 0, forMs: 0 },
  received: NOTHING,
  roundTrips: { out: null, back: null },
} as const

test('each direction has the loss and RTT of its own, and the latency by the rule of the advice', () => {
  const lost = { ...received, packets: 11_170, reordered: 3 }
  const { state, elapsedMs, findings, out, back } = joined({}, { received: lost })
  expect({ state, elapsedMs, findings }).toEqual({ state: 'done', elapsedMs: 30_000, findings: [] })
  // 228 of 11,398: 2.0 %, multiplier 4 by an RTT of 24 ms.
  expect(out).toMatchObject({
    sentPackets: 11_398,
    receivedPackets: 11_170,
    reordered: 3,
    rttMs: { samples: 155, median: 20, p95: 24, highest: 31 },
    needed: { latencyMs: 100, multiplier: 4 },
  })
  expect(out?.lossPercent).toBeCloseTo(2.0003)
  expect(out?.sentKbps).toBeCloseTo(8000, -1)
  expect(back).toMatchObject({ lossPercent: 0, needed: { latencyMs: 90, multiplier: 3 } })
})

test('while packets are still coming, only gaps count as lost, and no latency is suggested', () => {
  const { state, elapsedMs, out, back } = joined(
    { outcome: null, phase: 'out', phaseMs: 6000 },
    { outcome: null, received: { ...received, packets: 99, expected: 100 } },
  )
  expect({ state, elapsedMs, back }).toEqual({ state: 'out', elapsedMs: 6000, back: null })
  expect(out).toMatchObject({ lossPercent: 1, needed: null })
  const late = joined({ outcome: null, phase: 'out', sent: { packets: 50, forMs: 70 } })
  expect(late.out).toMatchObject({ sentPackets: 11_398, receivedPackets: 11_398 })
})

test('the last packets of a direction that did not come are lost', () => {
  const cut = { ...received, packets: 10_000, expected: 10_000 }
  expect(joined({}, { received: cut }).out?.lossPercent).toBeCloseTo(12.265)
})

test.each([
  ['a closed port', SILENT, SILENT, /^No packets arrived on UDP port 5040 of Gateway 2: open it/],
  [
    'a closed port that is refused',
    { ...SILENT, fault: 'read ECONNREFUSED' },
    SILENT,
    /Gateway 1 reports: read ECONNREFUSED\.$/,
  ],
  [
    'answers that do not come back',
    SILENT,
    { ...SILENT, probes: 40 },
    /^Packets of Gateway 1 reach UDP port 5040 of Gateway 2, but nothing comes back\. Allow UDP/,
  ],
  [
    'an unknown address',
    SILENT,
    { ...SILENT, strangerIp: '203.0.113.7' },
    /from 203\.0\.113\.7, which is not a known address of Gateway 1.* add 203\.0\.113\.7 to its adapters/,
  ],
  ['a path that breaks', { ...SILENT, phase: 'out', probes: 20 }, SILENT, /broke during the test/],
  [
    'a browser that is gone',
    { ...SILENT, outcome: 'unread', probes: 9 },
    SILENT,
    /no browser has shown it/,
  ],
  ['a fault of the caller', { ...SILENT, outcome: 'failed', fault: 'x' }, SILENT, /^Gateway 1: x$/],
  ['a fault of the responder', SILENT, { ...SILENT, outcome: 'failed', fault: 'y' }, /2: y$/],
] as const)('%s is named, with what to do', (_, caller, responder, sentence) => {
  const { state, findings } = joined(caller, responder)
  expect(state).toBe('failed')
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatch(sentence)
})

test('a cancelled test has no findings', () => {
  const cancelled = { ...SILENT, outcome: 'cancelled' } as const
  expect(joined(cancelled, SILENT)).toMatchObject({ state: 'cancelled', findings: [] })
  expect(joined(SILENT, cancelled)).toMatchObject({ state: 'cancelled', findings: [] })
})

test.each([
  ['no large packet', { received: NOTHING }, /but none of 1,344 bytes does\. Check the MTU/],
  ['too much loss', { received: { ...received, packets: 9000 } }, /a loss above 10 %\. Test again/],
  ['a busy receiver', { received: { ...received, droppedByHost: 1200 } }, /^1,200 packets reached/],
] as const)('a test that ends says what its figures hide: %s', (_, responder, sentence) => {
  const { state, findings } = joined({}, responder)
  expect(state).toBe('done')
  expect(findings).toEqual([expect.stringMatching(sentence)])
})

test('a sender that did not keep up is named', () => {
  const { findings } = joined({ sent: { packets: 9000, forMs: 15_000 } }, {})
  expect(findings).toEqual([expect.stringMatching(/^Gateway 1 could not send the whole rate/)])
})
