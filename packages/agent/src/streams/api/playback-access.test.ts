/** Playback links of a channel server that requires them: real routes, files as a packager leaves them, a real player. */
import { createHmac, hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeUdpPort, shared } from '../../agent.fixture.ts'
import { playbackCheck } from './playback-access.ts'
import {
  callStreamApi,
  KEY,
  newSegments,
  openStreamSite,
  readStream,
  startEncoder,
} from '../stream-site.fixture.ts'
import { linkKey } from '../programs/stream.units.ts'

const LIFE_LIMIT_MS = 180_000
const VALID_S = 3600

const site = shared(async () => openStreamSite('signed'))

/** Made here by hand, as the API makes it. */
function tokenOf(name: string, expiresAtS: number, key = KEY): string {
  const playbackKey = Buffer.from(hkdfSync('sha256', key, '', 'trunkline playback 1', 32))
  const signature = createHmac('sha256', playbackKey).update(`${expiresAtS} ${name}`)
  return `${expiresAtS}-${signature.digest('base64url')}`
}

function inAnHour(): number {
  return Math.floor(site.ctx.clock() / 1000) + VALID_S
}

async function get(path: string) {
  return site.app.inject({ method: 'GET', url: path })
}

/** A stream with the files of a packager, two sizes. */
async function putLadder(name: string): Promise<{ segment: string }> {
  const url = `srt://:${await freeUdpPort()}`
  const put = await callStreamApi(site, 'PUT', `/streams/${name}`, {
    inputs: [{ url }],
    template: 'abr-2',
  })
  expect(put.status).toBe(200)
  const [folder, input] = [site.streams.folderOf(name), linkKey(url)]
  const segment = `${input}-v1-00012.ts`
  writeFileSync(join(folder, input, 'v1-00012.ts'), 'a segment')
  writeFileSync(
    join(folder, 'index.m3u8'),
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv0.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1.m3u8\n',
  )
  writeFileSync(join(folder, 'v1.m3u8'), `#EXTM3U\n#EXTINF:2.000000,\n${segment}\n`)
  return { segment }
}

test('the key, the signed text and the token are those of the API', () => {
  const token = '1800000000-dbtCWmAeKp-xPBdgpx3zAZxj32-wB8vyFUtQ4upHe9s'
  const check = playbackCheck({ key: 'key-of-a-seat', playback: 'signed' }, () => 0)
  expect(check('live/news', { token })).toEqual({ isAllowed: true, query: `?token=${token}` })
})

test('a link opens the playlist, and by its token the sizes and segments that it names', async () => {
  const { segment } = await putLadder('live/news')
  const query = `?token=${tokenOf('live/news', inAnHour())}`
  const index = await get(`/live/news/index.m3u8${query}`)
  expect([index.statusCode, index.body]).toEqual([
    200,
    `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv0.m3u8${query}\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1.m3u8${query}\n`,
  ])
  expect(index.headers).toMatchObject({
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'content-type': 'application/vnd.apple.mpegurl',
    'content-length': String(index.body.length),
  })
  const size = await get(`/live/news/v1.m3u8${query}`)
  expect(size.body).toBe(`#EXTM3U\n#EXTINF:2.000000,\n${segment}${query}\n`)
  expect((await get(`/live/news/${segment}${query}`)).body).toBe('a segment')
  await callStreamApi(site, 'DELETE', '/streams/live/news')
})

test('without a valid token for this stream nothing is served, and the answer does not say what was wrong', async () => {
  const { segment } = await putLadder('closed')
  const [good, later] = [tokenOf('closed', inAnHour()), inAnHour() + 1]
  const [, signature = ''] = good.split(/-(.*)/)
  const queries = [
    '',
    '?token=',
    '?token=nonsense',
    `?token=${tokenOf('other', inAnHour())}`,
    `?token=${tokenOf('closed', inAnHour(), 'another-key')}`,
    `?token=${later}-${signature}`,
    `?token=${good.slice(0, -1)}`,
    `?token=${good}&token=${good}`,
    `?Token=${good}`,
    `?token=${tokenOf('closed', Math.floor(site.ctx.clock() / 1000) - 1)}`,
  ]
  const answers = new Set<string>()
  for (const path of [
    '/closed/index.m3u8',
    '/closed/v1.m3u8',
    `/closed/${segment}`,
    '/none/x.ts',
  ]) {
    for (const query of queries) {
      const { statusCode, headers, body } = await get(path + query)
      answers.add(`${statusCode} ${headers['access-control-allow-origin']} ${body}`)
    }
  }
  expect([...answers]).toEqual([
    '403 * {"errors":[{"code":"forbidden","status":"403","title":"This playback link is not valid, or has expired. Copy a new one from the console."}]}',
  ])
  const wrongName = await get(`/none/index.m3u8?token=${tokenOf('none', inAnHour())}`)
  expect(wrongName.statusCode).toBe(404)
  await callStreamApi(site, 'DELETE', '/streams/closed')
})

test('a link is valid until the second of its expiry and not in it', async () => {
  const { segment } = await putLadder('timed')
  await using _clock = { [Symbol.asyncDispose]: async () => Promise.resolve(setSkew(0)) }
  const expiresAtS = inAnHour()
  const query = `?token=${tokenOf('timed', expiresAtS)}`
  const check = playbackCheck({ key: KEY, playback: 'signed' }, () => nowMs)
  let nowMs = expiresAtS * 1000 - 1
  expect(check('timed', { token: query.slice('?token='.length) }).isAllowed).toBe(true)
  nowMs += 1
  expect(check('timed', { token: query.slice('?token='.length) }).isAllowed).toBe(false)
  const statuses = async () => [
    (await get(`/timed/index.m3u8${query}`)).statusCode,
    (await get(`/timed/${segment}${query}`)).statusCode,
  ]
  expect(await statuses()).toEqual([200, 200])
  setSkew(VALID_S * 1000)
  expect(await statuses()).toEqual([403, 403])
  const renewed = await get(`/timed/index.m3u8?token=${tokenOf('timed', inAnHour())}`)
  expect(renewed.statusCode).toBe(200)
  await callStreamApi(site, 'DELETE', '/streams/timed')
})

function setSkew(skewMs: number): void {
  site.skewMs = skewMs
}

test('the API of the channel server takes its key as ever, and says that links need a token', async () => {
  await putLadder('listed')
  expect((await readStream(site, 'listed')).stats.playback).toBe('signed')
  const list = await callStreamApi(site, 'GET', '/streams')
  expect(list.body).toMatchObject({ streams: [{ name: 'listed', stats: { playback: 'signed' } }] })
  const byToken = await site.app.inject(
    `/streamer/api/v3/streams/listed?token=${tokenOf('listed', inAnHour())}`,
  )
  expect(byToken.statusCode).toBe(401)
  // A client may put back what it read.
  const { body } = await callStreamApi(site, 'GET', '/streams/listed')
  expect((await callStreamApi(site, 'PUT', '/streams/listed', body as object)).status).toBe(200)
  await callStreamApi(site, 'DELETE', '/streams/listed')
})

test(
  'a player that is given the link and nothing more plays; without the token it does not',
  { timeout: LIFE_LIMIT_MS },
  async () => {
    const port = await freeUdpPort()
    await callStreamApi(site, 'PUT', '/streams/played', {
      inputs: [{ url: `udp://127.0.0.1:${port}` }],
    })
    await using _feed = startEncoder(site, port)
    await newSegments(site, 'played', 3, [])
    await site.app.listen({ host: '127.0.0.1', port: 0 })
    const { port: httpPort } = site.app.server.address() as AddressInfo
    const address = `http://127.0.0.1:${httpPort}/played/index.m3u8`
    const play = async (link: string) => {
      const args = ['-v', 'error', '-i', link, '-t', '2', '-f', 'null', '-']
      const player = spawn('ffmpeg', args, { stdio: 'ignore' })
      const [code] = (await once(player, 'close')) as [number]
      return code
    }
    expect(await play(`${address}?token=${tokenOf('played', inAnHour())}`)).toBe(0)
    expect(await play(address)).not.toBe(0)
  },
)
