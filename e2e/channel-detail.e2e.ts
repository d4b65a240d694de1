/** The detail of a channel: when it opens, what it says, its refresh, its player, its push outputs. */
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import type { Locator, Page, Request as PageRequest } from '@playwright/test'
import {
  BELOW_MANAGER,
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
  stopClock,
  switchOf,
  told,
  withoutLive,
  type OwnStream,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, rowOf } from './page.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { ownAddress } from './second-gateway.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const SWITCH = '/api/channel/change_stream_status'

for (const person of ['superadmin', 'admin', 'manager', 'editor', 'monitor'] as const) {
  test(`CHAN-23 CHAN-24 CHAN-26 CHAN-41 ${person} opens the detail, and its player is worked`, async ({
    page,
    site,
    complaints,
  }) => {
    await signIn(page, site, person)
    await openChannels(page, site)
    const detail = await openDetail(page, DEMO_CHANNEL)
    for (const panel of ['Input', 'Settings', 'Output']) {
      await expect(partOf(detail, panel)).toBeVisible()
    }
    await expect(partOf(detail, 'Settings')).toContainText(/TranscoderOff/)
    await expect(partOf(detail, 'Settings')).toContainText(/DVROff/)
    await timeAdvances(detail)
    const video = detail.locator('video')
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
    expect(complaints).toEqual([])
  })
}

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
    await told(page, 'Status updated successfully!')
    await switchOf(row, channel.title).click()
    await told(page, 'Status updated successfully!')
    await button(row, `Start over ${channel.title}`).click()
    await told(page, 'Server restarted successfully!')
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

/** How often the API was asked for that stream since, or has answered. */
function readingsOf(
  page: Page,
  streamName: string,
  when: 'request' | 'requestfinished' = 'request',
): string[] {
  const seen: string[] = []
  const note = (request: PageRequest) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/channel/streams' && searchParams.get('streamName') === streamName) {
      seen.push(request.url())
    }
  }
  if (when === 'request') page.on('request', note)
  else page.on('requestfinished', note)
  return seen
}

type ReadingPage = Window & typeof globalThis & { readAtMs: number[] }

/** Runs in the page, before anything else: when that stream was asked for, by the page's own clock. */
function noteReadings(streamName: string): void {
  const page = window as ReadingPage
  const askReally = window.fetch.bind(window)
  page.readAtMs = []
  page.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.endsWith(`streamName=${encodeURIComponent(streamName)}`)) page.readAtMs.push(Date.now())
    return askReally(input, init)
  }
}

/** Of a page whose clock stands: small steps, until what came has been drawn. */
async function stepUntil(page: Page, text: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(5)
    await expect(text).toBeVisible({ timeout: 250 })
  }).toPass()
}

test('CHAN-29 CONST-08 the detail reads its stream every 10 s, and no more once it is closed', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site, { disabled: true })
  await using channel = await ownChannel(site, stream.name)
  await withoutLive(page)
  await page.clock.install()
  await page.addInitScript(noteReadings, stream.name)
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, channel.title)
  await expect(detail.getByText('Channel is off', { exact: true })).toBeVisible()
  await stopClock(page)
  const times = async () => page.evaluate(() => (window as ReadingPage).readAtMs)
  const answered = readingsOf(page, stream.name, 'requestfinished')
  const before = (await times()).length
  for (let count = before + 1; count <= before + 3; count += 1) {
    await expect(async () => {
      await page.clock.runFor(1000)
      expect((await times()).length).toBeGreaterThanOrEqual(count)
    }).toPass()
    // The next 10 s begin with the answer; only then may the clock go on.
    await expect.poll(() => answered.length).toBeGreaterThanOrEqual(count - before)
    await stepUntil(page, detail.getByText(/next in \d+ s/))
  }
  const all = await times()
  for (let at = before + 1; at < all.length; at += 1) {
    const periodMs = (all[at] ?? 0) - (all[at - 1] ?? 0)
    expect(periodMs).toBeGreaterThanOrEqual(10_000)
    expect(periodMs, 'of the page’s own clock, which we set').toBeLessThan(15_000)
  }
  await page.keyboard.press('Escape')
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(detail).toHaveCount(0, { timeout: 250 })
  }).toPass()
  await page.clock.runFor(25_000)
  expect(await times()).toEqual(all)
})

test('CHAN-31 the playlist is asked for 3 s after the stream was read, not before', async ({
  page,
  site,
}) => {
  await withoutLive(page)
  await page.clock.install()
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/channel/streams?*', async (route) => {
    await answer.promise
    await route.continue()
  })
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await stopClock(page)
  await page.clock.runFor(10_000)
  expect(playlists).toEqual([])
  answer.resolve()
  await stepUntil(page, detail.getByText('Loads in 3 s', { exact: true }))
  await page.clock.runFor(2500)
  expect(playlists).toEqual([])
  await page.clock.runFor(501)
  await expect.poll(() => playlists.length).toBeGreaterThan(0)
  expect(playlists[0]).toBe(`${site.url}/api/channel/${site.ids.channelId}/hls/index.m3u8`)
})

test('CHAN-30 no playlist is asked for while the stream is off, nor once it is switched off', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site, { disabled: true })
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, channel.title)
  const off = detail.getByText('Channel is off', { exact: true })
  await expect(off).toBeVisible()
  const readings = readingsOf(page, stream.name)
  await expect.poll(() => readings.length, 'two refreshes').toBeGreaterThan(1)
  expect(playlists).toEqual([])

  await switchOf(detail, channel.title).click()
  await told(page, 'Status updated successfully!')
  await expect.poll(() => playlists.length).toBeGreaterThan(0)
  await switchOf(detail, channel.title).click()
  await expect(off).toBeVisible()
  playlists.splice(0)
  readings.splice(0)
  await expect.poll(() => readings.length, 'a refresh').toBeGreaterThan(0)
  expect(playlists).toEqual([])
})

test('CHAN-33 Q120 a refresh leaves the playing player alone', async ({ page, site }) => {
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await timeAdvances(detail)
  const video = detail.locator('video')
  await video.evaluate((element) => element.setAttribute('data-marked', 'yes'))
  const time = async () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  const readings = readingsOf(page, 'demo')
  for (const count of [1, 2, 3]) {
    const before = await time()
    await expect.poll(() => readings.length).toBeGreaterThanOrEqual(count)
    await expect.poll(time, `after refresh ${count}`).toBeGreaterThan(before + 1)
    await expect(video).toHaveAttribute('data-marked', 'yes')
    await expect(video).toHaveJSProperty('paused', false)
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
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, channel.title)
  await timeAdvances(detail)
  await pictureChanges(detail)
  expect([...new Set(playlists)]).toEqual([`${server.origin}/demo/index.m3u8`])
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

for (const count of [1, 2, 3]) {
  test(`CHAN-27 CHAN-28 Q122 Q130 push outputs: ${count}, of which two at most are shown and one is switched`, async ({
    page,
    site,
  }) => {
    const urls: string[] = []
    for (let at = 0; at < count; at += 1) urls.push(`udp://127.0.0.1:${await ownPort()}`)
    await using stream = await ownStream(site, { pushes: urls.map((url) => ({ url })) })
    await using channel = await ownChannel(site, stream.name)
    await signIn(page, site, 'manager')
    await openChannels(page, site)
    const detail = await openDetail(page, channel.title)
    const part = partOf(detail, 'Push outputs')
    const turns = part.getByRole('switch')
    await expect(turns).toHaveCount(Math.min(count, 2))
    for (const [at, url] of urls.entries()) {
      await expect(part.getByText(url, { exact: true })).toHaveCount(at < 2 ? 1 : 0)
    }
    const bodies = bodiesOf(page, `POST ${SWITCH}`)
    const last = Math.min(count, 2) - 1
    const pushes = (isOff: boolean) =>
      urls.map((url, at) => ({ url, disabled: isOff && at === last }))
    for (const isOff of [true, false]) {
      await turns.nth(last).click()
      await told(page, 'Status updated successfully!')
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
    await told(page, 'Something went wrong! Please try again.')
    await expect(turns.first()).toBeChecked()
    expect((await stream.read()).pushes.map(({ disabled }) => disabled)).toEqual(
      urls.map(() => false),
    )
  })
}

for (const person of BELOW_MANAGER) {
  test(`CHAN-22 ERR-09 ${person} is told in the detail too, and nothing is sent`, async ({
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
    await signIn(page, site, person)
    await openChannels(page, site)
    const detail = await openDetail(page, channel.title)
    await expect(detail.getByText('Offline', { exact: true }).first()).toBeVisible()
    const sent = changesOf(page)
    const controls = [
      switchOf(detail, channel.title),
      button(detail, `Start over ${channel.title}`),
      button(detail, `Edit title of ${channel.title}`),
      partOf(detail, 'Push outputs').getByRole('switch'),
      detail.getByRole('button', { name: /^Switch to this/ }).first(),
    ]
    for (const control of controls) {
      await control.click()
      await told(page, NOT_AUTHORIZED)
    }
    await button(detail, channel.title).dblclick()
    await told(page, NOT_AUTHORIZED)
    await expect(page.getByRole('textbox', { name: /^Title of/ })).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(1)
    expect(sent).toEqual([])
    expect(complaints).toEqual([])
    expect((await stream.read()).disabled).toBe(false)
  })
}
