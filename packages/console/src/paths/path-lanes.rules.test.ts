import { expect, test } from 'vitest'
import { endsOf, joinsOf, lanesOf } from './path-lanes.rules.ts'

const EDGES: Readonly<Record<string, readonly string[]>> = {
  'feeder 1': ['camera 1'],
  'feeder 2': ['camera 2'],
  'input 1': ['feeder 1'],
  'input 2': ['feeder 2'],
  'to far end': ['input 1'],
  'to channel': ['input 1'],
  'from 2': ['input 2'],
  channel: ['to channel', 'from 2'],
}
const before = (key: string) => EDGES[key] ?? []
const STAGES = [
  ['camera 1', 'camera 2'],
  ['feeder 1', 'feeder 2'],
  ['input 1', 'input 2'],
  ['to far end', 'to channel', 'from 2'],
  ['channel'],
]

test('each hop stands behind what feeds it, and what is split in the next free lane', () => {
  const lanes = lanesOf(STAGES, before)
  expect(STAGES.map((stage) => stage.map((key) => lanes.get(key)))).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1, 2],
    [1],
  ])
})

test('a line joins the lanes of what is split or comes together', () => {
  const lanes = lanesOf(STAGES, before)
  expect(STAGES.map((stage) => joinsOf(stage, before, lanes))).toEqual([
    [],
    [],
    [],
    [{ first: 0, last: 2 }],
    [{ first: 1, last: 2 }],
  ])
})

test('a line that ends at a join has no hop right behind it', () => {
  const lanes = lanesOf(STAGES, before)
  expect(STAGES.map((stage) => endsOf(stage, before, lanes))).toEqual([[], [], [], [], [2]])
})
