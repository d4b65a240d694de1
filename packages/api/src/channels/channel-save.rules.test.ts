import { expect, test } from 'vitest'
import { planSave } from './channel-save.rules.ts'

const groupsOfServer = () => ['north', 'south']
const KNOWN = { id: 'c1', name: 'one', server: { id: 's1' }, groupIds: ['north'] }

function picked(name: string, groupIds: string[] = [], more: object = {}) {
  return { serverId: 's1', name, title: name, groupIds, ...more }
}

test('Q125 a new channel without groups gets those of its server', () => {
  const plan = planSave([picked('two'), picked('three', ['north'])], [KNOWN], groupsOfServer)
  expect(plan).toEqual({
    additions: [picked('two', ['north', 'south']), picked('three', ['north'])],
    widened: [],
    knownIds: [],
  })
})

test('CHAN-39 Q126 a known channel keeps its title, and its groups unless more are named', () => {
  const again = [picked('one', [], { title: 'Other' })]
  expect(planSave(again, [KNOWN], groupsOfServer)).toEqual({
    additions: [],
    widened: [],
    knownIds: ['c1'],
  })
  expect(planSave([picked('one', ['north', 'south'])], [KNOWN], groupsOfServer)).toEqual({
    additions: [],
    widened: [{ channel: KNOWN, groupIds: ['south'] }],
    knownIds: ['c1'],
  })
})

test('the same name on another server is another channel', () => {
  const plan = planSave([picked('one', ['north'], { serverId: 's2' })], [KNOWN], groupsOfServer)
  expect(plan.additions).toHaveLength(1)
})

test('a stream that is selected twice becomes one channel of both groups, with the first title', () => {
  const twice = [
    picked('two', ['north'], { title: 'First' }),
    picked('two', ['south', 'north'], { title: 'Second' }),
  ]
  expect(planSave(twice, [], groupsOfServer).additions).toEqual([
    picked('two', ['north', 'south'], { title: 'First' }),
  ])
})
