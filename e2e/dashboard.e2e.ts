/** The dashboard while encoders run: what their cards say and show. */
import type { Locator, Page } from '@playwright/test'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { answer, button, isLive } from './page.steps.ts'
import { ownEncoder, ownLiveEncoder, type OwnEncoder } from './encoder.steps.ts'
import { expect, openDashboard, test } from './site.fixture.ts'

const DEMO = 'Demo camera'

function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title, exact: true })
}

test('DASH-08 to DASH-14 DASH-25 what is set and measured: running, off the air, not configured', async ({
  page,
  site,
  complaints,
}) => {
  await using bare = await ownEncoder(site)
  const demoConfig = demoEncoderConfig(site.plan)
  await using aac = await ownLiveEncoder(site, 5, {
    'video-format': '720p50',
    'audio-stream': {
      format: 'aac',
      bitrate: 128,
      lang: 'eng',
      pid: 4112,
      'aac-profile': 'aac-lc',
      'aac-encap': 'adts',
    },
    'video-stream': { ...demoConfig['video-stream'], width: 1280 },
    muxer: { ...demoConfig.muxer, 'ts-muxrate': 4_500_000, cbr: 0 },
  })
  await openDashboard(page, site, 'superadmin')
  const demo = cardOf(page, DEMO)
  await expect(demo.getByText('Running', { exact: true })).toBeVisible()
  await expect(demo.getByRole('img', { name: 'active', exact: true })).toBeVisible()
  await expect(demo.getByText('pal', { exact: true })).toBeVisible()
  await expect(demo.getByText('Mux 600 kbit/s cbr', { exact: true })).toBeVisible()
  await expect(demo).toContainText('H.264 + mp2')
  await expect(demo).toContainText(/Uptime \d+:\d\d/)

  const stopped = cardOf(page, aac.title)
  await expect(stopped.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(stopped.getByRole('img', { name: 'down', exact: true })).toBeVisible()
  await expect(stopped.getByText('720p50', { exact: true })).toBeVisible()
  await expect(stopped).toContainText('H.264 + aac')
  await expect(stopped.getByText('Mux 4,500 kbit/s vbr', { exact: true })).toBeVisible()
  await expect(stopped).toContainText('Uptime –')

  await expect(cardOf(page, bare.title).getByText('Not Configured', { exact: true })).toBeVisible()
  await expect(cardOf(page, bare.title)).not.toContainText('H.264')
  expect(complaints).toEqual([])
})

test('a running encoder shows its picture, and only as long as it runs', async ({
  page,
  site,
  complaints,
}) => {
  await using encoder = await ownLiveEncoder(site, 4)
  await openDashboard(page, site, 'admin')
  await isLive(page)
  const card = cardOf(page, encoder.title)
  await expect(card.getByText('Not running', { exact: true })).toBeVisible()
  const box = await card.boundingBox()
  await button(card, `Start ${encoder.title}`).click()
  const picture = card.getByRole('img', { name: `Picture of ${encoder.title}`, exact: true })
  const painted = async () => picture.evaluate((item: HTMLCanvasElement) => item.toDataURL())
  const empty = await painted()
  await expect.poll(painted).not.toBe(empty)
  const first = await painted()
  await expect.poll(painted).not.toBe(first)
  expect((await card.boundingBox())?.height).toBe(box?.height)
  await stop(page, encoder)
  await expect(card.getByText(/^Not running for /)).toBeVisible()
  await expect(picture).toHaveCount(0)
  expect(complaints).toEqual([])
})

async function stop(page: Page, { title }: OwnEncoder): Promise<void> {
  await button(cardOf(page, title), `Stop ${title}`).click()
  await answer(page, `Stop ${title}.`, 'Stop encoder')
}
