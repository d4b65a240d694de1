/** The detail of a channel: when it opens, what it says, its refresh, its player, its push outputs. */
import {
  DEMO_CHANNEL,
  openChannels,
  openDetail,
  ownChannel,
  ownChannelServer,
  ownPort,
  ownStream,
  partOf,
  playlistsOf,
  readingsOf,
  dismissNotice,
  type OwnStream,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button } from './page.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { ownAddress } from './second-gateway.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const SWITCH = '/api/channel/change_stream_status'

test('CHAN-23 CHAN-24 CHAN-26 CHAN-33 CHAN-41 Q120 the player controls work, and a refresh of the detail does not touch the player', async ({
  page,
  site,
  complaints,
}) => {
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, DEMO_CHANNEL)
  for (const panel of ['Input', 'Settings', 'Output']) {
    await expect(partOf(detail, panel)).toBeVisible()
  }
  await expect(partOf(detail, 'Settings')).toContainText(/TranscoderOff/)
  await expect(partOf(detail, 'Settings')).toContainText(/DVROff/)
  await timeAdvances(detail)
  const video = detail.locator('video')
  await video.evaluate((element) => element.setAttribute('data-marked', 'yes'))
  const readings = readingsOf(page, 'demo')
  await button(detail, 'Pause').click()
  await expect(video).toHaveJSProperty('paused', true)
  await button(detail, 'Play').click()
  await expect(video).toHaveJSProperty('paused', false)
  await timeAdvances(detail)
  await expect(video).toHaveJSProperty('muted', true)
  await button(detail, 'Unmute').click()
  await expect(video).toHaveJSProperty('muted', false)
  await button(detail, 'Mute').click()
  await expect(video).toHaveJSProperty('muted', true)
  const isFull = async () => page.evaluate(() => document.fullscreenElement !== null)
  await button(detail, 'Full screen').click()
  await expect.poll(isFull).toBe(true)
  await page.evaluate(async () => document.exitFullscreen())
  await expect.poll(isFull).toBe(false)
  const time = async () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  for (const count of [1, 2]) {
    await expect.poll(() => readings.length).toBeGreaterThanOrEqual(count)
    const before = await time()
    await expect.poll(time, `after refresh ${count}`).toBeGreaterThan(before + 1)
    await expect(video).toHaveAttribute('data-marked', 'yes')
    await expect(video).toHaveJSProperty('paused', false)
  }
  expect(complaints).toEqual([])
})

test('CHAN-32 Q119 the playlist is loaded from the stream’s own server, and Close ends it', async ({
  page,
  site,
  complaints,
}) => {
  await using server = await ownChannelServer(site, { host: ownAddress() })
  await using channel = await ownChannel(site, 'demo', { serverId: server.id })
  await signIn(page, site, 'monitor')
  const checked = page.waitForResponse('**/api/users/jwtLogin')
  await openChannels(page, site)
  await checked
  // A page that was loaded before its person was known names no server in its policy.
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, channel.title)
  await timeAdvances(detail)
  await pictureChanges(detail)
  const playlist = `${server.origin}/demo/index.m3u8`
  expect([...new Set(playlists)]).toEqual([playlist])
  // Only with the token of the console's link.
  expect((await page.request.get(playlist)).status()).toBe(403)
  await expect(partOf(detail, 'Output')).toContainText('/demo/index.m3u8')
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)
  playlists.splice(0)
  // The list behind it asks for its own things meanwhile; the time that they take is enough.
  for (let at = 0; at < 3; at += 1) {
    const answered = page.waitForResponse('**/api/channel/get_channels')
    await button(page, 'Refresh').click()
    await answered
  }
  expect(playlists).toEqual([])
  expect(complaints).toEqual([])
})

test('the media server goes away and returns: the picture is back without a click', async ({
  page,
  site,
}) => {
  await using server = await ownChannelServer(site)
  await using channel = await ownChannel(site, 'demo', { serverId: server.id })
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, channel.title)
  await timeAdvances(detail)
  await server.shut()
  await expect(detail.getByText('Offline', { exact: true }).first()).toBeVisible()
  await expect(detail.getByText('server silent').first()).toBeVisible()
  await server.reopen()
  await expect(detail.getByText('Online', { exact: true }).first()).toBeVisible()
  await timeAdvances(detail)
  await pictureChanges(detail)
})

/** As the media server has them: address and whether it is off. */
async function switchedOf(stream: OwnStream): Promise<[string, boolean][]> {
  const { pushes } = await stream.read()
  return pushes.map(({ url, disabled }) => [url, disabled === true])
}

test('CHAN-27 CHAN-28 Q122 Q130 push outputs: two of three are shown, and one is switched', async ({
  page,
  site,
}) => {
  const urls: string[] = []
  for (let at = 0; at < 3; at += 1) urls.push(`udp://127.0.0.1:${await ownPort()}`)
  await using stream = await ownStream(site, { pushes: urls.map((url) => ({ url })) })
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const detail = await openDetail(page, channel.title)
  const part = partOf(detail, 'Push outputs')
  const turns = part.getByRole('switch')
  await expect(turns).toHaveCount(2)
  for (const [at, url] of urls.entries()) {
    await expect(part.getByText(url, { exact: true })).toHaveCount(at < 2 ? 1 : 0)
  }
  const bodies = bodiesOf(page, `POST ${SWITCH}`)
  const pushes = (isOff: boolean) => urls.map((url, at) => ({ url, disabled: isOff && at === 1 }))
  for (const isOff of [true, false]) {
    await turns.nth(1).click()
    await dismissNotice(page, 'Status updated successfully!')
    await expect(turns.nth(1)).toBeChecked({ checked: !isOff })
    expect(await switchedOf(stream)).toEqual(
      pushes(isOff).map(({ url, disabled }) => [url, disabled]),
    )
  }
  expect(bodies).toEqual(
    [true, false].map((isOff) => ({
      serverId: channel.serverId,
      streamName: stream.name,
      data: { pushes: pushes(isOff) },
      pushIndex: 1,
    })),
  )
})
