/** The row of a channel that has a picture. */
import { DEMO_CHANNEL, openChannels, openDetail } from './channel.steps.ts'
import { rowOf } from './page.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

test('CHAN-05 CHAN-10 CHAN-12 to CHAN-17 the demo’s row shows the state of the stream on its server', async ({
  page,
  site,
  complaints,
}) => {
  await signIn(page, site, 'monitor')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/channel/streams') asked.push(searchParams.toString())
  })
  await openChannels(page, site)
  const row = rowOf(page, DEMO_CHANNEL)
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
  const { srtToChannel, ristToChannel } = site.plan.ports
  await expect(row).toContainText(
    new RegExp(`(srt://:${srtToChannel}|rist://@127.0.0.1:${ristToChannel})\\?`),
  )
  await expect(row).toContainText(/h264,? 320×180/)
  await expect(row).toContainText(/mp2a,? 128/)
  await expect(row).toContainText('Demo streams')
  await expect(row).toContainText('Transcoder off, DVR off')
  await expect(row).toContainText('Source')
  const { serverId, streamName } = { serverId: site.ids.channelServerId, streamName: 'demo' }
  const kbps = async () => {
    const text = (await row.textContent()) ?? ''
    return Number(/([\d,]+) kbit\/s/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
  }
  // The encoder sends 600 kbit/s of transport stream; a reading over two of its bursts may be off.
  await expect.poll(kbps).toBeGreaterThan(300)
  await expect.poll(kbps).toBeLessThan(1200)
  await openDetail(page, DEMO_CHANNEL)
  await expect.poll(() => asked).toContain(new URLSearchParams({ serverId, streamName }).toString())
  expect(complaints).toEqual([])
})
