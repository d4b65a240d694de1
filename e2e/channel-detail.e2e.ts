/** The detail of a channel: when it opens, what it says, its refresh, its player, its push outputs. */
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import type { Page } from '@playwright/test'
import {
  changesOf,
  DEMO_CHANNEL,
  failNext,
  openChannels,
  openDetail,
  ownChannel,
  ownChannelServer,
  ownPort,
  ownStream,
  partOf,
  playlistsOf,
  readingsOf,
  switchOf,
  dismissNotice,
  type OwnChannel,
  type OwnStream,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, rowOf } from './page.steps.ts'
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

test('CHAN-40 Q127 a row opens the detail; its title’s double-click and its controls do not', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const row = rowOf(page, channel.title)
  const title = button(row, channel.title)
  const field = page.getByRole('textbox', { name: `Title of ${channel.title}`, exact: true })
  const detail = page.getByRole('dialog')
  await expect(row.getByText('Offline', { exact: true })).toBeVisible()

  await test.step('neither a double-click in the title nor a control', async () => {
    await title.dblclick()
    await expect(field).toBeFocused()
    await field.click()
    await field.press('Escape')
    await switchOf(row, channel.title).click()
    await dismissNotice(page, 'Status updated successfully!')
    await switchOf(row, channel.title).click()
    await dismissNotice(page, 'Status updated successfully!')
    await button(row, `Restart ${channel.title}`).click()
    await dismissNotice(page, 'Server restarted successfully!')
    await button(row, `More for ${channel.title}`).click()
    await page.keyboard.press('Escape')
    await expect(detail).toHaveCount(0)
  })
  for (const [how, open] of [
    ['a click beside them', async () => row.getByRole('cell').nth(1).click()],
    ['one click on the title', async () => title.click()],
    ['Enter on the title', async () => title.press('Enter')],
  ] as const) {
    await test.step(`but ${how}`, async () => {
      await open()
      await expect(detail.getByText(stream.name, { exact: true }).first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(detail).toHaveCount(0)
    })
  }
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

test('CHAN-27 CHAN-28 Q122 Q130 push outputs: at most two of three are shown, and one is switched', async ({
  page,
  site,
}) => {
  await using own = new AsyncDisposableStack()
  const cases: { urls: string[]; stream: OwnStream; channel: OwnChannel }[] = []
  for (const count of [1, 2, 3]) {
    const urls: string[] = []
    for (let at = 0; at < count; at += 1) urls.push(`udp://127.0.0.1:${await ownPort()}`)
    const stream = own.use(await ownStream(site, { pushes: urls.map((url) => ({ url })) }))
    cases.push({ urls, stream, channel: own.use(await ownChannel(site, stream.name)) })
  }
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  for (const { urls, stream, channel } of cases) {
    await test.step(`${urls.length}`, async () => switchPushes(page, urls, stream, channel))
  }
})

async function switchPushes(
  page: Page,
  urls: readonly string[],
  stream: OwnStream,
  channel: OwnChannel,
): Promise<void> {
  const detail = await openDetail(page, channel.title)
  const part = partOf(detail, 'Push outputs')
  const turns = part.getByRole('switch')
  await expect(turns).toHaveCount(Math.min(urls.length, 2))
  for (const [at, url] of urls.entries()) {
    await expect(part.getByText(url, { exact: true })).toHaveCount(at < 2 ? 1 : 0)
  }
  const bodies = bodiesOf(page, `POST ${SWITCH}`)
  const last = Math.min(urls.length, 2) - 1
  const pushes = (isOff: boolean) =>
    urls.map((url, at) => ({ url, disabled: isOff && at === last }))
  for (const isOff of [true, false]) {
    await turns.nth(last).click()
    await dismissNotice(page, 'Status updated successfully!')
    await expect(turns.nth(last)).toBeChecked({ checked: !isOff })
    expect(await switchedOf(stream)).toEqual(
      pushes(isOff).map(({ url, disabled }) => [url, disabled]),
    )
  }
  expect(bodies).toEqual(
    [true, false].map((isOff) => ({
      serverId: channel.serverId,
      streamName: stream.name,
      data: { pushes: pushes(isOff) },
      pushIndex: last,
    })),
  )
  await failNext(page, SWITCH)
  await turns.first().click()
  await dismissNotice(page, 'It failed.')
  await expect(turns.first()).toBeChecked()
  expect((await stream.read()).pushes.map(({ disabled }) => disabled)).toEqual(
    urls.map(() => false),
  )
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)
}

test('CHAN-22 ERR-28 an editor is refused in the detail too, and nothing is sent', async ({
  page,
  site,
  complaints,
}) => {
  const pushes = [{ url: `udp://127.0.0.1:${await ownPort()}` }]
  const inputs = [await ownPort(), await ownPort()].map((port) => ({
    url: `udp://127.0.0.1:${port}`,
  }))
  await using stream = await ownStream(site, { pushes, inputs })
  await using channel = await ownChannel(site, stream.name)
  // Never answered: there is no picture, and the browser complains of each 404.
  await page.route('**/*.m3u8', () => {})
  await signIn(page, site, 'editor')
  await openChannels(page, site)
  const detail = await openDetail(page, channel.title)
  await expect(detail.getByText('Offline', { exact: true }).first()).toBeVisible()
  const sent = changesOf(page)
  const controls = [
    switchOf(detail, channel.title),
    button(detail, `Restart ${channel.title}`),
    button(detail, `Edit title of ${channel.title}`),
    partOf(detail, 'Push outputs').getByRole('switch'),
    detail.getByRole('button', { name: /^Switch to this/ }).first(),
  ]
  for (const control of controls) {
    await control.click()
    await dismissNotice(page, NOT_AUTHORIZED)
  }
  await button(detail, channel.title).dblclick()
  await dismissNotice(page, NOT_AUTHORIZED)
  await expect(page.getByRole('textbox', { name: /^Title of/ })).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  expect(sent).toEqual([])
  expect(complaints).toEqual([])
  expect((await stream.read()).disabled).toBe(false)
})
