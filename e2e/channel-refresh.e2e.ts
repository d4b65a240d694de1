/** The clock of a channel's detail: when it reads its stream again, and when its player asks for a playlist. */
import type { Locator, Page } from '@playwright/test'
import {
  DEMO_CHANNEL,
  openChannels,
  openDetail,
  ownChannel,
  ownStream,
  playlistsOf,
  readingsOf,
  stopClock,
  switchOf,
  dismissNotice,
} from './channel.steps.ts'
import { rowOf, withoutLive } from './page.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

/** Each try sets the clock forward; none has to wait for the one before it. */
const AT_ONCE = { intervals: [20] }

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

/** Runs in the page: its clock is set forward by more than a read is waited for. */
function waitForEveryRead(): void {
  AbortSignal.timeout = () => new AbortController().signal
}

/** Of a page whose clock stands: small steps, until what came has been drawn. */
async function stepUntil(page: Page, text: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(5)
    await expect(text).toBeVisible({ timeout: 250 })
  }).toPass(AT_ONCE)
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
    }).toPass(AT_ONCE)
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
  }).toPass(AT_ONCE)
  await page.clock.runFor(25_000)
  expect(await times()).toEqual(all)
})

test('CHAN-31 the playlist is requested 3 s after the stream was read, not before', async ({
  page,
  site,
}) => {
  await withoutLive(page)
  await page.clock.install()
  await page.addInitScript(waitForEveryRead)
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  // The row has asked for itself, and was answered: the next reading is the detail's.
  await expect(rowOf(page, DEMO_CHANNEL).getByText('Online', { exact: true })).toBeVisible()
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

/** Sets the page's clock forward until the stream has been read so often. */
async function refreshes(page: Page, readings: readonly string[], count: number): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(2000)
    expect(readings.length).toBeGreaterThanOrEqual(count)
  }).toPass(AT_ONCE)
}

test('CHAN-30 no playlist is requested while the stream is off, nor once it is switched off', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site, { disabled: true })
  await using channel = await ownChannel(site, stream.name)
  await withoutLive(page)
  await page.clock.install()
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, channel.title)
  const off = detail.getByText('Channel is off', { exact: true })
  await expect(off).toBeVisible()
  const readings = readingsOf(page, stream.name)
  await refreshes(page, readings, 2)
  expect(playlists).toEqual([])

  await switchOf(detail, channel.title).click()
  await dismissNotice(page, 'Status updated successfully!')
  await expect.poll(() => playlists.length).toBeGreaterThan(0)
  await switchOf(detail, channel.title).click()
  await expect(off).toBeVisible()
  playlists.splice(0)
  readings.splice(0)
  await refreshes(page, readings, 1)
  expect(playlists).toEqual([])
})
