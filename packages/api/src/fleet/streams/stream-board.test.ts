import { expect, test } from 'vitest'
import { fakeStream } from '../../testing/fake-media-server.ts'
import { StreamBoard, type ChannelRef } from './stream-board.ts'

const demo: ChannelRef = { id: 'c1', serverId: 's1', name: 'demo', groupIds: ['north'] }
const other: ChannelRef = { id: 'c2', serverId: 's1', name: 'other', groupIds: ['south'] }
const silence = { kind: 'timeout', sentence: 'It does not answer.' } as const

function openBoard() {
  const changes: string[] = []
  let nowMs = 1000
  const board = new StreamBoard({
    clock: () => (nowMs += 1),
    onStream: ({ name }, { cause }) => changes.push(`${name}: ${cause || 'well'}`),
    onServer: (id) => changes.push(`server ${id}`),
    onScope: () => changes.push('scope'),
  })
  board.setChannels([demo, other])
  return { board, changes }
}

test('CHAN-11 a stream that its server does not know says so, beside one that it knows', async () => {
  const { board, changes } = openBoard()
  await board.answered('s1', [fakeStream('demo'), fakeStream('unsaved')])
  expect(changes).toEqual([
    'scope',
    'server s1',
    'demo: well',
    'other: The server has no such stream.',
  ])
  expect(board.find('s1', 'demo')?.stream?.stats.alive).toBe(true)
  expect(board.find('s1', 'unsaved')).toBeNull()
})

test('an unchanged read sends no event, a change does', async () => {
  const { board, changes } = openBoard()
  await board.answered('s1', [fakeStream('demo'), fakeStream('other')])
  changes.splice(0)
  await board.answered('s1', [fakeStream('demo'), fakeStream('other')])
  expect(changes).toEqual([])
  await board.answered('s1', [fakeStream('demo', { disabled: true }), fakeStream('other')])
  expect(changes).toEqual(['demo: well'])
})

test('a silent server makes its streams Offline, with the age of what was last read', async () => {
  const { board, changes } = openBoard()
  await board.answered('s1', [fakeStream('demo'), fakeStream('other')])
  const readAtMs = board.find('s1', 'demo')?.readAtMs
  changes.splice(0)
  await board.silent('s1', silence)
  await board.silent('s1', silence)
  expect(changes).toEqual([
    'server s1',
    'demo: The media server does not answer.',
    'other: The media server does not answer.',
  ])
  expect(board.find('s1', 'demo')).toMatchObject({ stream: null, readAtMs })
  expect(board.server('s1')).toMatchObject({ online: false, fault: silence })
})

async function* inTwoParts(channels: readonly ChannelRef[]) {
  yield await Promise.resolve(channels.slice(0, 1))
  yield channels.slice(1)
}

test('a scope event is sent only when channels or their groups change', async () => {
  const { board, changes } = openBoard()
  changes.splice(0)
  await board.replaceChannels(inTwoParts([demo, other]))
  expect(changes).toEqual([])
  await board.replaceChannels(inTwoParts([demo, { ...other, groupIds: ['north', 'south'] }]))
  await board.replaceChannels(inTwoParts([demo]))
  expect(changes).toEqual(['scope', 'scope'])
  expect(board.channels().map(({ channel }) => channel.id)).toEqual(['c1'])
})

test('two channels that have exchanged their names, read in two parts, are both known', async () => {
  const { board } = openBoard()
  await board.replaceChannels(
    inTwoParts([
      { ...demo, name: other.name },
      { ...other, name: demo.name },
    ]),
  )
  expect(board.ofChannel('c1')?.status.streamName).toBe('other')
  expect(board.ofChannel('c2')?.status.streamName).toBe('demo')
  expect(board.channels()).toHaveLength(2)
})

test('a channel that is read alone is added, moved and removed alone', async () => {
  const { board, changes } = openBoard()
  await board.answered('s1', [fakeStream('demo'), fakeStream('other')])
  changes.splice(0)
  const ids = () => board.channels().map(({ channel }) => `${channel.serverId} ${channel.id}`)
  board.setChannels([{ ...demo, id: 'c3', name: 'third' }], ['c3'])
  expect(ids()).toEqual(['s1 c1', 's1 c2', 's1 c3'])
  board.setChannels([{ ...demo, serverId: 's2' }], ['c1'])
  expect(ids()).toEqual(['s1 c2', 's1 c3', 's2 c1'])
  expect(board.find('s2', 'demo')?.cause).toContain('not asked yet')
  board.setChannels([], ['c2', 'unknown'])
  expect(ids()).toEqual(['s1 c3', 's2 c1'])
  board.setChannels([{ ...demo, serverId: 's2' }], ['c1'])
  expect(changes).toEqual(['scope', 'scope', 'scope'])
})

test('a stream that is read alone is stored, an unsaved stream is not', () => {
  const { board } = openBoard()
  board.answeredStream('s1', fakeStream('demo', { title: 'Fresh' }))
  board.answeredStream('s1', fakeStream('unsaved'))
  expect(board.find('s1', 'demo')?.stream?.title).toBe('Fresh')
  expect(board.find('s1', 'unsaved')).toBeNull()
})

test('many streams are taken part by part, and what is newer by then stays', async () => {
  const { board } = openBoard()
  const names = Array.from({ length: 60 }, (_, at) => `n${at}`)
  board.setChannels(
    names.map((name) => ({ ...demo, id: name, name })),
    ['c1', 'c2', ...names],
  )
  const answered = board.answered(
    's1',
    names.map((name) => fakeStream(name)),
  )
  const known = () => names.filter((name) => board.find('s1', name)?.stream)
  expect(known()).toHaveLength(25)
  board.answeredStream('s1', fakeStream('n59', { title: 'Fresh' }))
  await answered
  expect(known()).toHaveLength(60)
  expect(board.find('s1', 'n59')?.stream?.title).toBe('Fresh')
})
