import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { lookup } from 'node:dns'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAKE_MEDIA_KEY, FakeMediaServer, fakeStream } from '../testing/fake-media-server.ts'
import { FlussonicClient } from './flussonic.client.ts'
import {
  baseUrlOf,
  MediaServerDown,
  MediaServerRefused,
  playerOriginOf,
  type MediaServer,
} from './media-server.ts'

let fake: FakeMediaServer
let client: FlussonicClient
let server: MediaServer
const stack: AsyncDisposable[] = []
beforeEach(async () => {
  fake = await FakeMediaServer.open()
  client = new FlussonicClient(lookup)
  server = { baseUrl: fake.baseUrl, apiKey: FAKE_MEDIA_KEY }
})
afterEach(async () => {
  await client[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
  for (const one of stack.splice(0)) await one[Symbol.asyncDispose]()
})

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  )
}

/** A web server of another kind at a port of its own. */
async function otherServer(listener: RequestListener): Promise<MediaServer> {
  const other = createServer(listener).listen(0, '127.0.0.1')
  await once(other, 'listening')
  stack.push({
    async [Symbol.asyncDispose]() {
      other.close()
      other.closeAllConnections()
      await once(other, 'close')
    },
  })
  return { baseUrl: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, apiKey: 'key' }
}

test('a list of many pages is followed to its end', async () => {
  fake.pageStreams = 2
  for (const name of ['a', 'b', 'c', 'd', 'e']) fake.streams.set(name, fakeStream(name))
  const names = (await client.list(server)).streams.map((stream) => stream.name)
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(fake.requests).toHaveLength(3)
})

test('what is no stream, or has a name that cannot be played, is left out and counted', async () => {
  const names = ['part1/part2', 'a.b-c_d', 'good', 'with space', '../up', 'a//b', 'ünicode', '']
  for (const name of names) fake.streams.set(name, fakeStream(name))
  fake.streams.set('nameless', { title: 'x' } as never)
  fake.streams.set('null', null as never)
  const { streams, leftOut } = await client.list(server)
  expect(streams.map((stream) => stream.name)).toEqual(['part1/part2', 'a.b-c_d', 'good'])
  expect(leftOut).toBe(7)
})

test('older servers leave fields out', async () => {
  fake.streams.set('old', { name: 'old' })
  expect(await client.one(server, 'old')).toMatchObject({
    name: 'old',
    inputs: [],
    pushes: [],
    stats: {},
  })
})

test('a name with a slash parts the path, other characters are encoded', async () => {
  fake.streams.set('part1/part2', fakeStream('part1/part2'))
  expect((await client.one(server, 'part1/part2')).name).toBe('part1/part2')
  await client.stop(server, 'part1/part2')
  await errorOf(client.one(server, 'a b?c'))
  expect(fake.requests.map(({ line }) => line)).toEqual([
    'GET /streamer/api/v3/streams/part1/part2',
    'POST /streamer/api/v3/streams/part1/part2/stop',
    'GET /streamer/api/v3/streams/a%20b%3Fc',
  ])
})

test('Q122 a change sends what changes and nothing else', async () => {
  fake.streams.set('demo', fakeStream('demo'))
  expect(await client.put(server, 'demo', { disabled: true })).toMatchObject({ disabled: true })
  expect(fake.requests[0]).toMatchObject({ body: { disabled: true } })
})

test.each(['new', 'old'] as const)('errors of %s servers are read alike', async (shape) => {
  fake.errorShape = shape
  const unknown = await errorOf(client.one(server, 'nowhere'))
  expect(unknown).toBeInstanceOf(MediaServerRefused)
  expect(unknown).toMatchObject({ kind: 'unknown stream', message: 'stream_not_found' })
  const wrongKey = await errorOf(client.list({ ...server, apiKey: 'another-key' }))
  expect(wrongKey).toBeInstanceOf(MediaServerDown)
  expect(wrongKey).toMatchObject({ fault: { kind: 'wrong-key' } })
})

test('a probe needs the key', async () => {
  expect(await client.probe(server)).toBeGreaterThan(0)
  const wrong = await errorOf(client.probe({ ...server, apiKey: 'another-key' }))
  expect(wrong).toMatchObject({ fault: { kind: 'wrong-key' } })
})

test.each([
  ['another web server', 200, '<html>hello</html>', 'not-an-agent'],
  ['a page that is not there', 404, '<html>no</html>', 'not-an-agent'],
  ['JSON of another kind', 200, '{"hello": 1}', 'not-an-agent'],
  ['a server that fails', 500, '{"error": "boom"}', 'refused'],
])('%s is told as such', async (_, status, body, kind) => {
  const other = await otherServer((_request, response) => response.writeHead(status).end(body))
  const error = await errorOf(client.list(other))
  expect(error).toBeInstanceOf(MediaServerDown)
  expect(error).toMatchObject({ fault: { kind } })
})

test('T12 an answer without end is given up', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const other = await otherServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  })
  expect(await errorOf(client.list(other))).toMatchObject({ fault: { kind: 'not-an-agent' } })
})

test('T7 a redirect is not followed', async () => {
  const other = await otherServer((_request, response) => {
    response.writeHead(302, { location: `${fake.baseUrl}/streamer/api/v3/streams` }).end()
  })
  await errorOf(client.list(other))
  expect(fake.requests).toEqual([])
})

test('a server that is not there is refused', async () => {
  await fake[Symbol.asyncDispose]()
  expect(await errorOf(client.list(server))).toMatchObject({ fault: { kind: 'refused' } })
})

test.each([
  ['media.example.org', 8080, 'http://media.example.org:8080', 'http://media.example.org:8080'],
  ['https://media.example.org', 443, 'https://media.example.org:443', 'https://media.example.org'],
  ['http://media.example.org/', 8080, 'http://media.example.org:8080', 'http://media.example.org'],
])('Q119 %s port %i', (host, port, baseUrl, origin) => {
  expect(baseUrlOf(host, port)).toBe(baseUrl)
  expect(playerOriginOf(host, port)).toBe(origin)
})
