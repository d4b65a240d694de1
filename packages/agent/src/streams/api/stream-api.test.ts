import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, shared } from '../../agent.fixture.ts'
import { callStreamApi, KEY, openStreamSite, readStream } from '../stream-site.fixture.ts'
import { linkKey } from '../programs/stream.units.ts'

const site = shared(async () => openStreamSite())

const SECRET = 'a-secret.of~the_link'

test('a key is required, as bearer, as basic token, or as a basic password', async () => {
  const ask = async (authorization: string | null) =>
    callStreamApi(site, 'GET', '/monitoring/liveness', undefined, authorization)
  for (const wrong of [null, 'Bearer nonsense', `Bearer ${KEY}x`, `Token ${KEY}`, 'Basic Og==']) {
    const answer = await ask(wrong)
    expect(answer.status, String(wrong)).toBe(401)
    expect(answer.body).toMatchObject({ errors: [{ code: 'unauthorized', status: '401' }] })
  }
  const password = Buffer.from(`anybody:${KEY}`).toString('base64')
  for (const right of [`Bearer ${KEY}`, `Basic ${KEY}`, `basic ${password}`]) {
    expect((await ask(right)).status, right).toBe(200)
  }
})

test('a wrong key changes nothing, on any call', async () => {
  const body = { title: 'x' }
  for (const [method, path] of [
    ['GET', '/streams'],
    ['PUT', '/streams/locked'],
    ['POST', '/streams/locked/stop'],
    ['POST', '/streams/locked/inputs/0/select'],
    ['DELETE', '/streams/locked'],
    ['GET', '/config/stats'],
  ] as const) {
    const answer = await callStreamApi(
      site,
      method,
      path,
      method === 'PUT' ? body : undefined,
      'Bearer no',
    )
    expect(answer.status, `${method} ${path}`).toBe(401)
  }
  expect((await callStreamApi(site, 'GET', '/streams/locked')).status).toBe(404)
})

test('CHAN-17 a stream says from its first answer on since when it waits for a picture', async () => {
  const inputs = [{ url: `srt://:${await freeUdpPort()}?latency=300` }]
  const answers: unknown[] = []
  await site.streams.put('first-answer', { inputs }, (kept) => {
    answers.push(site.streams.answer(kept).stats)
  })
  expect(answers).toEqual([
    expect.objectContaining({ alive: false, since: expect.any(Number) as number }),
  ])
  await site.streams.remove('first-answer')
})

test('a stream is put, partly changed, cleared by null, listed and deleted', async () => {
  const port = await freeUdpPort()
  const url = `srt://:${port}?latency=300`
  const made = await callStreamApi(site, 'PUT', '/streams/news/one', {
    title: 'One',
    inputs: [{ url, priority: 2 }],
  })
  expect(made).toMatchObject({
    status: 200,
    body: {
      name: 'news/one',
      title: 'One',
      disabled: false,
      template: null,
      segment_duration: 2000,
      segment_count: 6,
      inputs: [{ url, priority: 2, stats: { active: true, selected: false } }],
      pushes: [],
      stats: {
        alive: false,
        status: 'waiting',
        inputs_bandwidth: 0,
        running_transcoder: false,
        dvr_enabled: false,
      },
    },
  })
  const encoded = await callStreamApi(site, 'GET', '/streams/news%2Fone')
  expect(encoded.body).toMatchObject({ name: 'news/one' })
  const changed = await callStreamApi(site, 'PUT', '/streams/news/one', {
    title: null,
    disabled: true,
  })
  expect(changed.body).toMatchObject({ disabled: true, inputs: [{ url }] })
  expect(changed.body).not.toHaveProperty('title')
  const list = await callStreamApi(site, 'GET', '/streams')
  expect(list.body).toMatchObject({ streams: [{ name: 'news/one' }], estimated_count: 1 })
  expect((await callStreamApi(site, 'DELETE', '/streams/news/one')).status).toBe(204)
  expect(await callStreamApi(site, 'GET', '/streams/news/one')).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'stream_not_found', status: '404' }] },
  })
})

test('an answer put back as it came is taken, and changes nothing', async () => {
  const port = await freeUdpPort()
  const url = `srt://:${port}?passphrase=${SECRET}&latency=300`
  const push = `srt://127.0.0.1:${port + 2}?passphrase=${SECRET}`
  await callStreamApi(site, 'PUT', '/streams/echo', {
    disabled: true,
    inputs: [{ url }],
    pushes: [{ url: push, disabled: true }, { url: 'rtmp://cdn.example/app/the-stream-key' }],
  })
  const answer = await callStreamApi(site, 'GET', '/streams/echo')
  expect(JSON.stringify(answer.body)).not.toMatch(/a-secret|the-stream-key/)
  expect(answer.body).toMatchObject({
    inputs: [{ url: `srt://:${port}?passphrase=***&latency=300` }],
    pushes: [{ disabled: true }, { url: 'rtmp://cdn.example/app/***', disabled: false }],
  })
  const file = join(site.ctx.config.dataDir, 'streams', 'streams.json')
  const before = readFileSync(file, 'utf8')
  expect(before).toContain(SECRET)
  const again = await callStreamApi(site, 'PUT', '/streams/echo', answer.body as object)
  expect(again).toMatchObject({ status: 200, body: answer.body })
  expect(readFileSync(file, 'utf8')).toBe(before)
  const foreign = await callStreamApi(site, 'PUT', '/streams/echo', {
    inputs: [{ url: 'srt://:9000?passphrase=***' }],
  })
  expect(foreign.status).toBe(400)
  expect(foreign.title).toContain('Type the secret')
  await callStreamApi(site, 'DELETE', '/streams/echo')
})

test.each([
  ['an unknown field', { inpust: [] }, "A stream has no field 'inpust'. Remove it."],
  [
    'an unknown field inside',
    { inputs: [{ url: 'srt://:7000', via: 1 }] },
    "inputs.0 has no field 'via'",
  ],
  [
    'a wrong type',
    { disabled: 'yes', inputs: [{ url: 5 }] },
    'disabled must be true or false, not text. inputs.0.url must be text, not a number.',
  ],
  ['a list', [], 'The body must be an object with fields, not a list.'],
  ['too many', { inputs: Array(9).fill({ url: 'x' }) }, 'inputs must hold at most 8 entries.'],
  ['a long title', { title: 'x'.repeat(10_000) }, 'title must be at most 120 characters'],
  ['a line break', { title: 'a\nb' }, 'title must be one line'],
  ['another name', { name: 'other' }, "name must be 'bad'"],
  ['a template', { template: 't1' }, 'template must be one of sd, hd, abr-2, abr-3'],
  ['a short segment', { segment_duration: 200 }, 'segment_duration'],
  ['no address', { inputs: [{ url: 'nonsense' }] }, 'inputs.0.url must look like srt://:PORT'],
  ['a file', { inputs: [{ url: 'file:///etc/passwd' }] }, 'inputs.0.url must look like'],
  ['a privileged port', { inputs: [{ url: 'srt://:22' }] }, 'port'],
  ['a shell', { inputs: [{ url: 'srt://:7000?latency=300;reboot' }] }, 'latency'],
  [
    'an override',
    { inputs: [{ url: 'srt://:7000?mode=listener&mode=caller' }] },
    'names mode twice',
  ],
  ['an unknown parameter', { inputs: [{ url: 'srt://:7000?foo=1' }] }, "unknown parameter 'foo'"],
  ['a short key', { inputs: [{ url: 'srt://:7000?passphrase=short' }] }, 'passphrase'],
  ['an odd port', { inputs: [{ url: 'rist://@:7001?profile=simple' }] }, 'even ports'],
  [
    'one input twice',
    { inputs: [{ url: 'srt://:7000' }, { url: 'srt://:7000' }] },
    'is listed twice',
  ],
  [
    'one port twice',
    { inputs: [{ url: 'srt://:7000' }, { url: 'rist://@:7000' }] },
    'has port 7000',
  ],
  ['a push to nobody', { pushes: [{ url: 'udp://:7000' }] }, 'host'],
  ['a push of a file', { pushes: [{ url: '/etc/passwd' }] }, 'pushes.0.url must look like'],
  [
    'an adapter of others',
    { inputs: [{ url: 'srt://192.0.2.1:7000?adapter=192.0.2.7' }] },
    '192.0.2.7',
  ],
])('bad input is refused in words and changes nothing: %s', async (_what, body, words) => {
  const answer = await callStreamApi(site, 'PUT', '/streams/bad', body)
  expect(answer.status).toBe(400)
  expect(answer.title).toContain(words)
  expect((await callStreamApi(site, 'GET', '/streams/bad')).status).toBe(404)
})

test('bad names, invalid JSON, too much JSON, and unknown calls', async () => {
  for (const name of ['a b', 'a//b', '../x', 'a/..', 'x'.repeat(121), 'a%2F..%2Fb', '%00']) {
    const { status } = await callStreamApi(site, 'PUT', `/streams/${name}`, {})
    expect([400, 404], name).toContain(status)
  }
  const send = async (payload: string, type: string) =>
    site.app.inject({
      method: 'PUT',
      url: '/streamer/api/v3/streams/raw',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': type },
      payload,
    })
  expect((await send('{"title":', 'application/json')).statusCode).toBe(400)
  expect((await send('title=x', 'text/plain')).statusCode).toBe(415)
  const large = JSON.stringify({ title: 'x'.repeat(100_000) })
  expect((await send(large, 'application/json')).statusCode).toBe(413)
  expect((await callStreamApi(site, 'POST', '/streams/raw/reset')).status).toBe(404)
  expect((await callStreamApi(site, 'POST', '/streams/raw/stop')).status).toBe(404)
  expect(site.streams.list()).toEqual([])
})

test('a port of another stream or of another program is refused by name', async () => {
  const port = await freeUdpPort()
  await callStreamApi(site, 'PUT', '/streams/first', { inputs: [{ url: `srt://:${port}` }] })
  const second = await callStreamApi(site, 'PUT', '/streams/second', {
    inputs: [{ url: `rist://@:${port}` }],
  })
  expect(second.status).toBe(400)
  expect(second.title).toContain("stream 'first'")
  const squatter = createSocket('udp4').bind(0, '127.0.0.1')
  await once(squatter, 'listening')
  const held = squatter.address().port
  const third = await callStreamApi(site, 'PUT', '/streams/third', {
    inputs: [{ url: `srt://:${held}` }],
  })
  squatter.close()
  expect(third.status).toBe(400)
  expect(third.title).toContain(`UDP port ${held}`)
  expect(site.streams.list().map((stream) => stream.name)).toEqual(['first'])
  await callStreamApi(site, 'DELETE', '/streams/first')
  expect(site.ctx.board.all()).toEqual([])
})

test('the list is cut by limit and cursor, and narrowed by select', async () => {
  for (const name of ['c', 'a', 'b']) {
    await callStreamApi(site, 'PUT', `/streams/${name}`, {
      title: name.toUpperCase(),
      disabled: true,
    })
  }
  const first = await callStreamApi(site, 'GET', '/streams?limit=2&select=title')
  expect(first.body).toEqual({
    streams: [
      { name: 'a', title: 'A' },
      { name: 'b', title: 'B' },
    ],
    estimated_count: 3,
    next: expect.any(String) as string,
  })
  const { next } = first.body as { next: string }
  const rest = await callStreamApi(site, 'GET', `/streams?limit=2&cursor=${next}&select=name`)
  expect(rest.body).toEqual({ streams: [{ name: 'c' }], estimated_count: 3 })
  for (const bad of ['limit=0', 'limit=x', 'cursor=%20', 'sort=name']) {
    expect((await callStreamApi(site, 'GET', `/streams?${bad}`)).status, bad).toBe(400)
  }
  expect((await callStreamApi(site, 'GET', '/config/stats')).body).toMatchObject({
    total_streams: 3,
    online_streams: 0,
  })
  for (const name of ['a', 'b', 'c']) await callStreamApi(site, 'DELETE', `/streams/${name}`)
})

test('an input without media says why', async () => {
  const port = await freeUdpPort()
  await callStreamApi(site, 'PUT', '/streams/quiet', { inputs: [{ url: `srt://:${port}` }] })
  await eventually(async () => {
    const { inputs } = await readStream(site, 'quiet')
    expect(inputs[0]?.stats?.error).toBe('No caller yet.')
  })
  await callStreamApi(site, 'PUT', '/streams/quiet', { disabled: true })
  expect((await readStream(site, 'quiet')).inputs[0]?.stats?.error).toBeUndefined()
  await callStreamApi(site, 'DELETE', '/streams/quiet')
})

test('nothing but playlists and segments of known streams is served', async () => {
  const url = `srt://:${await freeUdpPort()}`
  await callStreamApi(site, 'PUT', '/streams/shown', { inputs: [{ url }] })
  const [folder, input] = [site.streams.folderOf('shown'), linkKey(url)]
  for (const file of ['notes.txt', 'seg00001.ts', 'v0.m3u8.new', `${input}/notes.ts`]) {
    writeFileSync(join(folder, file), 'not for players')
  }
  writeFileSync(join(folder, input, 'v0-00012.ts'), 'a segment')
  writeFileSync(join(folder, 'v0.m3u8'), 'a playlist')
  const get = async (path: string) => site.app.inject({ method: 'GET', url: path })
  expect((await get('/shown/index.m3u8')).body).toBe('a playlist')
  expect((await get(`/shown/${input}-v0-00012.ts`)).body).toBe('a segment')
  for (const path of [
    '/shown/notes.txt',
    '/shown/seg00001.ts',
    '/shown/v0.m3u8.new',
    `/shown/${input}-notes.ts`,
    `/shown/${input}/v0-00012.ts`,
    `/shown/${input}-v0-00012.ts.tmp`,
    `/shown/${input}-v0-12.ts`,
    `/shown/${'f'.repeat(10)}-v0-00012.ts`,
    `/shown/${'.'.repeat(10)}-v0-00012.ts`,
    `/shown/${input}-v0-00000.ts%00`,
    '/shown/./notes.txt',
    '/shown/index.m3u8/../notes.txt',
    '/shown/../streams.json',
    '/shown/..%2Fstreams.json',
    '/shown/%2e%2e/streams.json',
    '/../../../../etc/passwd',
    '/index.m3u8',
    '//index.m3u8',
    '/unknown/index.m3u8',
    '/',
  ]) {
    const { statusCode, body } = await get(path)
    expect([400, 404], path).toContain(statusCode)
    expect(body, path).not.toMatch(/not for players|a segment/)
  }
  expect(await readStream(site, 'shown')).toMatchObject({ stats: { alive: false } })
  await callStreamApi(site, 'DELETE', '/streams/shown')
})
