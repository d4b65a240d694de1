import { expect, test } from 'vitest'
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { stageOf } from './path-line.rules.ts'
import type { LiveHop } from './signal-path.hook.ts'

const hidden = (key: string, family: Family): LiveHop => {
  return { isShown: false, key, side: 'behind', why: 'group', family }
}

test('of many hops side by side those in trouble are named, the rest is counted with its worst', () => {
  const hops = [hidden('a', 'ok'), hidden('b', 'warn'), hidden('c', 'off'), hidden('d', 'bad')]
  const stage = stageOf([...hops, hidden('e', 'warn')])
  expect(stage.shown.map(({ key }) => key)).toEqual(['d', 'b'])
  expect(stage).toMatchObject({ more: 3, moreFamily: 'warn' })
  expect(stageOf(hops.slice(0, 2))).toMatchObject({ more: 0 })
  // Nothing in trouble: as the path has them.
  const quiet = stageOf([hidden('a', 'off'), hidden('b', 'ok'), hidden('c', 'ok')])
  expect(quiet.shown.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(quiet).toMatchObject({ more: 1, moreFamily: 'ok' })
})
