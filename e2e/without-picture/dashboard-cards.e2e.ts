/** The dashboard: how the cards lie, and what their buttons do. */
import type { Locator, Page } from '@playwright/test'
import { answer, button, dialogOf, expectNotice, isLive } from '../page.steps.ts'
import { bodiesOf, ownEncoder, ownLiveEncoder } from '../encoder.steps.ts'
import { expect, openDashboard, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const DEMO = 'Demo camera'

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
