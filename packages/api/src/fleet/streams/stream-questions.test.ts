import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FlussonicClient } from '../../stream-servers/flussonic.client.ts'
import type { MediaServer } from '../../stream-servers/media-server.ts'
import {
  FAKE_MEDIA_KEY,
  FakeMediaServer,
  fakeStream,
  type FakeAnswer,
} from '../../testing/fake-media-server.ts'
import { StreamBoard } from './stream-board.ts'
import { StreamQuestions, type AskedServer } from './stream-questions.ts'
import { OPEN_GUARD } from '../../testing/open-guard.ts'

const LIST = /^GET .*\/streams\?/
const ONE = /^GET .*\/streams\/a$/

let media: FakeMediaServer
let board: StreamBoard
let questions: StreamQuestions
let logged: unknown[]
let records: Map<string, MediaServer>
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  media = stack.use(await FakeMediaServer.open())
  for (const name of ['a', 'b']) media.streams.set(name, fakeStream(name))
  const silent = () => undefined
  board = new StreamBoard({ clock: Date.now, onStream: silent, onServer: silent, onScope: silent })
  board.setChannels(
    ['a', 'b'].map((name) => ({ id: name, serverId: 's1', name, groupIds: ['north'] })),
  )
  logged = []
  records = new Map([['s1', at(media)]])
  questions = new StreamQuestions({
    mediaServers: stack.use(new FlussonicClient(OPEN_GUARD)),
    streams: board,
    current: (id) => records.get(id),
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) }),
  })
})
afterEach(async () => stack.disposeAsync())

function at(server: FakeMediaServer, id = 's1'): AskedServer {
  return { id, baseUrl: server.baseUrl, apiKey: FAKE_MEDIA_KEY }
}

/** The server keeps its answers back until it is let go; counts how many wait at once. */
function holdBack(server: FakeMediaServer) {
  const waiting: (() => void)[] = []
  const most = { atOnce: 0 }
  const hold: FakeAnswer = (request, response) => {
    waiting.push(() => {
      server.answer = null
      const name = /\/streams\/(\w+)$/.exec(request.url ?? '')?.[1]
      const streams = [...server.streams.values()]
      const body = name === undefined ? { streams } : server.streams.get(name)
      response.end(JSON.stringify(body))
      server.answer = hold
    })
    most.atOnce = Math.max(most.atOnce, waiting.length)
  }
  server.answer = hold
  return {
    most,
    releaseNext: () => waiting.shift()?.(),
    letAll: () => {
      server.answer = null
      for (const go of waiting.splice(0)) go()
      server.answer = null
    },
  }
}

function linesAsked(server: FakeMediaServer): string[] {
  return server.requests.map(({ line }) => line.replace('/streamer/api/v3', ''))
}

test('thirty requests for a stream at once are a single request to the server', async () => {
  const reads = Array.from({ length: 30 }, async () => questions.read(at(media), 'a'))
  expect(new Set((await Promise.all(reads)).map(({ name }) => name))).toEqual(new Set(['a']))
  expect(linesAsked(media)).toEqual(['GET /streams/a'])
})

test('requests for lists at once are a single request, which also serves a single stream', async () => {
  const lists = Array.from({ length: 30 }, async () => questions.list(at(media)))
  expect((await questions.read(at(media), 'b')).name).toBe('b')
  for (const list of await Promise.all(lists)) expect(list).toHaveLength(2)
  expect(linesAsked(media)).toEqual(['GET /streams?limit=100'])
})

test('requests for several streams share the list that follows', async () => {
  const held = holdBack(media)
  const reads = ['a', 'b', 'b', 'a', 'gone'].map(async (name) =>
    questions.read(at(media), name).then(
      (stream) => stream.name,
      (error: Error) => error.constructor.name,
    ),
  )
  await media.asked(ONE)
  expect(media.requests).toHaveLength(1)
  held.letAll()
  expect(await Promise.all(reads)).toEqual(['a', 'b', 'b', 'a', 'MediaServerRefused'])
  expect(linesAsked(media)).toEqual(['GET /streams/a', 'GET /streams?limit=100'])
  expect(held.most.atOnce).toBe(1)
})

test('after a command a new request follows the current one, and never shares it', async () => {
  const held = holdBack(media)
  const list = questions.list(at(media))
  await media.asked(LIST)
  const fresh = questions.readAfresh(at(media), 'a')
  const fresher = questions.readAfresh(at(media), 'a')
  held.releaseNext()
  await list
  media.streams.set('a', fakeStream('a', { disabled: true }))
  await media.asked(ONE)
  held.releaseNext()
  expect((await fresh).disabled).toBe(true)
  expect((await fresher).disabled).toBe(true)
  expect(linesAsked(media)).toEqual(['GET /streams?limit=100', 'GET /streams/a'])
  expect(held.most.atOnce).toBe(1)
  expect(board.find('s1', 'a')?.stream?.disabled).toBe(true)
})

test('a silent server delays no other', async () => {
  const other = stack.use(await FakeMediaServer.open())
  other.streams.set('a', fakeStream('a'))
  media.isSilent = true
  const silent = questions.list(at(media)).then(
    () => 'answered',
    () => 'silent',
  )
  await media.asked(LIST)
  const first = await Promise.race([silent, questions.list(at(other, 's2'))])
  expect(first).toHaveLength(1)
  expect(await silent).toBe('silent')
  expect(board.server('s1')).toMatchObject({ online: false, fault: { kind: 'timeout' } })
  expect(board.find('s1', 'a')).toMatchObject({
    stream: null,
    cause: 'The media server does not answer.',
  })
}, 60_000)

const respond =
  (status: number, body: unknown): FakeAnswer =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify(body))

test.each<[string, FakeAnswer, string, RegExp]>([
  ['a wrong key', respond(401, {}), 'wrong-key', /refuses the API key/],
  ['another program', respond(200, { hello: 1 }), 'not-an-agent', /is not a media server/],
  ['a fault of its own', respond(500, {}), 'refused', /fails with HTTP status 500/],
  [
    'a refusal',
    respond(400, { error: 'config_external is on' }),
    'refused',
    /does not list its streams: config_external is on/,
  ],
  ['broken off', (_, response) => void response.destroy(), 'refused', /closed the connection/],
])(
  'CHAN-11 the board has the cause why a server is Offline: %s',
  async (_which, answer, kind, sentence) => {
    await questions.list(at(media))
    media.answer = answer
    await questions.list(at(media)).catch(() => null)
    const known = board.server('s1')
    expect(known).toMatchObject({ online: false, fault: { kind } })
    expect(known?.fault?.sentence).toMatch(sentence)
    expect(board.find('s1', 'b')?.stream).toBeNull()
    media.answer = null
    await questions.list(at(media))
    expect(board.server('s1')).toMatchObject({ online: true, fault: null })
    expect(board.find('s1', 'b')?.stream?.name).toBe('b')
  },
)

test('CHAN-11 Q129 a missing stream is distinguished from an unreachable server', async () => {
  await questions.list(at(media))
  media.streams.delete('a')
  await questions.read(at(media), 'a').catch(() => null)
  expect(board.find('s1', 'a')).toMatchObject({
    stream: null,
    cause: 'The server has no such stream.',
  })
  expect(board.server('s1')?.online).toBe(true)
  expect(board.find('s1', 'b')?.stream?.name).toBe('b')
})

test('a stream that cannot be read does not affect the others', async () => {
  await questions.list(at(media))
  media.answer = respond(500, {})
  await expect(questions.read(at(media), 'a')).rejects.toThrow('HTTP status 500')
  expect(board.server('s1')?.online).toBe(true)
  expect(board.find('s1', 'b')?.stream?.name).toBe('b')
})

test('an answer is ignored after the record of the server has changed or is gone', async () => {
  const held = holdBack(media)
  const list = questions.list(at(media))
  await media.asked(LIST)
  records.set('s1', { baseUrl: 'http://192.0.2.1:80', apiKey: FAKE_MEDIA_KEY })
  held.letAll()
  await list
  await questions.read(at(media), 'a')
  expect(board.server('s1')).toBeNull()
  expect(board.find('s1', 'a')?.stream).toBeNull()
  records.clear()
  await questions.list(at(media))
  expect(board.server('s1')).toBeNull()
})

test('streams that are left out are logged when their number changes', async () => {
  for (const name of ['with space', '../up']) media.streams.set(name, fakeStream(name))
  await questions.list(at(media))
  await questions.list(at(media))
  media.streams.delete('../up')
  await questions.list(at(media))
  expect(logged).toMatchObject([
    { serverId: 's1', leftOut: 2 },
    { serverId: 's1', leftOut: 1 },
  ])
})

test('commands to one stream take turns, one that fails ends its turn, other streams do not wait', async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = questions.inTurn('s1', 'a', async () => {
    order.push('first begins')
    await gate.promise
    order.push('first ends')
    throw new Error('refused')
  })
  const second = questions.inTurn('s1', 'a', async () => Promise.resolve(order.push('second')))
  await questions.inTurn('s1', 'b', async () => Promise.resolve(order.push('other')))
  gate.resolve()
  await expect(first).rejects.toThrow('refused')
  await second
  expect(order).toEqual(['first begins', 'other', 'first ends', 'second'])
})
