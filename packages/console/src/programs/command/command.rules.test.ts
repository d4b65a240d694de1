import { ProgramState } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { HOST_DOES_NOT_ANSWER, interruptSentences } from './command.messages.ts'
import { inert, MAY, offersStop, rightByState } from './command.rules.ts'

test('DASH-15 a running or starting encoder can be stopped, any other started', () => {
  const stoppable = ProgramState.options.filter((state) => offersStop(state))
  expect(stoppable).toEqual(['starting', 'running', 'backoff', 'stopping'])
  expect(offersStop(null)).toBe(false)
})

const REASONS = { notRead: 'not read', notRunning: 'not running' }

test.each([
  ['start', null, inert('not read')],
  ['start', 'unknown', inert('not read')],
  ['start', 'unreachable', inert(HOST_DOES_NOT_ANSWER)],
  ['start', 'stopped', MAY],
  ['stop', 'backoff', MAY],
  ['restart', 'stopped', inert('not running')],
  ['restart', 'running', MAY],
] as const)('%s of what is %s', (command, state, right) => {
  expect(rightByState(command, state, REASONS)).toEqual(right)
})

test('the question says what loses the stream, and for how long', () => {
  expect(interruptSentences('stop', 'Camera 3', 'Its outputs lose the stream', 'it is')).toEqual([
    'Stop Camera 3.',
    'Its outputs lose the stream until it is started again.',
  ])
  expect(interruptSentences('restart', '2 inputs', 'They receive nothing', 'they are')).toEqual([
    'Restart 2 inputs.',
    'They receive nothing for a few seconds.',
  ])
})
