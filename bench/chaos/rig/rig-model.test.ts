import { expect, test } from 'vitest'
import { touchedPrograms, untrueStates, wrongStates } from './rig-model.ts'

const NONE = new Set<string>()
const running = (...processes: string[]) => new Map([['input-1', new Set(processes)]])

test.each([
  ['the same processes', running('1:5', '2:6'), []],
  ['a process that was started anew', running('1:5', '3:9'), ['input-1']],
  ['a later process with the same pid', running('1:5', '2:9'), ['input-1']],
  ['a second process of the program', running('1:5', '2:6', '3:9'), ['input-1']],
  ['none', running(), ['input-1']],
])('Rule 0 after a fault of the control plane %s', (_name, after, touched) => {
  expect(touchedPrograms(running('1:5', '2:6'), after, NONE)).toEqual(touched)
  expect(touchedPrograms(running('1:5', '2:6'), after, new Set(['input-1']))).toEqual([])
})

test('Rule 0 a running link is shown as running or not known, never as stopped', () => {
  const states = ['running', 'unreachable', 'unknown', 'stopped', 'absent'] as const
  const shown = states.map((state) => ({ id: 'a', state }))
  expect(wrongStates(shown, NONE)).toEqual(['a shown as stopped', 'a shown as absent'])
  expect(wrongStates(shown, new Set(['a']))).toEqual([])
})

test('what is shown is compared with supervisord, by state and process', () => {
  const real = new Map([['input-1', { state: 'running' as const, pid: 7 }]])
  const shownAs = (state: 'running' | 'stopped', pid: number | null) =>
    untrueStates(real, new Map([['input-1', { state, pid }]]))
  expect(shownAs('running', 7)).toEqual([])
  expect(shownAs('running', 6)).toEqual(['input-1: shown running 6, is running 7'])
  expect(shownAs('stopped', null)).toEqual(['input-1: shown stopped , is running 7'])
  expect(untrueStates(new Map(), new Map([['x', { state: 'running' as const, pid: 1 }]]))).toEqual([
    'x: shown running 1, is absent ',
  ])
})
