/** Links to a channel server that requires playback tokens: what is answered, and what the relay sends. */
import { readPlayback } from '@trunkline/contract/channels/channel.calls'
import { HOUR_MS } from '@trunkline/contract/durations'
import { expect, test } from 'vitest'
import { openFleet } from '../fleet/fleet.service.ts'
import { FAKE_MEDIA_KEY, fakeStream } from '../testing/fake-media-server.ts'
import { inject } from '../testing/inject.ts'
import type { ChannelSite } from './channel.fixture.ts'
import { playbackToken } from './playback-token.rules.ts'
import { filesAsked, openPlayingSite } from './relay.fixture.ts'

const NAME = 'live/north'

/** As the agent's own test has it. */
test('the token is the one that the agent takes', () => {
  expect(playbackToken('key-of-a-seat', 'live/news', 1_800_000_000)).toBe(
    '1800000000-dbtCWmAeKp-xPBdgpx3zAZxj32-wB8vyFUtQ4upHe9s',
  )
})

test('T3 the key of one server makes no token of another, however often each is asked for', () => {
  const tokens = ['one seat', 'another', 'one seat', 'another'].map((key) =>
    playbackToken(key, 'live/news', 1_800_000_000),
  )
  expect([tokens[0] === tokens[2], tokens[1] === tokens[3], new Set(tokens).size]).toEqual([
    true,
    true,
    2,
  ])
})

async function answerOf(site: ChannelSite, playback?: 'signed' | 'open') {
  const stats = { alive: true, ...(playback === undefined ? {} : { playback }) }
  await site.ctx.board.streams.answered(site.serverId, [fakeStream(NAME, { stats })])
}

async function playbackOf(site: ChannelSite) {
  const params = { channelId: site.north1.id }
  return (await inject(site.app, readPlayback, site.people.northMonitor.token, { params })).answer
}

test('the link carries a token for 12 to 13 hours, which ends at a full hour', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  await answerOf(site, 'signed')
  const first = await playbackOf(site)
  const expiresAtMs = Date.parse(first.directExpiresAt ?? '')
  const validMs = expiresAtMs - site.ctx.clock()
  expect(validMs).toBeGreaterThanOrEqual(12 * HOUR_MS - 1000)
  expect(validMs).toBeLessThanOrEqual(13 * HOUR_MS)
  expect(expiresAtMs % HOUR_MS).toBe(0)
  const token = playbackToken(FAKE_MEDIA_KEY, NAME, expiresAtMs / 1000)
  expect(first.direct).toBe(`${site.media.baseUrl}/${NAME}/index.m3u8?token=${token}`)
})

test('a server that does not require tokens, or is not ours, gets none', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  const plain = `${site.media.baseUrl}/${NAME}/index.m3u8`
  for (const playback of [undefined, 'open'] as const) {
    await answerOf(site, 'signed')
    await answerOf(site, playback)
    expect(await playbackOf(site)).toMatchObject({ direct: plain, directExpiresAt: null })
    expect((await open.play('northEditor', 'index.m3u8')).status).toBe(200)
  }
  expect(new Set(filesAsked(site))).toEqual(new Set([`GET /${NAME}/index.m3u8`]))
})

test('a silent server keeps its last answer', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  await answerOf(site, 'signed')
  await site.ctx.board.streams.silent(site.serverId, { kind: 'refused', sentence: 'It is away.' })
  expect((await playbackOf(site)).directExpiresAt).not.toBeNull()
})

test('a server that is not known yet is asked first', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  site.media.streams.set(NAME, fakeStream(NAME, { stats: { alive: true, playback: 'signed' } }))
  // Its watch asks at once and then not again: what it heard is taken away.
  await using _fleet = await openFleet(site.ctx, { watchedMs: HOUR_MS, unwatchedMs: HOUR_MS })
  await site.media.asked(/streams\?limit/)
  await expect.poll(() => site.ctx.board.streams.server(site.serverId)).not.toBeNull()
  site.ctx.board.streams.forgetServer(site.serverId)
  expect((await playbackOf(site)).direct).toContain('?token=')
})

test('the relay sends the token, and passes none to the browser', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  await answerOf(site, 'signed')
  const { search } = new URL((await playbackOf(site)).direct)
  const { files } = site.media
  files.clear()
  const body = `#EXTM3U\n#EXTINF:2,\nseg00001.ts${search}\n`
  files.set(`/${NAME}/index.m3u8${search}`, { status: 200, body })
  files.set(`/${NAME}/seg00001.ts${search}`, { status: 200, body: 'media' })
  const playlist = await open.play('northEditor', 'index.m3u8')
  expect(playlist.body.toString()).toBe('#EXTM3U\n#EXTINF:2,\nseg00001.ts\n')
  expect((await open.play('northEditor', 'seg00001.ts')).body.toString()).toBe('media')
})
