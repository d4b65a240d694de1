import { expect, test } from 'vitest'
import type { ProgramStatus } from './fleet.schema.ts'
import { HOST_NOT_HEARD, PAUSED } from '../program-state.ts'
import type { Observed } from './observed.schema.ts'
import type { EncodeReading, LinkReading } from './reading.schema.ts'
import {
  isStale,
  FAMILIES,
  needsAttention,
  overdueAtMs,
  PROOF_WITHIN_MS,
  sentenceOf,
  STALE_AFTER_MS,
  stateView,
  truthsOfEncoder,
  viewOfEncoder,
  viewOfLink,
  type Freshness,
  type StateView,
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

/** Nothing began with the process, so that no age is another one's by chance. */
const seen: Observed = {
  peerSinceMs: NOW_MS - 50_000,
  peerFacts: null,
  media: 'moving',
  mediaSinceMs: NOW_MS - 40_000,
  warning: '',
  warningSinceMs: NOW_MS - 45_000,
}
const SILENT: Observed = { ...seen, media: 'silent', mediaSinceMs: NOW_MS - 7000 }
const WAITING: Observed = { ...seen, media: 'waiting', mediaSinceMs: NOW_MS - 1000 }
const NEVER: Observed = { ...seen, media: 'waiting', mediaSinceMs: NOW_MS - 30_000 }

function warned(warning: Observed['warning']): Observed {
  return { ...seen, warning, warningSinceMs: NOW_MS - 3000 }
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
    observed: seen,
    reading: encoding,
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    readAtMs: NOW_MS,
    ...parts,
  }
}

/** The last is for how long, in seconds. */
type Shown = [family: string, shape: string, word: string, cause: string, forS?: number | null]

function shown({ family, shape, word, cause, sinceMs }: StateView): Shown {
  const forS = sinceMs === null ? null : (NOW_MS - sinceMs) / 1000
  return [family, shape, word, cause, forS]
}

function encoder(parts: Partial<ProgramStatus>, freshness = fresh): Shown {
  return shown(
    viewOfEncoder({ isEnabled: true, isConfigured: true, status: status(parts), freshness }),
  )
}

function link(parts: Partial<ProgramStatus>): Shown {
  return shown(
    viewOfLink({
      kind: 'input',
      isEnabled: true,
      inputType: 'SRT',
      status: status({ kind: 'input', reading: receiving, peer: 'connected', ...parts }),
      freshness: fresh,
    }),
  )
}

test.each<[string, Partial<ProgramStatus>, Shown]>([
  ['well, since its last trouble ended', {}, ['ok', 'disc', 'Running', '', 40]],
  ['starting', { state: 'starting', sinceMs: NOW_MS - 2000 }, ['move', 'arc', 'Starting', '', 2]],
  [
    'starting for too long',
    { state: 'starting', sinceMs: NOW_MS - PROOF_WITHIN_MS - 1000 },
    ['bad', 'octagon', 'Error', 'does not come up', 21],
  ],
  ['stopping', { state: 'stopping' }, ['move', 'arc', 'Stopping', '', 60]],
  [
    'stopped by a person',
    { state: 'stopped', wanted: 'stopped' },
    ['off', 'square', 'Stopped', '', 60],
  ],
  [
    'never ran',
    { state: 'stopped', wanted: 'stopped', sinceMs: null },
    ['off', 'square', 'Stopped', '', null],
  ],
  [
    'its host not heard of yet',
    { state: 'unknown', cause: HOST_NOT_HEARD },
    ['blind', 'diamond-question', 'Offline', 'host not heard of yet', 60],
  ],
  [
    'stopped, but wanted',
    { state: 'stopped' },
    ['bad', 'octagon-square', 'Stopped', 'should run', 60],
  ],
  ['ended by itself', { state: 'exited' }, ['bad', 'octagon-square', 'Stopped', 'should run', 60]],
  [
    'ended, and unwanted',
    { state: 'exited', wanted: 'stopped' },
    ['off', 'square', 'Stopped', '', 60],
  ],
  [
    'a crash loop',
    { state: 'backoff', cause: 'no such card' },
    ['bad', 'octagon', 'Error', 'no such card', 60],
  ],
  ['given up', { state: 'fatal' }, ['bad', 'octagon', 'Error', 'cannot be started', 60]],
  ['not there', { state: 'absent' }, ['bad', 'octagon', 'Offline', 'not installed', 60]],
  [
    'host silent',
    { state: 'unreachable' },
    ['blind', 'diamond-x', 'Offline', 'host unreachable', 60],
  ],
  [
    'host silent, and unwanted: it needs nobody',
    { state: 'unreachable', wanted: 'stopped' },
    ['off', 'diamond-x', 'Offline', 'host unreachable', 60],
  ],
  [
    'given up, and unwanted: it needs nobody',
    { state: 'fatal', wanted: 'stopped' },
    ['off', 'octagon', 'Error', 'cannot be started', 60],
  ],
  ['not read', { state: 'unknown' }, ['blind', 'diamond-question', 'Error', 'status not read', 60]],
  ['up, media awaited', { observed: WAITING }, ['move', 'arc', 'Running', 'waiting for media', 1]],
  ['up, media never came', { observed: NEVER }, ['warn', 'ring', 'Running', 'no media', 30]],
  [
    'up, media stopped: the age is that of the silence, not of the process',
    { observed: SILENT },
    ['warn', 'ring', 'Running', 'no media', 7],
  ],
  [
    'too slow',
    { observed: warned('slow') },
    ['warn', 'triangle', 'Running', 'slower than real time', 3],
  ],
  [
    'its source is black',
    { observed: warned('black') },
    ['warn', 'triangle', 'Running', 'black picture', 3],
  ],
  [
    'a host that tells nothing but a reading',
    { observed: null, reading: { ...encoding, bitrateKbps: 0 } },
    ['warn', 'ring', 'Running', 'no media', 60],
  ],
])('STATE-02 an encoder: %s', (_, parts, expected) => {
  expect(encoder(parts)).toEqual(expected)
})

const KEY = 'The two ends have different passphrases (SRT: Incorrect passphrase).'
const REJECTED = 'The far end rejects the call (SRT: Peer rejected connection).'

test.each<[string, Partial<ProgramStatus>, Shown]>([
  ['well', {}, ['ok', 'disc', 'Running', '', 40]],
  [
    'the other end gone',
    { peer: 'disconnected', observed: SILENT },
    ['warn', 'half-disc', 'Running', 'no peer', 50],
  ],
  [
    'nobody came yet',
    { peer: '', observed: { ...WAITING, peerSinceMs: NOW_MS - 1000 } },
    ['move', 'arc', 'Running', 'connecting', 1],
  ],
  [
    'nobody came',
    { peer: '', observed: NEVER },
    ['warn', 'half-disc', 'Running', 'no peer yet', 50],
  ],
  [
    'a wrong key is reported at once',
    { peer: '', cause: KEY, observed: { ...WAITING, peerSinceMs: NOW_MS - 1600 } },
    ['warn', 'half-disc', 'Running', 'wrong passphrase', 1.6],
  ],
  [
    'a far end that rejects the call is reported at once',
    { peer: '', cause: REJECTED, observed: { ...WAITING, peerSinceMs: NOW_MS - 1600 } },
    ['warn', 'half-disc', 'Running', 'call rejected', 1.6],
  ],
  ['packets without a word of a peer', { peer: '' }, ['ok', 'disc', 'Running', '', 40]],
  [
    'RIST sends, and nobody answers',
    { peer: '', reading: { ...receiving, protocol: 'rist', direction: 'send' } },
    ['warn', 'half-disc', 'Running', 'no peer yet', 50],
  ],
  [
    'its peer came just now, and has sent nothing yet',
    { observed: { ...NEVER, peerSinceMs: NOW_MS - 500 } },
    ['move', 'arc', 'Running', 'waiting for media', 0.5],
  ],
  [
    'connected to an end with another passphrase',
    { cause: 'Connected, but the two ends have different passphrases (SRT: BADSECRET).' },
    ['warn', 'half-disc', 'Running', 'wrong passphrase', 50],
  ],
  ['connected, and empty', { observed: SILENT }, ['warn', 'ring', 'Running', 'no media', 7]],
  [
    'packets are lost',
    { observed: warned('losing') },
    ['warn', 'triangle', 'Running', 'losing packets', 3],
  ],
  [
    'nothing is to be heard in it',
    { observed: warned('silent') },
    ['warn', 'triangle', 'Running', 'silent audio', 3],
  ],
  [
    'two ways, one of them silent: the stream goes on, unprotected',
    { observed: warned('path-silent') },
    ['warn', 'triangle', 'Running', 'one path silent', 3],
  ],
  [
    'ended by itself (CON-IN: any other error text)',
    { state: 'exited', cause: 'bind: address in use' },
    ['bad', 'octagon', 'Error', 'bind: address in use', 60],
  ],
])('STATE-03 a link: %s', (_, parts, expected) => {
  expect(link(parts)).toEqual(expected)
})

test('disabled while the host is away: what ran there may still run', () => {
  const view = (waitsForHost: boolean) =>
    viewOfLink({
      kind: 'output',
      isEnabled: false,
      inputType: null,
      status: status({ kind: 'output', state: 'unreachable', wanted: 'stopped', waitsForHost }),
      freshness: fresh,
    })
  expect(shown(view(true))).toEqual(['off', 'ring-slash', 'Disabled', 'may still run', null])
  expect(shown(view(false))).toEqual(['off', 'ring-slash', 'Disabled', '', null])
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

test('a state that is four polls old is not current, a younger one is', () => {
  const brokenFor = (ms: number): Freshness => ({ ...fresh, brokenSinceMs: NOW_MS - ms })
  expect(isStale(brokenFor(STALE_AFTER_MS))).toBe(false)
  expect(encoder({}, brokenFor(STALE_AFTER_MS))).toEqual(['ok', 'disc', 'Running', '', 40])
  const stale = brokenFor(STALE_AFTER_MS + 1)
  expect(encoder({}, stale).slice(0, 4)).toEqual(['blind', 'diamond-question', 'Unknown', 'stale'])
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
    ['Media', 'ok', '1,846 kbit/s'],
  ])
  expect(truths({ observed: NEVER })).toEqual([
    ['Process', 'ok', 'Running, pid 4121'],
    ['Media', 'warn', 'no media'],
  ])
  expect(truths({ state: 'stopped' })).toEqual([
    ['Process', 'bad', 'Stopped, should run'],
    ['Media', 'off', 'Nothing to read'],
  ])
  expect(truths({ state: 'unreachable' })[1]).toEqual(['Media', 'blind', 'Not read'])
})

test('critical, unreachable and warning objects need attention', () => {
  expect(FAMILIES.filter(needsAttention)).toEqual(['bad', 'blind', 'warn'])
})

test('a state as one phrase', () => {
  expect(sentenceOf({ word: 'Stopped', cause: 'should run' })).toBe('Stopped, should run')
  expect(sentenceOf({ word: 'Running', cause: '' })).toBe('Running')
})

const viewAt = (nowMs: number, parts: Partial<ProgramStatus>) =>
  stateView({
    kind: parts.kind ?? 'encoder',
    isEnabled: true,
    isConfigured: true,
    inputType: null,
    status: status({ sinceMs: NOW_MS - 1000, ...parts }),
    freshness: { ...fresh, nowMs },
  })

test.each<[Partial<ProgramStatus>, string]>([
  [{ state: 'starting' }, 'bad'],
  [{ state: 'running', observed: WAITING }, 'warn'],
  [{ kind: 'input', peer: '', observed: { ...SILENT, peerSinceMs: NOW_MS - 1000 } }, 'warn'],
])('a view that changes with time says when: %j', (parts, family) => {
  const atMs = overdueAtMs(viewAt(NOW_MS, parts)) ?? 0
  expect(viewAt(atMs - 1, parts)).toEqual(viewAt(NOW_MS, parts))
  expect(viewAt(NOW_MS, parts).family).toBe('move')
  expect(viewAt(atMs, parts).family).toBe(family)
})

test.each<Partial<ProgramStatus>>([
  { state: 'stopping' },
  { state: 'running' },
  { state: 'stopped' },
  { state: 'fatal' },
  { state: 'unreachable' },
  { state: 'starting', sinceMs: null },
])('a view that does not change with time says no time: %j', (parts) => {
  const view = viewAt(NOW_MS, parts)
  expect(overdueAtMs(view)).toBeNull()
  expect(viewAt(NOW_MS + 1_000_000_000, parts)).toEqual(view)
})

test('a paused process is an error since it was found so, whatever it said last', () => {
  const paused = { cause: PAUSED, peer: '' } as const
  const found = { ...seen, peerSinceMs: NOW_MS - 4000 }
  const expected = ['bad', 'octagon', 'Error', 'process paused']
  expect(link({ ...paused, observed: found })).toEqual([...expected, 4])
  expect(encoder({ ...paused, observed: SILENT })).toEqual([...expected, 7])
})
