import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAKE_MEDIA_KEY, FakeMediaServer, fakeStream } from '../testing/fake-media-server.ts'
import { dialGuard } from '../security/host-guard.ts'
import { FlussonicClient } from './flussonic.client.ts'
import {
  baseUrlOf,
  MediaServerDown,
  MediaServerRefused,
  playerOriginOf,
  type MediaServer,
} from './media-server.ts'
import { OPEN_GUARD } from '../testing/open-guard.ts'

let fake: FakeMediaServer
let client: FlussonicClient
let server: MediaServer
const stack: AsyncDisposable[] = []
beforeEach(async () => {
  fake = await FakeMediaServer.open()
  client = new FlussonicClient(OPEN_GUARD)
  server = { baseUrl: fake.baseUrl, apiKey: FAKE_MEDIA_KEY }
})
afterEach(async () => {
  await client[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
  for (const item of stack.splice(0)) await item[Symbol.asyncDispose]()
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

test('invalid streams, and names that cannot be played, are left out and counted', async () => {
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
  expect(await client.readStream(server, 'old')).toMatchObject({
    name: 'old',
    inputs: [],
    pushes: [],
    stats: {},
  })
})

test('a slash in a name divides the path, other characters are encoded', async () => {
  fake.streams.set('part1/part2', fakeStream('part1/part2'))
  expect((await client.readStream(server, 'part1/part2')).name).toBe('part1/part2')
  await client.stop(server, 'part1/part2')
  await errorOf(client.readStream(server, 'a b?c'))
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

test.each([{ url: 'udp://239.1.1.1:5000' }, { name: 'victim' }])(
  'T3 a name that points to a part of another stream changes nothing: %j',
  async (answered) => {
    fake.answer = (_, response) => response.end(JSON.stringify(answered))
    for (const ask of [
      client.readStream(server, 'victim/inputs/0'),
      client.pushes(server, 'victim/inputs/0'),
      client.sources(server, 'victim/inputs/0'),
    ]) {
      expect(await errorOf(ask)).toBeInstanceOf(Error)
    }
    fake.answer = (_, response) => response.end('{"name":"another"}')
    expect((await client.put(server, 'demo', { disabled: true })).name).toBe('demo')
  },
)

test.each(['new', 'old'] as const)('errors of %s servers are read alike', async (shape) => {
  fake.errorShape = shape
  const unknown = await errorOf(client.readStream(server, 'nowhere'))
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

const ERROR = { errors: [{ code: 'refused', status: '0', title: 'Refused' }] }

test.each<[string, number, string | object, string, RegExp]>([
  ['another web server', 200, '<html>hello</html>', 'not-an-agent', /not a media server/],
  ['a page that is not there', 404, '<html>no</html>', 'not-an-agent', /not a media server/],
  ['a call that is not there', 405, '', 'not-an-agent', /not a media server/],
  ['JSON of another kind', 200, { hello: 1 }, 'not-an-agent', /not a media server/],
  ['no key', 401, ERROR, 'wrong-key', /refuses the API key/],
  ['a key without rights', 403, { error: 'forbidden' }, 'wrong-key', /refuses the API key/],
  ['a server that fails and says why', 500, { error: 'boom' }, 'refused', /HTTP status 500\. boom/],
  ['a server that begins', 503, '', 'refused', /HTTP status 503\. Check its log/],
  ['a server that has too much to do', 429, ERROR, 'refused', /HTTP status 429/],
])('%s is reported as such', async (_, status, body, kind, sentence) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const other = await otherServer((_request, response) => response.writeHead(status).end(text))
  for (const call of [client.list(other), client.readStream(other, 'a'), client.probe(other)]) {
    const error = await errorOf(call)
    expect(error).toBeInstanceOf(MediaServerDown)
    expect(error).toMatchObject({
      fault: { kind, sentence: expect.stringMatching(sentence) as string },
    })
  }
})

test.each([400, 404, 405, 409])(
  'a refusal with a reason (%i) is no fault of the server',
  async (status) => {
    const other = await otherServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify(ERROR))
    })
    const error = await errorOf(client.put(other, 'a', { disabled: true }))
    expect(error).toBeInstanceOf(MediaServerRefused)
    expect(error).toMatchObject({
      kind: status === 404 ? 'unknown stream' : 'refused',
      message: 'Refused',
    })
  },
)

/** One page after the other, by cursors of the test's own; what was asked for, in order. */
async function pagedServer(pages: Record<string, object>) {
  const asked: string[] = []
  const at = await otherServer((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? ''
    asked.push(cursor)
    response.end(JSON.stringify(pages[cursor] ?? { streams: [] }))
  })
  return { at, asked }
}

test('a cursor is sent back unchanged', async () => {
  const next = 'a+b/c=&limit=1 ü'
  const { at, asked } = await pagedServer({
    '': { streams: [{ name: 'a' }], next },
    [next]: { streams: [{ name: 'b' }] },
  })
  expect((await client.list(at)).streams.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(asked).toEqual(['', next])
})

test.each([
  ['the same', { '': { next: 'x' }, x: { next: 'x' } }, ['', 'x']],
  ['an earlier one', { '': { next: 'x' }, x: { next: 'y' }, y: { next: 'x' } }, ['', 'x', 'y']],
])('a cursor that comes again ends the list: %s', async (_which, next, order) => {
  const pages = Object.entries(next).map(([cursor, more]) => {
    const streams = [{ name: `at-${cursor || 'first'}` }, { name: 'twice' }]
    return [cursor, { streams, ...more }] as const
  })
  const { at, asked } = await pagedServer(Object.fromEntries(pages))
  const names = (await client.list(at)).streams.map(({ name }) => name)
  expect(asked).toEqual(order)
  expect(names.filter((name) => name === 'twice')).toHaveLength(1)
  expect(names).toHaveLength(order.length + 1)
})

test('a list is used completely or not at all: too many pages are an error', async () => {
  await using patient = new FlussonicClient(OPEN_GUARD, 3)
  const pages = (next: object) => ({
    '': { streams: [{ name: 'a' }], next: 1 },
    1: { streams: [{ name: 'b' }], next: 2 },
    2: { streams: [{ name: 'c' }], ...next },
  })
  const whole = await pagedServer(pages({}))
  expect((await patient.list(whole.at)).streams).toHaveLength(3)
  const endless = await pagedServer(pages({ next: 3 }))
  const error = await errorOf(patient.list(endless.at))
  expect(error).toMatchObject({ fault: { kind: 'refused' } })
  expect((error as Error).message).toMatch(
    /^The media server \S+ lists more than 3 streams\. Check its log/,
  )
  expect(endless.asked).toEqual(['', '1', '2'])
})

test('a server without streams may say null', async () => {
  const other = await otherServer((_request, response) => response.end('{"streams": null}'))
  expect(await client.list(other)).toEqual({ streams: [], leftOut: 0 })
})

test('the documented key: base64 of user and password, which may be typed in clear', async () => {
  fake.streams.set('a', fakeStream('a'))
  const asked = async (apiKey: string) => {
    await errorOf(client.readStream({ ...server, apiKey }, 'a'))
    return fake.requests.at(-1)?.authorization
  }
  const base64 = Buffer.from('admin:pa:ss wörd').toString('base64')
  expect(await asked('admin:pa:ss wörd')).toBe(`Bearer ${base64}`)
  expect(await asked(base64)).toBe(`Bearer ${base64}`)
  expect(await asked('opaque-key')).toBe('Bearer opaque-key')
})

test('an input is chosen by its place; a server without that call says so', async () => {
  const inputs = [{ url: 'udp://239.1.1.1:1' }, { url: 'srt://h:1?passphrase=clear' }]
  fake.streams.set('a/b', fakeStream('a/b', { inputs }))
  const { stream, places } = await client.sources(server, 'a/b')
  expect(stream.inputs.map(({ url }) => url)).toEqual(places.map(({ url }) => url))
  await client.select(server, 'a/b', 1)
  expect(fake.requests.at(-1)?.line).toBe('POST /streamer/api/v3/streams/a/b/inputs/1/select')
  expect(fake.streams.get('a/b')?.inputs?.[1]?.stats?.active).toBe(true)
  expect(await errorOf(client.select(server, 'a/b', 7))).toMatchObject({
    kind: 'refused',
    message: 'input_not_found',
  })
  expect(await errorOf(client.select(server, 'gone', 0))).toMatchObject({ kind: 'unknown stream' })
})

test.each<[number, string | object]>([
  [404, 'Not found'],
  [
    404,
    { errors: [{ code: 'not_found', title: 'There is no such call. Streams know POST stop.' }] },
  ],
  [404, { error: 'not_found' }],
  [405, { error: 'method_not_allowed' }],
  [501, ''],
])('a server that cannot switch inputs answers %i %j', async (status, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const other = await otherServer((_request, response) => response.writeHead(status).end(text))
  expect(await errorOf(client.select(other, 'a', 0))).toMatchObject({ kind: 'unknown call' })
})

test('a connection that closes, before or within an answer', async () => {
  for (const begin of ['', '{"streams": [']) {
    const other = await otherServer((_request, response) => {
      if (begin === '') return void response.destroy()
      response.write(begin, () => response.destroy())
    })
    expect(await errorOf(client.list(other))).toMatchObject({
      fault: {
        kind: 'refused',
        sentence: expect.stringContaining('closed the connection') as string,
      },
    })
  }
})

test('an answer that drips without end is aborted', async () => {
  const other = await otherServer((_request, response) => {
    const drip = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(drip))
  })
  expect(await errorOf(client.readStream(other, 'a'))).toMatchObject({ fault: { kind: 'timeout' } })
}, 60_000)

test('T12 an endless answer is aborted', async () => {
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

test.each([
  ['an address', { allowLocalHosts: false, hostPorts: null }, /is an address of this machine/],
  ['a port', { allowLocalHosts: true, hostPorts: [] }, /TRUNKLINE_HOST_PORTS/],
])('T7 %s out of bounds gets no request, not even for a file', async (_, bounds, sentence) => {
  await using guarded = new FlussonicClient(dialGuard(bounds))
  const refusals = [
    await errorOf(guarded.list(server)),
    await errorOf(guarded.probe(server)),
    await errorOf(guarded.file(server, 'demo', 'index.m3u8', '', AbortSignal.timeout(10_000))),
  ]
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(MediaServerDown)
    expect((refusal as MediaServerDown).message).toMatch(sentence)
  }
  expect(fake.requests).toEqual([])
})
