import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { expect, test } from 'vitest'
import { channelOf, streamOf } from '../../test/channel.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import { draftsOf, faultsOf, joinsGroup, listOf, matching, partsOf } from './sync.rules.ts'

const server = serverOf('s1', { serverType: 'channel', groupIds: ['north', 'south'] })
const north = { _id: 'north', title: 'Sports North' }

test('CHAN-35 new streams come first, else in the order of the server, each once', () => {
  const streams = ['b', 'a', 'd', 'c', 'a'].map((name) => streamOf(name))
  const { entries } = listOf(streams, [channelOf('b'), channelOf('a')])
  expect(entries.map(({ name, saved }) => [name, saved !== null])).toEqual([
    ['d', false],
    ['c', false],
    ['b', true],
    ['a', true],
  ])
})

test('Q129 channels whose stream the server does not list are named', () => {
  const { gone } = listOf([streamOf('a')], [channelOf('a'), channelOf('b')])
  expect(gone.map(({ name }) => name)).toEqual(['b'])
})

test.each([
  ['its own title', { title: 'Evening' }, [], 'Evening'],
  ['its name without one', {}, [], 'a'],
  ['its name, where the title is none of ours', { title: 'x'.repeat(121) }, [], 'a'],
  ['its name, where the title is empty', { title: '  ' }, [], 'a'],
  ['CHAN-39 the edited title', { title: 'Evening' }, [channelOf('a', { title: 'Mine' })], 'Mine'],
])('a stream is saved under %s', (_, parts, channels: readonly Channel[], title) => {
  expect(listOf([streamOf('a', parts)], channels).entries[0]?.title).toBe(title)
})

test('a name that no channel may have is shown, and not savable', () => {
  const { entries } = listOf(
    ['a/b.c', 'a b', '../a'].map((name) => streamOf(name)),
    [],
  )
  expect(entries.map(({ isSavable }) => isSavable)).toEqual([true, false, false])
})

test('CHAN-38 Q125 admin level copies the groups of the server, and leaves those of a channel', () => {
  const { entries } = listOf([streamOf('a'), streamOf('b')], [channelOf('b', { groupIds: ['x'] })])
  expect(draftsOf(entries, { server, group: null })).toEqual([
    { name: 'a', title: 'a', serverId: 's1', groupIds: ['north', 'south'] },
    { name: 'b', title: 'Channel b', serverId: 's1', groupIds: ['x'] },
  ])
})

test('CHAN-38 Q125 a manager saves for the chosen group', () => {
  const { entries } = listOf([streamOf('a'), streamOf('b')], [channelOf('b', { groupIds: ['x'] })])
  const place = { server, group: north }
  expect(draftsOf(entries, place).map(({ groupIds }) => groupIds)).toEqual([['north'], ['north']])
  expect(entries.map((entry) => joinsGroup(entry, place))).toEqual([false, true])
  expect(entries.map((entry) => joinsGroup(entry, { server, group: null }))).toEqual([false, false])
})

test('streams are found by title and by name', () => {
  const { entries } = listOf([streamOf('evening', { title: 'Abend' }), streamOf('morning')], [])
  const names = (text: string) => matching(entries, text).map(({ name }) => name)
  expect(names(' ABEND ')).toEqual(['evening'])
  expect(names('ning')).toEqual(['evening', 'morning'])
  expect(names('')).toHaveLength(2)
  expect(names('noon')).toEqual([])
})

const PART_LIMIT_BYTES = saveChannels.bodyLimitBytes ?? 0

test.each([
  ['many', 2500, ['north']],
  [
    'with many groups',
    1000,
    Array.from({ length: 100 }, (_, at) => `group-${at}-`.padEnd(24, 'x')),
  ],
])('a list of %s is saved in calls that the API takes, in its order', (_, count, groupIds) => {
  const streams = Array.from({ length: count }, (_one, at) => streamOf(`s${at}`, { title: 'ü' }))
  const { entries } = listOf(streams, [])
  const drafts = draftsOf(entries, { server: { ...server, groupIds }, group: null })
  const parts = partsOf(drafts)
  expect(parts.flat()).toEqual(drafts)
  for (const part of parts) {
    expect(saveChannels.body.safeParse(part).error).toBeUndefined()
    expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(PART_LIMIT_BYTES)
  }
})

test('a list that fits into a call is saved in one call', () => {
  const drafts = draftsOf(
    listOf(
      Array.from({ length: 1000 }, (_, at) => streamOf(`s${at}`)),
      [],
    ).entries,
    { server, group: null },
  )
  expect(partsOf(drafts)).toHaveLength(1)
  expect(partsOf([])).toEqual([])
})

test('a refusal names the streams of its call', () => {
  const part = draftsOf(listOf([streamOf('a'), streamOf('b')], []).entries, { server, group: null })
  const issues = [
    { field: '1.name', message: 'It is of another group.' },
    { field: '7.name', message: 'There is none.' },
    { field: 'body', message: 'Odd.' },
  ]
  expect([...faultsOf(issues, part)]).toEqual([['b', 'It is of another group.']])
})
