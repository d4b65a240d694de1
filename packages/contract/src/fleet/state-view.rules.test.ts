import { expect, test } from 'vitest'
import type { ProgramStatus } from './fleet.schema.ts'
import type { EncodeReading, LinkReading, PathReading } from './reading.schema.ts'
import {
  isStale,
  needsAttention,
  PROOF_WITHIN_MS,
  sentenceOf,
  STALE_AFTER_MS,
  tallyOf,
  truthsOfEncoder,
  viewOfEncoder,
  viewOfLink,
  type Freshness,
} from './state-view.rules.ts'

const NOW_MS = 1_000_000_000
const fresh: Freshness = { nowMs: NOW_MS, isLoaded: true, brokenSinceMs: null }

const encoding: EncodeReading = {
  kind: 'encode',
  atMs: NOW_MS - 500,
  bitrateKbps: 1846,
  framesPerSecond: 25,
  speed: 1,
  droppedFrames: 0,
  duplicatedFrames: 0,
}
const receiving: LinkReading = {
  kind: 'link',
  protocol: 'srt',
  direction: 'receive',
  atMs: NOW_MS - 500,
  bitrateKbps: 1846,
  rttMs: 12,
  packets: 1000,
  lostPackets: 0,
  retransmittedPackets: 0,
  droppedPackets: 0,
}

function pathOf(silentForMs: number | null): PathReading {
  return {
    address: 'far.example:6002',
    isAlive: silentForMs === null,
    silentSinceMs: silentForMs === null ? null : NOW_MS - silentForMs,
    bitrateKbps: 1846,
    rttMs: 12,
    packets: 1000,
    retransmittedPackets: 0,
    savedPackets: 0,
  }
}

function status(parts: Partial<ProgramStatus>): ProgramStatus {
  return {
    kind: 'encoder',
    id: 'a',
    state: 'running',
    wanted: 'running',
    sinceMs: NOW_MS - 60_000,
    startedAtMs: NOW_MS - 60_000,
    pid: 4121,
    cause: '',
    restarts: 0,
    peer: '',
    reading: encoding,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    readAtMs: NOW_MS,
    ...parts,
  }
}

function encoder(parts: Partial<ProgramStatus>, freshness = fresh) {
  const view = viewOfEncoder({
    isEnabled: true,
    isConfigured: true,
    status: status(parts),
    freshness,
  })
  return [view.family, view.shape, view.word, view.cause]
}

function link(parts: Partial<ProgramStatus>, lostShare: number | null = 0) {
  const view = viewOfLink({
    kind: 'input',
    isEnabled: true,
    inputType: 'SRT',
    status: status({ kind: 'input', reading: receiving, peer: 'connected', ...parts }),
    lostShare,
    freshness: fresh,
  })
  return [view.family, view.shape, view.word, view.cause]
}

test.each<[string, Partial<ProgramStatus>, string[]]>([
  ['well', {}, ['ok', 'disc', 'Running', '']],
  ['starting', { state: 'starting', sinceMs: NOW_MS - 2000 }, ['move', 'arc', 'Starting', '']],
  [
    'starting for too long',
    { state: 'starting', sinceMs: NOW_MS - PROOF_WITHIN_MS - 1 },
    ['bad', 'octagon', 'Error', 'does not come up'],
  ],
  ['stopping', { state: 'stopping' }, ['move', 'arc', 'Stopping', '']],
  [
    'stopped by a person',
    { state: 'stopped', wanted: 'stopped' },
    ['off', 'square', 'Stopped', ''],
  ],
  ['stopped, but wanted', { state: 'stopped' }, ['bad', 'octagon-square', 'Stopped', 'should run']],
  ['ended by itself', { state: 'exited' }, ['bad', 'octagon-square', 'Stopped', 'should run']],
  ['ended, and unwanted', { state: 'exited', wanted: 'stopped' }, ['off', 'square', 'Stopped', '']],
  [
    'a crash loop',
    { state: 'backoff', cause: 'no such card' },
    ['bad', 'octagon', 'Error', 'no such card'],
  ],
  ['given up', { state: 'fatal' }, ['bad', 'octagon', 'Error', 'cannot be started']],
  ['not there', { state: 'absent' }, ['bad', 'octagon', 'Offline', 'not installed']],
  ['host silent', { state: 'unreachable' }, ['blind', 'diamond-x', 'Offline', 'host unreachable']],
  ['not read', { state: 'unknown' }, ['blind', 'diamond-question', 'Error', 'status not read']],
  [
    'up, media awaited',
    { reading: null, startedAtMs: NOW_MS - 1000 },
    ['move', 'arc', 'Running', 'waiting for media'],
  ],
  ['up, media never came', { reading: null }, ['warn', 'ring', 'Running', 'no media']],
  [
    'up, media stopped',
    { reading: { ...encoding, atMs: NOW_MS - 11_000 } },
    ['warn', 'ring', 'Running', 'no media'],
  ],
  [
    'up, nothing in it',
    { reading: { ...encoding, bitrateKbps: 0 } },
    ['warn', 'ring', 'Running', 'no media'],
  ],
  [
    'too slow',
    { reading: { ...encoding, speed: 0.9 } },
    ['warn', 'triangle', 'Running', 'slower than real time'],
  ],
])('STATE-02 an encoder: %s', (_, parts, expected) => {
  expect(encoder(parts)).toEqual(expected)
})

test.each<[string, Partial<ProgramStatus>, number | null, string[]]>([
  ['well', {}, 0, ['ok', 'disc', 'Running', '']],
  ['the other end gone', { peer: 'disconnected' }, 0, ['warn', 'half-disc', 'Running', 'no peer']],
  [
    'nobody came yet',
    { peer: '', reading: null, startedAtMs: NOW_MS - 1000 },
    null,
    ['move', 'arc', 'Running', 'connecting'],
  ],
  ['nobody came', { peer: '', reading: null }, null, ['warn', 'half-disc', 'Running', 'no peer']],
  ['packets without a word of a peer', { peer: '' }, 0, ['ok', 'disc', 'Running', '']],
  [
    'connected, and empty',
    { reading: { ...receiving, bitrateKbps: 0 } },
    0,
    ['warn', 'ring', 'Running', 'no media'],
  ],
  ['one in a thousand lost is let pass', {}, 0.001, ['ok', 'disc', 'Running', '']],
  ['more is not', {}, 0.0011, ['warn', 'triangle', 'Running', 'losing packets']],
  [
    'two ways, one of them silent: the stream goes on, unprotected',
    { reading: { ...receiving, paths: [pathOf(null), pathOf(40_000)] } },
    0,
    ['warn', 'triangle', 'Running', 'one path silent'],
  ],
  [
    'two ways, both alive',
    { reading: { ...receiving, paths: [pathOf(null), pathOf(null)] } },
    0,
    ['ok', 'disc', 'Running', ''],
  ],
  [
    'ended by itself (CON-IN: any other error text)',
    { state: 'exited', cause: 'bind: address in use' },
    0,
    ['bad', 'octagon', 'Error', 'bind: address in use'],
  ],
])('STATE-03 a link: %s', (_, parts, lostShare, expected) => {
  expect(link(parts, lostShare)).toEqual(expected)
})

test('STATE-01 ENC-10 disabled, then not configured, then what is read', () => {
  const word = (isEnabled: boolean, isConfigured: boolean) =>
    viewOfEncoder({ isEnabled, isConfigured, status: status({}), freshness: fresh }).word
  expect(word(false, false)).toBe('Disabled')
  expect(word(true, false)).toBe('Not Configured')
  expect(word(true, true)).toBe('Running')
})

test('CON-IN-19 a Local input is Local, whatever is read', () => {
  const view = viewOfLink({
    kind: 'input',
    isEnabled: true,
    inputType: 'Local',
    status: null,
    lostShare: null,
    freshness: fresh,
  })
  expect([view.family, view.shape, view.word]).toEqual(['off', 'house', 'Local'])
})

test('CON-IN-17 before the first picture a state is being read; after it a missing one is an error', () => {
  const view = (isLoaded: boolean) =>
    viewOfEncoder({
      isEnabled: true,
      isConfigured: true,
      status: null,
      freshness: { ...fresh, isLoaded },
    })
  expect(view(false)).toMatchObject({ family: 'move', word: 'Reading' })
  expect(view(true)).toMatchObject({ family: 'blind', word: 'Error', cause: 'status not read' })
})

test('a picture that is four beats old is no claim about now, a younger one holds', () => {
  const brokenFor = (ms: number): Freshness => ({ ...fresh, brokenSinceMs: NOW_MS - ms })
  expect(isStale(brokenFor(STALE_AFTER_MS))).toBe(false)
  expect(encoder({}, brokenFor(STALE_AFTER_MS))).toEqual(['ok', 'disc', 'Running', ''])
  const stale = brokenFor(STALE_AFTER_MS + 1)
  expect(encoder({}, stale)).toEqual(['blind', 'diamond-question', 'Unknown', 'stale'])
  const off = viewOfEncoder({
    isEnabled: false,
    isConfigured: true,
    status: null,
    freshness: stale,
  })
  expect(off.word).toBe('Disabled')
})

test('the evidence of an encoder: its process, and its media only where there is any', () => {
  const truths = (parts: Partial<ProgramStatus>) =>
    truthsOfEncoder({
      isEnabled: true,
      isConfigured: true,
      status: status(parts),
      freshness: fresh,
    }).map((truth) => [truth.name, truth.family, truth.text])
  expect(truths({})).toEqual([
    ['Process', 'ok', 'Running, pid 4121'],
    ['Media', 'ok', '1846 kbps'],
  ])
  expect(truths({ reading: null })).toEqual([
    ['Process', 'ok', 'Running, pid 4121'],
    ['Media', 'warn', 'no media'],
  ])
  expect(truths({ state: 'stopped' })).toEqual([
    ['Process', 'bad', 'Stopped, should run'],
    ['Media', 'off', 'Nothing to read'],
  ])
  expect(truths({ state: 'unreachable' })[1]).toEqual(['Media', 'blind', 'Not read'])
})

test('the tally counts what needs somebody, and nothing else', () => {
  expect(tallyOf(['ok', 'bad', 'warn', 'warn', 'off', 'move', 'blind'])).toEqual({
    bad: 1,
    blind: 1,
    warn: 2,
  })
  expect(
    ['bad', 'blind', 'warn', 'move', 'off', 'ok'].filter((one) => needsAttention(one as 'ok')),
  ).toEqual(['bad', 'blind', 'warn'])
})

test('a state as one phrase', () => {
  expect(sentenceOf({ word: 'Stopped', cause: 'should run' })).toBe('Stopped, should run')
  expect(sentenceOf({ word: 'Running', cause: '' })).toBe('Running')
})
