import { expect, test } from 'vitest'
import type { ProgramStatus } from '../fleet/fleet.schema.ts'
import type { LinkReading } from '../fleet/reading.schema.ts'
import { factsOfHop, type HopSettings } from './hop-state.rules.ts'

const READING: LinkReading = {
  kind: 'link',
  protocol: 'srt',
  direction: 'send',
  atMs: 99_000,
  bitrateKbps: 4500,
  rttMs: 24.4,
  packets: 100,
  lostPackets: null,
  retransmittedPackets: 0,
  droppedPackets: null,
}

function deliveryOf(
  kind: 'input' | 'output',
  reading: Partial<LinkReading>,
  warning: '' | 'losing' = '',
) {
  const status: ProgramStatus = {
    kind,
    id: 'o',
    state: 'running',
    wanted: 'running',
    sinceMs: 10_000,
    startedAtMs: 10_000,
    pid: 7,
    readAtMs: 99_500,
    cause: '',
    restarts: 0,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    peer: 'connected',
    reading: { ...READING, ...reading },
    observed: {
      peerSinceMs: 20_000,
      peerFacts: null,
      media: 'moving',
      mediaSinceMs: 20_000,
      warning,
      warningSinceMs: 90_000,
    },
  }
  const hop: HopSettings = {
    kind,
    id: 'o',
    isEnabled: true,
    isConfigured: true,
    inputType: 'SRT',
    link: null,
  }
  const freshness = { nowMs: 100_000, isLoaded: true, brokenSinceMs: null }
  const evidence = { status, reading: 'silent' as const, readAtMs: null, server: null, freshness }
  return factsOfHop(hop, evidence).filter(({ name }) => name === 'delivery')
}

test('an output says that its far end confirms what it gets, and after how long', () => {
  expect(deliveryOf('output', {})).toEqual([
    {
      name: 'delivery',
      family: 'ok',
      shape: 'disc',
      text: 'Far end confirms, RTT 24 ms',
      sinceMs: 20_000,
      readAtMs: 99_000,
    },
  ])
  expect(deliveryOf('output', { rttMs: 0.2 })).toMatchObject([
    { text: 'Far end confirms, RTT 0.2 ms' },
  ])
})

test('an output that loses packets does not call them delivered', () => {
  expect(deliveryOf('output', {}, 'losing')).toMatchObject([
    { family: 'warn', text: 'Not all arrives', sinceMs: 90_000 },
  ])
})

test('without media, and at a receiving end, nothing is said of delivery', () => {
  expect(deliveryOf('output', { bitrateKbps: 0 })).toEqual([])
  expect(deliveryOf('output', { rttMs: null })).toEqual([])
  expect(deliveryOf('input', {})).toEqual([])
})
