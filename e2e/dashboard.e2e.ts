/** The dashboard: what is asked for, how the cards lie, what they say and what their buttons do. */
import type { Locator, Page } from '@playwright/test'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { answer, button, dialogOf, expectNotice, isLive, openPage } from './page.steps.ts'
import { bodiesOf, ownEncoder, ownLiveEncoder, type OwnEncoder } from './encoder.steps.ts'
import { expect, openDashboard, test } from './site.fixture.ts'

const WELCOME = 'Welcome to Trunkline'
const DEMO = 'Demo camera'
const LIST = 'POST /api/encoder/all'

function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title, exact: true })
}

/** How many cards lie in the first line of the grid. */
async function columnsOf(page: Page): Promise<number> {
  return page.getByRole('article').evaluateAll((cards) => {
    const tops = cards.map((card) => card.getBoundingClientRect().top)
    return tops.filter((top) => top === tops[0]).length
  })
}

test('DASH-01 DASH-02 cards in one, two, three, four and six columns', async ({ page, site }) => {
  await using fleet = new AsyncDisposableStack()
  for (let at = 0; at < 6; at += 1) fleet.use(await ownEncoder(site))
  await openDashboard(page, site, 'superadmin')
  await expect(page.getByRole('searchbox', { name: 'Search encoders', exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Group', exact: true })).toBeVisible()
  await expect(button(page, 'Refresh')).toBeVisible()
  await expect(button(page, 'Add')).toBeVisible()
  await expect(page.getByRole('article').nth(6)).toBeVisible()
  for (const [width, columns] of [
    [639, 1],
    [640, 2],
    [1023, 2],
    [1024, 3],
    [1280, 4],
    [1839, 4],
    [1840, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(async () => columnsOf(page), { message: `${width} wide` }).toBe(columns)
  }
})

test('DASH-03 DASH-04 DASH-06 pages: twelve first, counted from 0, five sizes', async ({
  page,
  site,
}) => {
  await using fleet = new AsyncDisposableStack()
  for (let at = 0; at < 12; at += 1) fleet.use(await ownEncoder(site))
  const bodies = bodiesOf(page, LIST)
  await openDashboard(page, site, 'superadmin')
  await expect(page.getByText('1–12 of 13', { exact: true })).toBeVisible()
  expect(bodies[0]).toEqual({ page: 0, rows: 12, search: '', group: '' })
  await expect(page.getByRole('article')).toHaveCount(12)
  const size = page.getByRole('combobox', { name: 'Rows per page', exact: true })
  expect(await size.getByRole('option').allTextContents()).toEqual(['12', '28', '56', '84', '112'])
  await button(page, 'Next page').click()
  await expect(page.getByText('13–13 of 13', { exact: true })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  expect(bodies).toContainEqual({ page: 1, rows: 12, search: '', group: '' })
  await size.selectOption('28')
  await expect(page.getByRole('article')).toHaveCount(13)
  expect(bodies).toContainEqual({ page: 0, rows: 28, search: '', group: '' })
})

test('DASH-05 DASH-07 DASH-26 Q72 a search past three characters asks for all, and cancels the one before', async ({
  page,
  site,
}) => {
  await using encoder = await ownEncoder(site)
  await openDashboard(page, site, 'superadmin')
  await expect(cardOf(page, encoder.title)).toBeVisible()
  const bodies = bodiesOf(page, LIST)
  const box = page.getByRole('searchbox', { name: 'Search encoders', exact: true })
  await box.pressSequentially('Dem')
  await expect(box).toHaveValue('Dem')
  expect(bodies).toEqual([])
  // This one is never answered: the next has to end it.
  await page.route('**/api/encoder/all', async (route) => {
    const { search } = route.request().postDataJSON() as { search: string }
    if (search !== 'Demo') await route.continue()
  })
  const cancelled = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/api/encoder/all'),
  )
  await box.pressSequentially('o')
  await expect.poll(() => bodies).toEqual([{ page: 0, rows: 0, search: 'Demo', group: '' }])
  await box.pressSequentially(' cam')
  expect((await cancelled).failure()?.errorText).toBe('net::ERR_ABORTED')
  await expect(cardOf(page, encoder.title)).toHaveCount(0)
  await expect(cardOf(page, DEMO)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toHaveCount(0)
  await box.fill('')
  await expect(cardOf(page, encoder.title)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible()
})

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

test('DASH-15 DASH-16 DASH-19 DASH-21 ENC-33 ERR-14 start, restart and stop, asked first', async ({
  page,
  site,
  complaints,
}) => {
  await using encoder = await ownLiveEncoder(site, 6)
  const { id, title } = encoder
  await openDashboard(page, site, 'admin')
  await isLive(page)
  const bodies = bodiesOf(page, `POST /api/encoder/controlApi/${id}`)
  const card = cardOf(page, title)
  await button(card, `Start ${title}`).click()
  await expectNotice(page, 'Action worked success', `${title} started`)
  await expect(card.getByText('Running', { exact: true })).toBeVisible()
  await button(card, `Stop ${title}`).click()
  await answer(page, `Stop ${title}.`, 'Keep running')
  await button(card, `Restart ${title}`).click()
  await answer(page, `Restart ${title}.`, 'Restart encoder')
  await expectNotice(page, 'Action worked success', `${title} restarted`)
  await button(card, `Stop ${title}`).click()
  await answer(page, `Stop ${title}.`, 'Stop encoder')
  await expectNotice(page, 'Action worked success', `${title} stopped`)
  await expect(card.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(button(card, `Start ${title}`)).toBeVisible()
  expect(bodies).toEqual(
    ['start', 'restart', 'stop'].map((command) => ({ data: { name: 'encoder6', command } })),
  )
  expect(complaints).toEqual([])
})

test('DASH-17 DASH-18 DLG-12 NAV-09 the log as plain text, and the way to the configuration', async ({
  page,
  site,
}) => {
  await openDashboard(page, site, 'editor')
  const card = cardOf(page, DEMO)
  await button(card, `Log of ${DEMO}`).click()
  const log = dialogOf(page, 'Encoder logs')
  await expect(log.getByRole('log')).toContainText(/\w/)
  await page.keyboard.press('Escape')
  await expect(log).toHaveCount(0)
  await card.getByRole('link', { name: DEMO, exact: true }).click()
  await expect(page).toHaveURL(`${site.url}/dashboard/editEncoder/${site.ids.encoderId}`)
  await expect(
    page.getByRole('heading', { name: 'Configure Encoder', level: 1, exact: true }),
  ).toBeVisible()
})

test('DASH-20 ERR-22 an unconfigured encoder shows a message, and nothing is sent', async ({
  page,
  site,
}) => {
  await using encoder = await ownEncoder(site)
  const { id, title } = encoder
  await openDashboard(page, site, 'superadmin')
  const bodies = bodiesOf(page, `POST /api/encoder/controlApi/${id}`)
  const card = cardOf(page, title)
  for (const name of [`Start ${title}`, `Restart ${title}`, `Log of ${title}`]) {
    await button(card, name).click()
    await expectNotice(page, 'This encoder is not yet configured.', title)
    await button(page.getByRole('region', { name: 'Notices', exact: true }), 'Close notice')
      .first()
      .click()
    await expect(page.getByText('This encoder is not yet configured.')).toHaveCount(0)
  }
  expect(bodies).toEqual([])
  await card.getByRole('link', { name: `Configure ${title}`, exact: true }).click()
  await expect(page).toHaveURL(`${site.url}/dashboard/editEncoder/${id}`)
})

test('DASH-21 ERR-08 a command without an answer shows a message', async ({ page, site }) => {
  await using encoder = await ownLiveEncoder(site, 7)
  const { id, title } = encoder
  await openDashboard(page, site, 'superadmin')
  await isLive(page)
  await expect(cardOf(page, title).getByText('Stopped', { exact: true })).toBeVisible()
  await page.route(`**/api/encoder/controlApi/${id}`, async (route) => route.abort())
  await button(cardOf(page, title), `Start ${title}`).click()
  await expectNotice(page, "Don't get any response", title)
})

test('DASH-22 DASH-23 Refresh asks again, Add opens the dialog', async ({ page, site }) => {
  await openDashboard(page, site, 'superadmin')
  await expect(cardOf(page, DEMO)).toBeVisible()
  const asked = page.waitForRequest('**/api/encoder/all')
  await button(page, 'Refresh').click()
  expect((await asked).postDataJSON()).toEqual({ page: 0, rows: 12, search: '', group: '' })
  await button(page, 'Add').click()
  await expect(dialogOf(page, 'Add encoder')).toBeVisible()
})

test('DASH-24 row H: a manager starts on their group, an editor sees assigned encoders', async ({
  page,
  site,
  otherOperator,
}) => {
  await using encoder = await ownEncoder(site)
  const bodies = bodiesOf(page, LIST)
  await openDashboard(page, site, 'manager')
  await expect(cardOf(page, encoder.title)).toBeVisible()
  expect(bodies[0]).toMatchObject({ group: site.ids.groupIds['North'] })
  const editor = await otherOperator('editor')
  await openPage(editor, site, '/', WELCOME)
  await expect(cardOf(editor, DEMO)).toBeVisible()
  await expect(cardOf(editor, encoder.title)).toHaveCount(0)
  await expect(button(editor, 'Add')).toHaveCount(0)
  const stranger = await otherOperator('manager2')
  await openPage(stranger, site, '/', WELCOME)
  await expect(stranger.getByText('No encoders yet', { exact: true })).toBeVisible()
  await expect(cardOf(stranger, DEMO)).toHaveCount(0)
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
