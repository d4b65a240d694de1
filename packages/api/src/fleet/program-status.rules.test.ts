import { PROOF_WITHIN_MS } from '@trunkline/contract/fleet/state-view.rules'
import {
  CHANNEL_OFF,
  HOST_NOT_HEARD,
  isRunningText,
  ProgramState,
  SILENT_HOST,
  toContributionStatus,
  toEncoderStatus,
} from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import type { LinkStatus } from '../hosts/linked-host.ts'
import type { KnownReport } from '../hosts/host-reports.ts'
import type { WantedProgram } from '../programs/wanted-program.ts'
import { fakeReport, movingSince } from '../testing/fake-host.ts'
import {
  differsByReadingOnly,
  feedTrouble,
  isFeedTrouble,
  programStatus,
  withReceiver,
} from './program-status.rules.ts'

const online: LinkStatus = { online: true, sinceMs: 500, fault: null }
const away: LinkStatus = {
  online: false,
  sinceMs: 900,
  fault: { kind: 'timeout', sentence: 'It is silent.' },
}

function wanted(more: Partial<WantedProgram> = {}): WantedProgram {
  return {
    programId: 'input-a',
    kind: 'input',
    id: 'a',
    isEnabled: true,
    wanted: 'running',
    revision: 'r2',
    ...more,
  } as WantedProgram
}

function report(more: Partial<KnownReport> = {}): KnownReport {
  const known = { ...fakeReport('input-a', 100), readAtMs: 800, wanted: 'running' as const }
  const revisions = { appliedRevision: 'r2', runningRevision: 'r2' }
  return { ...known, ...revisions, state: 'running', pid: 7, startedAtMs: 100, ...more }
}

function status(
  parts: Partial<Parameters<typeof programStatus>[0]> = {},
): ReturnType<typeof programStatus> {
  return programStatus({
    wanted: wanted(),
    report: report(),
    link: online,
    refusal: '',
    thresholdOf: () => null,
    ...parts,
  })
}

test('the state of a host that answers is used', () => {
  expect(status()).toMatchObject({
    state: 'running',
    pid: 7,
    sinceMs: 100,
    readAtMs: 800,
    cause: '',
  })
})

test('of a host that was not heard of yet nothing is known, not that it is unreachable', () => {
  const link = { ...away, fault: null }
  const unheard = status({ report: undefined, link })
  expect(unheard).toMatchObject({ state: 'unknown', cause: HOST_NOT_HEARD, sinceMs: 900 })
  expect(toEncoderStatus('encoder0', unheard, 1000)).toEqual({
    status: false,
    results: '',
    error: HOST_NOT_HEARD,
    state: 'unknown',
  })
  // The API has just started.
  expect(status({ link: null })).toMatchObject({ state: 'unknown', cause: HOST_NOT_HEARD })
})

test('F8 an unreachable host makes its programs unreachable, and keeps the last reading', () => {
  expect(status({ link: away })).toMatchObject({
    state: 'unreachable',
    sinceMs: 900,
    cause: SILENT_HOST,
    pid: 7,
    startedAtMs: 100,
    readAtMs: 800,
  })
})

test('a program that its host does not have is absent, with the cause', () => {
  const refusal = 'Port 6000 is taken.'
  expect(status({ report: undefined, refusal })).toMatchObject({ state: 'absent', cause: refusal })
  expect(status({ report: undefined }).cause).not.toBe('')
})

test('DASH-14 a state of unknown begin has no age', () => {
  const off = { wanted: wanted({ isEnabled: false, wanted: 'stopped' }), report: undefined }
  expect(status(off).sinceMs).toBeNull()
  expect(status({ report: undefined }).sinceMs).toBeNull()
  expect(status({ report: undefined, link: null }).sinceMs).toBeNull()
  expect(
    status({ report: report({ state: 'stopped', pid: null, sinceMs: null }) }).sinceMs,
  ).toBeNull()
})

test('a disabled program without a report is stopped, whether its host answers or not', () => {
  const off = { wanted: wanted({ isEnabled: false, wanted: 'stopped' }), report: undefined }
  expect(status(off)).toMatchObject({ state: 'stopped', waitsForHost: false })
  expect(status({ ...off, link: away }).state).toBe('stopped')
})

test('what is disabled while its host is away waits for it where it ran when last heard of', () => {
  const off = { wanted: wanted({ isEnabled: false, wanted: 'stopped' }) }
  expect(status({ ...off, link: away }).waitsForHost).toBe(true)
  const stopped = report({ state: 'stopped', pid: null })
  expect(status({ ...off, link: away, report: stopped }).waitsForHost).toBe(false)
  // It is ended at once.
  expect(status(off).waitsForHost).toBe(false)
})

test.each([
  ['the host has the settings, the process too', report(), false, false],
  ['the process has older settings', report({ runningRevision: 'r1' }), false, true],
  [
    'the host has older settings',
    report({ appliedRevision: 'r1', runningRevision: 'r1' }),
    true,
    true,
  ],
  ['nothing runs', report({ state: 'stopped', runningRevision: '' }), false, false],
  ['it waits for its next try', report({ state: 'backoff', runningRevision: '' }), false, false],
  ['the host knows nothing', undefined, true, false],
])('%s', (_, known, waitsForHost, waitsForRestart) => {
  expect(status({ report: known })).toMatchObject({ waitsForHost, waitsForRestart })
})

test('a refusal shows where the program has no cause of its own', () => {
  expect(status({ refusal: 'Card 9 is not here.' }).cause).toBe('Card 9 is not here.')
  expect(status({ report: report({ cause: 'died' }), refusal: 'no' }).cause).toBe('died')
})

test('readings alone do not change the state', () => {
  const program = status()
  expect(differsByReadingOnly(program, { ...program, readAtMs: 999 })).toBe(true)
  expect(differsByReadingOnly(program, { ...program, state: 'fatal' })).toBe(false)
})

test.each([
  ['its encoder runs', {}, {}, 1000, ''],
  ['its encoder is stopped', {}, { state: 'stopped' }, 1000, 'Start the encoder'],
  ['its encoder died', {}, { state: 'fatal' }, 1000, 'Start the encoder'],
  ['the encoder’s host is away', {}, { state: 'unreachable' }, 1000, ''],
  [
    'older settings, nothing read for long',
    {},
    { waitsForRestart: true },
    60_000,
    'Restart the encoder',
  ],
  ['older settings, yet it reads', {}, { waitsForRestart: true }, 1000, ''],
  ['an encoder that was not heard of yet', {}, { state: 'unknown' }, 1000, ''],
  ['it is stopped itself', { state: 'stopped' }, { state: 'stopped' }, 1000, ''],
  ['an output whose input runs', { kind: 'output' }, { kind: 'input' }, 1000, ''],
  [
    'an output whose input is stopped',
    { kind: 'output' },
    { kind: 'input', state: 'stopped' },
    1000,
    'Start the input',
  ],
  [
    'an output whose input waits for a restart, and feeds it',
    { kind: 'output' },
    { kind: 'input', waitsForRestart: true },
    60_000,
    '',
  ],
] as const)('decisions 11: what feeds a feeder or output, %s', (_, own, source, nowMs, words) => {
  const of = { ...status(), kind: 'encoder', ...source } as const
  const trouble = feedTrouble({ ...status(), ...own }, of, nowMs)
  expect(trouble === '').toBe(words === '')
  expect(trouble).toContain(words)
  expect(isFeedTrouble(trouble)).toBe(words !== '')
})

test.each(ProgramState.options.filter((state) => state !== 'running'))(
  'STATE-02 STATE-03 Q93 %s never reads as running, and a failure never as stopped',
  (state) => {
    const cause = 'Segmentation fault'
    const seen = status({ report: report({ state, cause, pid: null, startedAtMs: null }) })
    expect(seen).toMatchObject({ state, sinceMs: 100, cause })
    const encoder = toEncoderStatus('encoder0', seen, 1000)
    expect(isRunningText(encoder.results)).toBe(false)
    expect(encoder.status ? encoder.results : 'STOPPED').toContain('STOPPED')
    const contribution = toContributionStatus('input-a', seen, 1000)
    // A contribution that is being started is on its way, not failed.
    expect(contribution.status).toBe(state === 'starting')
    const isFailed = ['backoff', 'fatal', 'exited', 'unknown'].includes(state)
    expect(contribution.error === cause).toBe(isFailed)
  },
)

test('the warning follows the threshold of the object, and findings stay in the API', () => {
  const losing = [0.1, 0.2].map((step) => ({ kind: 'losing' as const, sinceMs: 500 + step, step }))
  const silent = { kind: 'silent' as const, sinceMs: 700, step: null }
  const found = { warning: 'losing' as const, warningSinceMs: 500.1, findings: [...losing, silent] }
  const observed = { ...movingSince(100), ...found }
  const seen = (threshold: number) =>
    status({ report: report({ observed }), thresholdOf: () => threshold }).observed
  expect(seen(0.2)).toEqual({
    ...movingSince(100),
    warning: 'losing',
    warningSinceMs: 500.2,
    warningThresholdPercent: 0.2,
  })
  expect(seen(0.5)).toEqual({
    ...movingSince(100),
    warning: 'silent',
    warningSinceMs: 700,
    warningThresholdPercent: null,
  })
  const alone = { ...observed, findings: losing }
  const tolerated = status({ report: report({ observed: alone }), thresholdOf: () => 0.5 })
  expect(tolerated.observed).toEqual(movingSince(100))
})

test('a peer that went with its channel is lost only once it stays away after that is on again', () => {
  const silent = { ...movingSince(100), media: 'silent' } as const
  const lost = status({ report: report({ peer: 'disconnected', observed: silent }) })
  const on = { offCause: '', sinceMs: 5000, lostAtMs: 100 }
  const at = (nowMs: number) => withReceiver(lost, on, nowMs)
  expect(withReceiver(lost, { offCause: CHANNEL_OFF, sinceMs: 90, lostAtMs: 90 }, 200).cause).toBe(
    CHANNEL_OFF,
  )
  const waits = { peerSinceMs: 5000, media: 'waiting', mediaSinceMs: 5000 }
  expect(at(5000 + PROOF_WITHIN_MS)).toMatchObject({ peer: '', observed: waits })
  expect(at(5001 + PROOF_WITHIN_MS)).toBe(lost)
  const again = status({ report: report({ peer: 'disconnected', observed: movingSince(6000) }) })
  expect(withReceiver(again, on, 6001)).toBe(again)
  const here = status({ report: report({ peer: 'connected', observed: movingSince(100) }) })
  expect(withReceiver(here, { offCause: CHANNEL_OFF, sinceMs: 90, lostAtMs: 90 }, 200)).toBe(here)
  const back = status({ report: report({ peer: 'connected', observed: silent }) })
  expect(withReceiver(back, on, 6000).observed).toMatchObject({
    ...silent,
    media: 'waiting',
    mediaSinceMs: 5000,
  })
})
