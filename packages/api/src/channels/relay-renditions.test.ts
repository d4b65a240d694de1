/** Playlists that lead to others: renditions beside them, and the folders of a media server’s own. */
import { expect, test } from 'vitest'
import { filesAsked, openPlayingSite } from './relay.fixture.ts'

test('a master playlist, its renditions and their segments are played, each after a check of the rights', async () => {
  await using open = await openPlayingSite()
  const { files } = open.site.media
  const master =
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=300000\nv1.m3u8\n'
  files.set('/live/north/index.m3u8', { status: 200, body: master })
  const segment = '0a1b2c3d4e-v1-00042.ts'
  files.set('/live/north/v1.m3u8', { status: 200, body: `#EXTM3U\n#EXTINF:2,\n${segment}\n` })
  files.set(`/live/north/${segment}`, { status: 200, body: 'media' })
  for (const file of ['index.m3u8', 'v1.m3u8', segment]) {
    expect((await open.play('northMonitor', file)).status).toBe(200)
    expect((await open.play('southMonitor', file)).status).toBe(404)
    const path = `/api/channel/${open.site.north1.id}/hls/${file}`
    expect((await open.get(path, 'Bearer nonsense')).status).toBe(401)
  }
  expect((await open.play('northMonitor', 'index.m3u8')).body.toString()).toBe(master)
})

test('CHAN-32 the folders that media servers document are played', async () => {
  await using open = await openPlayingSite()
  const { files } = open.site.media
  const served = ['tracks-v1a1/mono.m3u8', 'tracks-v1a1/2026/03/22/08/06/37-05000.ts']
  files.set(`/live/north/${served[0]}`, {
    status: 200,
    body: '#EXTM3U\n#EXTINF:5,\n2026/03/22/08/06/37-05000.ts\n',
  })
  files.set(`/live/north/${served[1]}`, { status: 200, body: 'media' })
  for (const file of served) expect((await open.play('northEditor', file)).status).toBe(200)
  expect(filesAsked(open.site)).toEqual(served.map((file) => `GET /live/north/${file}`))
})

test('T2 T14 a channel of another group named like a folder of this one is not reached through it', async () => {
  await using open = await openPlayingSite()
  const { site } = open
  const { serverId } = site
  const file = 'tracks-v1/2026/03/22/08/06/37-05000.ts'
  site.media.files.set(`/live/north/${file}`, { status: 200, body: 'foreign' })
  for (const folder of ['tracks-v1', 'tracks-v1/2026', 'tracks-v1/2026/03/22/08/06']) {
    const name = `live/north/${folder}`
    site.ctx.board.streams.setChannels([{ id: 'x', serverId, name, groupIds: [site.south] }])
    expect((await open.play('northEditor', file)).status, folder).toBe(404)
  }
  expect(filesAsked(site)).toEqual([])
  site.ctx.board.streams.setChannels([], ['x'])
  expect((await open.play('northEditor', file)).status).toBe(200)
})
