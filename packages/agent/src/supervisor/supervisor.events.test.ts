import { expect, test } from 'vitest'
import { parseEvent } from './supervisor.events.ts'

const HEAD = 'ver:3.0 server:trunkline serial:21 pool:host_events poolserial:10'

test('a state change as supervisord announces it', () => {
  const line = `${HEAD} eventname:PROCESS_STATE_EXITED len:68 processname:in1 groupname:in1 from_state:RUNNING expected:0 pid:2766`
  expect(parseEvent(line)).toEqual({
    programId: 'in1',
    to: 'exited',
    pid: 2766,
    serial: 10,
  })
})

test('a start event has no pid yet', () => {
  const line = `${HEAD} eventname:PROCESS_STATE_STARTING len:54 processname:in1 groupname:in1 from_state:STOPPED tries:0`
  expect(parseEvent(line)).toMatchObject({ to: 'starting', pid: null })
})

test.each([
  ['STOPPING', 'stopping'],
  ['RUNNING', 'running'],
])('supervisord reports its own state: %s', (word, supervisor) => {
  const line = `${HEAD} eventname:SUPERVISOR_STATE_CHANGE_${word} len:0 `
  expect(parseEvent(line)).toEqual({ supervisor, serial: 10 })
})

test.each(['', 'READY', `${HEAD} eventname:TICK_5 len:15 when:1201063880`])(
  'an event that is not a state change is ignored: %s',
  (line) => {
    expect(parseEvent(line)).toBeNull()
  },
)
