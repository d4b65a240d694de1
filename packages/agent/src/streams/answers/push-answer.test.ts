import type { ProgramReport } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import { pushAnswer } from './push-answer.ts'

const PUSH = { url: 'rtmp://h.example/app/key', disabled: false }

function report(more: Partial<ProgramReport>): ProgramReport {
  return {
    programId: 'ch-a-push-b',
    state: 'running',
    wanted: 'running',
    sinceMs: 1,
    startedAtMs: 1000,
    pid: 7,
    cause: '',
    restarts: 0,
    retries: 0,
    hasFarEnd: true,
    peer: 'connected',
    observed: null,
    appliedRevision: 'a',
    runningRevision: 'a',
    changedByHand: '',
    reading: null,
    ...more,
  }
}

const NOW_MS = 100_000

const idle = {
  kind: 'encode' as const,
  atMs: NOW_MS,
  bitrateKbps: 0,
  framesPerSecond: 0,
  speed: 0,
  droppedFrames: 0,
  duplicatedFrames: 0,
}

const sending = { ...idle, bitrateKbps: 900, bytes: 5000 }

function factsOf(of: ProgramReport | null) {
  return { isStreamOff: false, report: of, refusal: '', nowMs: NOW_MS }
}

function statsOf(of: ProgramReport) {
  return pushAnswer(PUSH, factsOf(of)).stats
}

test.each<[string, Partial<ProgramReport>, string]>([
  ['its far end takes it', {}, 'running'],
  ['datagrams have no far end', { peer: '', hasFarEnd: false }, 'running'],
  ['there is nothing to send', { reading: idle }, 'stalling'],
  ['first try', { peer: '' }, 'starting'],
  ['tried before', { peer: '', retries: 2 }, 'retry'],
  ['lost', { peer: 'disconnected', retries: 1 }, 'retry'],
  ['refused', { peer: 'disconnected', cause: 'Connection refused' }, 'retry'],
  ['process starts', { state: 'starting', peer: 'disconnected' }, 'starting'],
  ['process starts again', { state: 'starting', restarts: 1 }, 'retry'],
  ['process ended', { state: 'backoff', restarts: 1, cause: 'x' }, 'retry'],
  ['process given up', { state: 'fatal', restarts: 4, cause: 'x' }, 'error'],
  ['process could not be started', { state: 'stopped', cause: 'port taken' }, 'error'],
])('CHAN: the state of a push: %s', (_what, more, status) => {
  expect(statsOf(report(more))).toMatchObject({ status })
})

test('CHAN: a push that does not run says how often and why, without its key', () => {
  const waiting = report({ peer: 'disconnected', retries: 3, cause: 'C' })
  expect(pushAnswer(PUSH, factsOf(waiting))).toEqual({
    url: 'rtmp://h.example/app/***',
    disabled: false,
    stats: { status: 'retry', retries: 3, last_error: 'C', opened_at: 1000 },
  })
  expect(statsOf(report({ peer: 'disconnected', retries: 3 }))?.last_error).toMatch(
    /does not answer/,
  )
  const refused = { ...factsOf(null), refusal: 'This host cannot.' }
  expect(pushAnswer(PUSH, refused).stats).toEqual({
    status: 'error',
    retries: 0,
    last_error: 'This host cannot.',
  })
})

test('CHAN: a push that is switched off shows no error, and sends nothing', () => {
  const off = { status: 'pending', retries: 0 }
  const failed = report({ state: 'fatal', restarts: 4, cause: 'x', reading: sending })
  expect(pushAnswer({ ...PUSH, disabled: true }, factsOf(failed)).stats).toEqual(off)
  expect(pushAnswer(PUSH, { ...factsOf(failed), isStreamOff: true }).stats).toEqual(off)
  expect(statsOf(report({ cause: 'of old' }))).not.toHaveProperty('last_error')
})

test('CHAN: the sum of a push stays, its rate only while it is recent', () => {
  const withReading = report({ reading: sending })
  expect(statsOf(withReading)).toMatchObject({ bytes: 5000, bitrate: 900 })
  const later = pushAnswer(PUSH, { ...factsOf(withReading), nowMs: NOW_MS + 60_000 }).stats
  expect(later).toMatchObject({ bytes: 5000 })
  expect(later).not.toHaveProperty('bitrate')
  // Nobody counts datagrams that nobody has to take.
  expect(statsOf(report({ peer: '' }))).not.toHaveProperty('bytes')
})
