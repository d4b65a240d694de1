/** The relay over real sockets: what a browser asks, what reaches the media server, what comes back. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Failure } from '@trunkline/contract/failure.schema'
import type { PersonName } from '../testing/people.ts'
import type { Actor } from '../security/actor.ts'
import { openChannelSite, type ChannelSite } from './channel.fixture.ts'
import { filesAsked, openPlayingSite, PLAYLIST, type Played } from './relay.fixture.ts'
import * as relayService from './relay.service.ts'

function failureOf(played: Played): Failure {
  return Failure.parse(JSON.parse(played.body.toString()))
}

test('decisions 21 AH: which roles play a channel of North through the API', async () => {
  await using open = await openPlayingSite()
  const statuses: Record<string, number> = {}
  for (const who of Object.keys(open.site.people) as PersonName[]) {
    statuses[who] = (await open.play(who, 'index.m3u8')).status
  }
  expect(statuses).toEqual({
    superadmin: 200,
    admin: 200,
    northManager: 200,
    northEditor: 200,
    northMonitor: 200,
    southManager: 404,
    southEditor: 404,
    southMonitor: 404,
    loneManager: 404,
  })
})

test('playlist and segment are relayed unchanged, with their type, not cached, without our key', async () => {
  await using open = await openPlayingSite()
  const playlist = await open.play('northMonitor', 'index.m3u8')
  expect([playlist.status, playlist.type, playlist.body.toString()]).toEqual([
    200,
    'application/vnd.apple.mpegurl',
    PLAYLIST,
  ])
  const segment = await open.play('northMonitor', 'seg00001.ts')
  expect([segment.status, segment.type, segment.body.toString()]).toEqual([
    200,
    'video/mp2t',
    'media',
  ])
  for (const { headers } of [playlist, segment]) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
  const asked = open.site.media.requests.filter(({ line }) => line.includes('/live/north/'))
  expect(asked).toEqual(
    ['index.m3u8', 'seg00001.ts'].map((file) => ({
      line: `GET /live/north/${file}`,
      body: null,
      authorization: '',
    })),
  )
})

test('a query is never passed on', async () => {
  await using open = await openPlayingSite()
  const played = await open.play('northEditor', 'index.m3u8?token=x&_HLS_msn=1&url=http://evil')
  expect(played.status).toBe(200)
  expect(filesAsked(open.site)).toEqual(['GET /live/north/index.m3u8'])
})

test.each(['', 'Bearer ', 'Bearer nonsense', 'Basic dXNlcjpwYXNz'])(
  'T14 without a session nothing is played: %j',
  async (authorization) => {
    await using open = await openPlayingSite()
    const { north1, people } = open.site
    const path = `/api/channel/${north1.id}/hls/index.m3u8`
    const played = await open.get(path, authorization)
    expect([played.status, failureOf(played).code]).toEqual([401, 'unauthenticated'])
    const byQuery = await open.get(`${path}?token=${people.admin.token}`, authorization)
    expect(byQuery.status).toBe(401)
    expect(filesAsked(open.site)).toEqual([])
  },
)

const WAYS_OUT = [
  '',
  '.',
  '..',
  '../',
  '../../south/index.m3u8',
  '..%2f..%2fsouth%2findex.m3u8',
  '..%2F..%2Fsouth/index.m3u8',
  '%2e%2e/%2e%2e/south/index.m3u8',
  '%2e%2e%2f%2e%2e%2fsouth%2findex.m3u8',
  '..%252fsouth%252findex.m3u8',
  '..%5c..%5csouth%5cindex.m3u8',
  '..\\..\\south\\index.m3u8',
  '....//....//south/index.m3u8',
  '/south/index.m3u8',
  '//south/index.m3u8',
  'hls/index.m3u8',
  'http://127.0.0.1/index.m3u8',
  'http:%2f%2f169.254.169.254%2flatest.ts',
  '%2f%2fevil.example%2findex.m3u8',
  '@evil.example/index.m3u8',
  'index.m3u8%00.ts',
  'index.m3u8%0d%0aHost:%20evil.ts',
  'index.m3u8%3ftoken=1',
  'index.m3u8%23.ts',
  'index.m3u8/',
  'index.m3u8;a=1',
  'index.html',
  '.env',
  'streamer/api/v3/streams',
  `${'a'.repeat(600)}.ts`,
  '%',
  '%zz.ts',
]

test('T14 no path leads out of the channel', async () => {
  await using open = await openPlayingSite()
  const served: string[] = []
  for (const file of WAYS_OUT) {
    const played = await open.play('northEditor', file)
    if (![400, 404].includes(played.status) || failureOf(played).status) served.push(file)
  }
  expect(served).toEqual([])
  expect(filesAsked(open.site)).toEqual([])
})

test('T2 T14 a foreign channel, and an id with parent folders, is answered as not found', async () => {
  await using open = await openPlayingSite()
  const foreign = await open.play('northEditor', 'index.m3u8', open.site.south1.id)
  const unknown = await open.play('northEditor', 'index.m3u8', 'nowhere')
  expect([foreign.status, foreign.body.toString()]).toEqual([404, unknown.body.toString()])
  for (const id of ['..', '%2e%2e', '..%2fsouth', 'south', 'live%2fnorth']) {
    expect((await open.play('northEditor', 'index.m3u8', id)).status).toBe(404)
  }
  expect(filesAsked(open.site)).toEqual([])
})

test('other methods are not taken', async () => {
  await using open = await openPlayingSite()
  const path = `/api/channel/${open.site.north1.id}/hls/index.m3u8`
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
    expect((await open.get(path, open.token('admin'), method)).status).toBe(404)
  }
  expect(filesAsked(open.site)).toEqual([])
})

test.each([404, 410])('a file that the server does not have (%i) is 404', async (status) => {
  await using open = await openPlayingSite()
  open.site.media.files.set('/live/north/index.m3u8', { status, body: 'no' })
  const played = await open.play('admin', 'index.m3u8')
  expect([played.status, failureOf(played).error]).toEqual([
    404,
    'There is nothing to play here: no such file, or the stream is disabled or has not started.',
  ])
})

type Answer = NonNullable<ChannelSite['media']['answer']>

test.each<[string, Answer]>([
  ['it breaks off', (_, response) => void response.destroy()],
  ['it fails', (_, response) => void response.writeHead(500).end('boom')],
  ['it forbids', (_, response) => void response.writeHead(403).end()],
  [
    'it sends elsewhere',
    (_, response) => void response.writeHead(302, { location: '/south/index.m3u8' }).end(),
  ],
  ['it has a part', (_, response) => void response.writeHead(206).end('part')],
  [
    'it packs',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
  ],
  [
    'it leads out of its folder',
    (_, response) => void response.end(`${PLAYLIST}http://169.254.169.254/latest.ts\n`),
  ],
  ['it never ends', (_, response) => void response.end('#'.repeat(4 * 1024 * 1024))],
  [
    'it announces too much',
    (_, response) => void response.writeHead(200, { 'content-length': 2 ** 40 }).write('x'),
  ],
])('a media server that answers no file is 502: %s', async (_why, wrong) => {
  await using open = await openPlayingSite()
  open.site.media.files.set('/live/north/index.m3u8', wrong)
  const played = await open.play('admin', 'index.m3u8')
  expect([played.status, failureOf(played).code]).toEqual([502, 'host_unreachable'])
  expect(filesAsked(open.site)).toEqual(['GET /live/north/index.m3u8'])
  // And it is not put out by that.
  expect((await open.play('admin', 'seg00001.ts')).body.toString()).toBe('media')
})

test.each<[string, Answer]>([
  ['is larger than 1 MB', (_, response) => void response.end('#\n'.repeat(1024 * 1024))],
  [
    'is larger than 1 MB',
    (_, response) => void response.writeHead(200, { 'content-length': 2 ** 40 }).write('x'),
  ],
  ['has more than 20,000 lines', (_, response) => void response.end('#\n'.repeat(20_001))],
  [
    'has a line of more than 10,000 characters',
    (_, response) => void response.end('#'.repeat(10_001)),
  ],
])('T16 a viewer sees that the playlist %s', async (excess, answer) => {
  await using open = await openPlayingSite()
  open.site.media.files.set('/live/north/index.m3u8', answer)
  const played = await open.play('admin', 'index.m3u8')
  expect([played.status, failureOf(played).error]).toEqual([
    502,
    `The playlist of Origin ${excess}, which is not relayed. Make it shorter on the media server, or play it from there.`,
  ])
})

test('a media server that is off is 502 for every role', async () => {
  await using open = await openPlayingSite()
  await open.site.media[Symbol.asyncDispose]()
  const played = await open.play('northMonitor', 'index.m3u8')
  expect([played.status, failureOf(played).error]).toEqual([
    502,
    'Origin does not answer. Ask an admin to look after it.',
  ])
})

/** Limits that a test need not wait for. */
const SMALL = { ...relayService.RELAY_LIMITS, fileBytes: 10 }
/** For a server that says nothing. */
const SOON = { ...relayService.RELAY_LIMITS, firstByteMs: 100 }

function actorOf(site: ChannelSite): Actor {
  const { id, email, role } = site.people.admin
  return { id, email, fullName: '', role, groupIds: [], sessionId: '', ip: '' }
}

function openFile(site: ChannelSite, signal: AbortSignal, limits: relayService.RelayLimits) {
  const request = { channelId: site.north1.id, fileName: 'seg1.ts', signal }
  return relayService.open(site.ctx, actorOf(site), request, limits)
}

const NEVER = new AbortController().signal

test.each<[string, Answer]>([
  ['says nothing', () => undefined],
  ['says nothing after its headers', (_, response) => response.flushHeaders()],
])('a media server that %s is 504', async (_how, silent) => {
  await using site = await openChannelSite()
  site.media.files.set('/live/north/seg1.ts', silent)
  await expect(openFile(site, NEVER, SOON)).rejects.toMatchObject({ code: 'host_timeout' })
})

test('the first byte has a limit of its own, shorter than those of a connection', async () => {
  await using site = await openChannelSite()
  site.media.isSilent = true
  const at = { baseUrl: site.media.baseUrl, apiKey: '' }
  const first = await Promise.race([
    openFile(site, NEVER, SOON).catch(() => 'the relay'),
    site.ctx.hosts.mediaServers.readStream(at, 'live/north').catch(() => 'a call'),
  ])
  expect(first).toBe('the relay')
})

test('a viewer who leaves before the first byte ends the request', async () => {
  await using site = await openChannelSite()
  const viewer = new AbortController()
  site.media.files.set('/live/north/seg1.ts', () => viewer.abort())
  const opened = openFile(site, viewer.signal, SMALL)
  // Nobody reads that answer; a silent server would be host_timeout.
  await expect(opened).rejects.toMatchObject({ code: 'host_unreachable' })
})

test('a file that turns out too long is cut off', async () => {
  await using site = await openChannelSite()
  site.media.files.set('/live/north/seg1.ts', (_, response) => {
    response.write('1234567890')
    response.end('1')
  })
  const { body, lengthBytes } = await openFile(site, NEVER, SMALL)
  expect(lengthBytes).toBeNull()
  const read = async () => {
    for await (const _part of body) void _part
  }
  await expect(read()).rejects.toThrow('too large to be relayed')
})

test('a file that does not end in its time is cut off, at both ends', async () => {
  await using site = await openChannelSite()
  const closed = Promise.withResolvers<boolean>()
  site.media.files.set('/live/north/seg1.ts', (_, response) => {
    response.on('close', () => closed.resolve(response.writableFinished))
    response.writeHead(200, { 'content-length': 10 }).write('12345')
  })
  const { body } = await openFile(site, NEVER, { ...SMALL, wholeFileMs: 100 })
  const read = async () => {
    for await (const _part of body) void _part
  }
  await expect(read()).rejects.toThrow('No data came in time.')
  expect(await closed.promise).toBe(false)
})

test('a file of exactly the limit is whole, with its length', async () => {
  await using site = await openChannelSite()
  site.media.files.set('/live/north/seg1.ts', (_, response) => {
    response.writeHead(200, { 'content-length': 10 }).end('1234567890')
  })
  const { body, lengthBytes, contentType } = await openFile(site, NEVER, SMALL)
  const parts: string[] = []
  for await (const part of body) parts.push(String(part))
  expect([parts.join(''), lengthBytes, contentType]).toEqual(['1234567890', 10, 'video/mp2t'])
})

test('a file that breaks off in the middle breaks off at the viewer', async () => {
  await using open = await openPlayingSite()
  open.site.media.files.set('/live/north/seg1.ts', (_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('12345', () => response.destroy())
  })
  await expect(open.play('northEditor', 'seg1.ts')).rejects.toThrow('aborted')
})

test.each<[string, Answer]>([
  ['by its length', (_, response) => void response.writeHead(200, { 'content-length': 0 }).end()],
  ['by its end', (_, response) => void response.writeHead(200).end()],
  ['late', (_, response) => void (response.flushHeaders(), setImmediate(() => response.end()))],
])('a file without bytes, %s, is whole', async (_how, answer) => {
  await using open = await openPlayingSite()
  open.site.media.files.set('/live/north/seg1.ts', answer)
  const { status, body } = await open.play('northEditor', 'seg1.ts')
  expect([status, body.length]).toEqual([200, 0])
})

test('a viewer who leaves ends the request to the media server', async () => {
  await using open = await openPlayingSite()
  const { promise: cut, resolve } = Promise.withResolvers<boolean>()
  open.site.media.files.set('/live/north/seg1.ts', (_, response) => {
    response.on('close', () => resolve(response.writableFinished))
    response.write('begin')
  })
  const asked = httpRequest({
    host: '127.0.0.1',
    port: open.port,
    path: `/api/channel/${open.site.north1.id}/hls/seg1.ts`,
    headers: { authorization: open.token('northEditor') },
  })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  await once(response, 'data')
  response.destroy()
  expect(await cut, 'the answer of the media server was finished').toBe(false)
})

test('T16 a user has at most 24 files in transfer, and more when these are done', async () => {
  await using open = await openPlayingSite()
  const waiting: (() => void)[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  open.site.media.files.set('/live/north/seg1.ts', (_, response) => {
    waiting.push(() => response.end('media'))
    if (waiting.length === 24) resolve()
  })
  const played = Array.from({ length: 24 }, async () => open.play('northEditor', 'seg1.ts'))
  await all
  const refused = await open.play('northEditor', 'index.m3u8')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2'])
  expect((await open.play('northMonitor', 'index.m3u8')).status).toBe(200)
  for (const end of waiting) end()
  expect((await Promise.all(played)).map((item) => item.status)).toEqual(Array(24).fill(200))
  expect((await open.play('northEditor', 'index.m3u8')).status).toBe(200)
})

test('decisions 19 a user who is revoked, or left the group, can play nothing', async () => {
  await using open = await openPlayingSite()
  const { ctx, people } = open.site
  const statuses = async () => [
    (await open.play('northEditor', 'index.m3u8')).status,
    (await open.play('northMonitor', 'index.m3u8')).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  const { northEditor, northMonitor } = people
  await ctx.db.deleteFrom('group_users').where('user_id', '=', northEditor.id).execute()
  await ctx.db
    .updateTable('users')
    .set({ token_version: 2 })
    .where('id', '=', northMonitor.id)
    .execute()
  ctx.notices.tell({ kind: 'user', id: northEditor.id, change: 'changed', groupIds: [] })
  ctx.notices.tell({ kind: 'gone', userId: northMonitor.id })
  expect(await statuses()).toEqual([404, 401])
})
