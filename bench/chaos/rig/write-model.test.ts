import { expect, test } from 'vitest'
import {
  checkWrites,
  type Action,
  type Outcome,
  type RecordedChange,
  type StoredRow,
  type Write,
} from './write-model.ts'

const write = (action: Action, value: number, outcome: Outcome): Write => ({
  tag: 'w0-1',
  action,
  value,
  outcome,
})
const row = (value: number, version: number): StoredRow => ({
  id: 'a',
  title: `w0-1 ${value}`,
  version,
})
const done = (...actions: Action[]): RecordedChange[] =>
  actions.map((action) => ({ id: 'a', action }))

const NONE = { lost: [], unexpected: [], torn: [] }
const ADDED = write('add', 0, 'acknowledged')

test.each<[string, Write[], StoredRow[], RecordedChange[]]>([
  ['an acknowledged add', [ADDED], [row(0, 1)], done('add')],
  [
    'an add without an answer that was stored',
    [write('add', 0, 'unknown')],
    [row(0, 1)],
    done('add'),
  ],
  ['an add without an answer that was not', [write('add', 0, 'unknown')], [], []],
  ['a refused update', [ADDED, write('update', 1, 'refused')], [row(0, 1)], done('add')],
  [
    'an update without an answer that was stored',
    [ADDED, write('update', 1, 'unknown')],
    [row(1, 2)],
    done('add', 'update'),
  ],
  ['a removal', [ADDED, write('remove', 1, 'acknowledged')], [], done('add', 'remove')],
])('F1 %s is no fault', (_name, writes, rows, recorded) => {
  expect(checkWrites(writes, rows, recorded)).toEqual(NONE)
})

test.each<[string, keyof typeof NONE, Write[], StoredRow[], RecordedChange[]]>([
  ['an acknowledged add that is not there', 'lost', [ADDED], [], []],
  [
    'an acknowledged update that is not there',
    'lost',
    [ADDED, write('update', 1, 'acknowledged')],
    [row(0, 1)],
    done('add'),
  ],
  [
    'a removed object that is there',
    'lost',
    [ADDED, write('remove', 1, 'acknowledged')],
    [row(0, 1)],
    done('add'),
  ],
  [
    'a refused update that is there',
    'unexpected',
    [ADDED, write('update', 1, 'refused')],
    [row(1, 2)],
    done('add', 'update'),
  ],
  ['a row that nobody wrote', 'unexpected', [], [row(0, 1)], done('add')],
  [
    'an update that was carried out twice',
    'unexpected',
    [ADDED, write('update', 1, 'acknowledged')],
    [row(1, 3)],
    done('add', 'update', 'update'),
  ],
  ['a row without its line', 'torn', [ADDED], [row(0, 1)], []],
  ['a line without its row', 'torn', [write('add', 0, 'unknown')], [], done('add')],
  ['a removal without its line', 'torn', [ADDED, write('remove', 1, 'unknown')], [], done('add')],
  [
    'a line of a removal whose row is there',
    'torn',
    [ADDED, write('remove', 1, 'unknown')],
    [row(0, 2)],
    done('add', 'remove'),
  ],
])('F1 %s is found, as %s', (_name, kind, writes, rows, recorded) => {
  const faults = checkWrites(writes, rows, recorded)
  expect({ ...faults, [kind]: [] }).toEqual(NONE)
  expect(faults[kind]).toHaveLength(1)
})
