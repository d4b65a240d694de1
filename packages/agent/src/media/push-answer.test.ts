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
    peer: 'connected',
    appliedRevision: 'a',
    runningRevision: 'a',
    changedByHand: '',
    reading: null,
    ...more,
  }
}

const idle = {
  kind: 'encode' as const,
  atMs: 1,
  bitrateKbps: 0,
  framesPerSecond: 0,
  speed: 0,
  droppedFrames: 0,
  duplicatedFrames: 0,
}

test.each<[string, Partial<ProgramReport>, string]>([
  ['its far end takes it', {}, 'running'],
  ['datagrams have no far end', { peer: '' }, 'running'],
  ['there is nothing to send', { reading: idle }, 'stalling'],
  ['first try', { peer: 'disconnected' }, 'starting'],
  ['tried before', { peer: 'disconnected', retries: 2 }, 'retry'],
  ['refused', { peer: 'disconnected', cause: 'Connection refused' }, 'retry'],
  ['process starts', { state: 'starting', peer: 'disconnected' }, 'starting'],
  ['process starts again', { state: 'starting', restarts: 1 }, 'retry'],
  ['process ended', { state: 'backoff', restarts: 1, cause: 'x' }, 'retry'],
  ['process given up', { state: 'fatal', restarts: 4, cause: 'x' }, 'error'],
  ['process could not be started', { state: 'stopped', cause: 'port taken' }, 'error'],
])('CHAN: the state of a push says what is so: %s', (_what, more, status) => {
  expect(pushAnswer(PUSH, false, report(more)).stats).toMatchObject({ status })
})

test('CHAN: a push that does not run says how often and why, without its key', () => {
  expect(pushAnswer(PUSH, false, report({ peer: 'disconnected', retries: 3, cause: 'C' }))).toEqual(
    {
      url: 'rtmp://h.example/app/***',
      disabled: false,
      stats: { status: 'retry', retries: 3, last_error: 'C', opened_at: 1000 },
    },
  )
  const silent = pushAnswer(PUSH, false, report({ peer: 'disconnected', retries: 3 }))
  expect(silent.stats?.last_error).toMatch(/does not answer/)
  expect(pushAnswer(PUSH, false, null, 'This host cannot.').stats).toEqual({
    status: 'error',
    retries: 0,
    last_error: 'This host cannot.',
  })
})

test('CHAN: one that is switched off tells of no trouble', () => {
  const off = { status: 'pending', retries: 0 }
  const failed = report({ state: 'fatal', restarts: 4, cause: 'x' })
  expect(pushAnswer({ ...PUSH, disabled: true }, false, failed).stats).toEqual(off)
  expect(pushAnswer(PUSH, true, failed).stats).toEqual(off)
  expect(pushAnswer(PUSH, false, report({ cause: 'of old' })).stats).not.toHaveProperty(
    'last_error',
  )
})
