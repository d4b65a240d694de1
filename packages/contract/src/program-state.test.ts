import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  contributionChip,
  isRunningText,
  peerStateFromLog,
  START_MARK,
  causeOfEncoderReply,
  ProgramState,
  stateFromSupervisor,
  stateOfContributionReply,
  stateOfEncoderReply,
  stateOfFeederReply,
  toContributionStatus,
  toEncoderStatus,
  uptimeFromResults,
  uptimeText,
  type StateEvidence,
} from './program-state.ts'

const NOW_MS = 1_795_000_000_000

function evidence(state: ProgramState, more: Partial<StateEvidence> = {}): StateEvidence {
  return { state, wanted: 'running', pid: null, startedAtMs: null, cause: '', ...more }
}

test.each([
  ['STOPPED', 'stopped'],
  ['STARTING', 'starting'],
  ['RUNNING', 'running'],
  ['BACKOFF', 'backoff'],
  ['STOPPING', 'stopping'],
  ['EXITED', 'exited'],
  ['FATAL', 'fatal'],
  ['UNKNOWN', 'unknown'],
  ['nonsense', 'unknown'],
])('supervisord state %s is shown as %s', (statename, state) => {
  expect(stateFromSupervisor(statename)).toBe(state)
})

test('M12 a running encoder answers supervisord’s own text with pid and uptime', () => {
  const running = evidence('running', { pid: 7, startedAtMs: NOW_MS - 62_000 })
  expect(toEncoderStatus('encoder0', running, NOW_MS)).toEqual({
    status: true,
    results: 'encoder0 RUNNING pid 7, uptime 0:01:02',
    state: 'running',
  })
})

test('STATE-04 Q93 every text of a state that is not running contains STOPPED and not RUNNING', () => {
  const others = ProgramState.options.filter((state) => !['running', 'unreachable'].includes(state))
  for (const state of others) {
    const reply = toEncoderStatus('encoder0', evidence(state), NOW_MS)
    expect(reply.status).toBe(true)
    expect(reply.results).toContain('STOPPED')
    expect(isRunningText(reply.results)).toBe(false)
  }
})

test('Q58 a silent host is an answer with its reason, not a state of the program', () => {
  const silent = evidence('unreachable', { cause: 'The host refused the connection.' })
  expect(toEncoderStatus('encoder0', silent, NOW_MS)).toEqual({
    status: false,
    results: '',
    error: 'The host refused the connection.',
    state: 'unreachable',
  })
})

test.each([
  ['running', evidence('running'), true, undefined, 'Running'],
  ['starting', evidence('starting'), true, undefined, 'Running'],
  ['stopped', evidence('stopped', { wanted: 'stopped' }), false, 'exit status 3', 'Stopped'],
  [
    'exited as wanted',
    evidence('exited', { wanted: 'stopped' }),
    false,
    'exit status 3',
    'Stopped',
  ],
  ['host away', evidence('unreachable'), false, 'exit status 4', 'Offline'],
  ['not installed', evidence('absent'), false, 'exit status 4', 'Offline'],
  [
    'crash loop',
    evidence('backoff', { cause: 'exit status 255: port in use' }),
    false,
    'exit status 255: port in use',
    'Error',
  ],
  ['fatal, log empty', evidence('fatal'), false, 'FATAL with nothing in its log', 'Error'],
  ['died unasked', evidence('exited', { cause: 'killed' }), false, 'killed', 'Error'],
] as const)('decisions 14, contribution dialect: %s', (_, given, status, error, chip) => {
  const reply = toContributionStatus('in1', given, NOW_MS)
  expect(reply.status).toBe(status)
  expect(reply.error).toBe(error)
  expect(contributionChip(reply)).toBe(chip)
})

test('STATE-03 no error counts as stopped, Disabled and unknown have chips of their own', () => {
  expect(contributionChip(null)).toBe('loading')
  expect(contributionChip({ status: false })).toBe('Stopped')
  expect(contributionChip({ status: false, error: 'Disabled' })).toBe('Disabled')
  expect(contributionChip({ status: false, error: 'unknown' })).toBe('Error')
})

test('STATE-02 FEED-05 without our state an encoder’s answer is read from its text', () => {
  for (const state of ProgramState.options) {
    const given = evidence(state, { cause: state === 'fatal' ? 'no route (1)' : '' })
    const { state: _, ...specified } = toEncoderStatus('encoder0', given, NOW_MS)
    expect(stateOfEncoderReply(specified), state).toBe(state)
    const isSilent = state === 'unreachable'
    expect(stateOfFeederReply(specified), state).toBe(isSilent ? 'unknown' : state)
  }
  const text = (results: string) => ({ status: true, results })
  expect(stateOfEncoderReply(text('encoder0 STOPPED Nov 21 13:58'))).toBe('stopped')
  expect(stateOfEncoderReply(text(''))).toBe('stopped')
  expect(stateOfFeederReply(text('west up'))).toBe('running')
  expect(causeOfEncoderReply(text('west STOPPED (FATAL no route (1))'))).toBe('no route (1)')
})

test.each([
  [{ status: true }, 'running'],
  [{ status: false }, 'stopped'],
  [{ status: false, error: 'exit status 3' }, 'stopped'],
  [{ status: false, error: 'exit status 4' }, 'unreachable'],
  [{ status: false, error: 'unknown' }, 'unknown'],
  [{ status: false, error: 'Disabled' }, 'stopped'],
  [{ status: false, error: 'exit status 255: port in use' }, 'fatal'],
] as const)('STATE-03 %j without our state means %s', (reply, state) => {
  expect(stateOfContributionReply({ results: '', ...reply })).toBe(state)
})

test.each([
  [0, '0:00:00'],
  [754_999, '0:12:34'],
  [86_400_000 + 3_662_000, '1 day, 1:01:02'],
  [3 * 86_400_000 + 7000, '3 days, 0:00:07'],
  [-5, '0:00:00'],
])('CON-IN-25 uptime of %i ms reads %s', (durationMs, text) => {
  expect(uptimeText(durationMs)).toBe(text)
})

test('DASH-14 uptime is the text after the word uptime, nothing when absent', () => {
  expect(uptimeFromResults('in1 RUNNING pid 4, uptime 5 days, 7:18:14\n')).toBe('5 days, 7:18:14')
  expect(uptimeFromResults('in1 STOPPED')).toBe('')
})

test('uptime survives a round trip for every duration', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4_000_000_000 }), (durationMs) => {
      const running = evidence('running', { pid: 1, startedAtMs: NOW_MS - durationMs })
      const { results } = toEncoderStatus('encoder0', running, NOW_MS)
      expect(uptimeFromResults(results)).toBe(uptimeText(durationMs))
    }),
  )
})

test.each([
  [['SRT source disconnected', '1316 bytes lost'], 'disconnected'],
  [['SRT source disconnected', 'Accepted SRT source connection', '12 bytes'], 'connected'],
  [['SRT target connected'], 'connected'],
  [["Media path: 'udp://…'"], ''],
  [[], ''],
] as const)('FEED-11 STATE-05 %j means %s', (lines, peer) => {
  expect(peerStateFromLog(lines)).toBe(peer)
})

test('FEED-12 Q96 lines of an earlier process about its peer do not count for the newest process', () => {
  const lines = ['SRT target connected', `${START_MARK} 2026-11-23T06:00:00Z (pid 7)`]
  expect(peerStateFromLog(lines)).toBe('')
  expect(peerStateFromLog([...lines, 'Media path: a --> b'])).toBe('')
  expect(peerStateFromLog([...lines, 'Accepted SRT source connection'])).toBe('connected')
})
