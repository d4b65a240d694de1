import { expect, test } from 'vitest'
import type { Family } from '../fleet/state-view.rules.ts'
import { withDelivery } from './delivery.rules.ts'
import type { Hop, HopFact, HopKind, ShownHop } from './path.schema.ts'

const WELL = { family: 'ok', shape: 'disc', sinceMs: null } as const

function hop(kind: HopKind, id: string, family: Family, readAtMs = 1000): ShownHop {
  const process: HopFact = { name: 'process', ...WELL, family, text: 'Running', readAtMs }
  const media: HopFact = { name: 'media', ...WELL, text: '4,500 kbit/s', readAtMs }
  return {
    isShown: true,
    key: id,
    side: 'self',
    kind,
    id,
    title: id,
    groups: [],
    server: '',
    hostKey: '',
    isEnabled: true,
    isConfigured: true,
    inputType: null,
    link: null,
    serverId: '',
    streamName: '',
    ownerId: '',
    groupId: '',
    state: { family, shape: 'disc', word: 'Running', cause: '', sinceMs: null },
    facts: family === 'off' ? [process] : [process, media],
  }
}

const HIDDEN: Hop = { isShown: false, key: 'hidden 0', side: 'behind', why: 'group', family: 'ok' }

function deliveryOf(first: ShownHop, behind: readonly Hop[], isCut = false) {
  const edges = behind.map(({ key }) => ({ before: first.key, behind: key }))
  const [drawn] = withDelivery<Hop>([first, ...behind], edges, isCut)
  return drawn?.isShown === true ? drawn.facts.filter(({ name }) => name === 'delivery') : []
}

test('an encoder says how many of its feeders deliver, and how old that is', () => {
  const encoder = hop('encoder', 'e', 'ok')
  const feeders = [hop('feeder', 'f1', 'ok', 900), hop('feeder', 'f2', 'ok', 800)]
  expect(deliveryOf(encoder, feeders)).toEqual([
    { name: 'delivery', ...WELL, text: '2 of 2 feeders deliver', readAtMs: 800 },
  ])
  const [lost] = deliveryOf(encoder, [hop('feeder', 'f3', 'bad'), ...feeders])
  expect(lost).toMatchObject({ family: 'warn', text: '2 of 3 feeders deliver' })
})

test('what is off on purpose is not counted', () => {
  const encoder = hop('encoder', 'e', 'ok')
  expect(deliveryOf(encoder, [hop('feeder', 'f', 'off')])).toEqual([])
  expect(deliveryOf(encoder, [hop('feeder', 'f', 'off'), hop('feeder', 'g', 'ok')])).toMatchObject([
    { text: 'Its feeder delivers' },
  ])
})

test('a single hop is named without a count', () => {
  expect(deliveryOf(hop('input', 'i', 'ok'), [hop('channel', 'c', 'bad')])).toMatchObject([
    { family: 'warn', text: 'Its channel does not deliver' },
  ])
})

test('an input counts outputs and channels, also those that the viewer does not see', () => {
  const input = hop('input', 'i', 'ok')
  expect(deliveryOf(input, [hop('output', 'o', 'ok'), hop('channel', 'c', 'ok')])).toMatchObject([
    { text: '2 of 2 hops behind it deliver' },
  ])
  expect(deliveryOf(input, [HIDDEN])).toMatchObject([
    { text: 'The hop behind it delivers', readAtMs: null },
  ])
})

test('no delivery is shown for a hop that sends nothing, for the end of a path, and for a path that is cut', () => {
  const feeder = hop('feeder', 'f', 'ok')
  expect(deliveryOf(hop('encoder', 'e', 'off'), [feeder])).toEqual([])
  expect(deliveryOf(hop('encoder', 'e', 'ok'), [])).toEqual([])
  expect(deliveryOf(hop('encoder', 'e', 'ok'), [feeder], true)).toEqual([])
  expect(deliveryOf(feeder, [hop('input', 'i', 'ok')])).toEqual([])
})
