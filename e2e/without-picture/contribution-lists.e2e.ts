/** The lists of contributions: a destination by keys alone, and what axe finds. */
import type { Page, Route } from '@playwright/test'
import { expectNoFindingInLooks, LOOKS, THEMES } from '../axe.steps.ts'
import { button, dialogOf, expectNotice, openPage, requestsOf } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const PAGE = '/dashboard/contribution'

test('CON-DEST-08 CON-DEST-11 CON-DEST-12 F9 a destination is made, once though the answer is lost, renamed, deleted, by keys alone', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, `${PAGE}?tab=destinations`, 'Contributions')
  await expect(page.getByRole('tab', { name: /Destinations/ })).toBeVisible()
  await page.keyboard.press('n')
  const dialog = dialogOf(page, 'Destination')
  await expect(dialog.getByLabel('Title', { exact: true })).toBeFocused()
  await page.keyboard.type('Playout by keys')
  await page.keyboard.press('Tab')
  await page.keyboard.type('203.0.113.90')
  const sent = requestsOf(page, 'POST /api/contribution/destination')
  await loseFirstAnswer(page, '**/api/contribution/destination')
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Destination added successfully', 'Playout by keys')
  await expect(dialog).toHaveCount(0)
  expect(sent).toHaveLength(2)

  // Exactly one, or this name of a tick is ambiguous.
  const tick = page.getByRole('checkbox', { name: 'Select Playout by keys', exact: true })
  await tick.focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: 'New name of Playout by keys' })).toBeFocused()
  await page.keyboard.type('Playout renamed')
  await page.keyboard.press('Enter')
  const renamed = page.getByRole('checkbox', { name: 'Select Playout renamed', exact: true })
  await renamed.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 selected', { exact: true })).toBeHidden()
  await page.keyboard.press('Space')

  const asked = page.waitForEvent('dialog')
  const pressed = button(page, 'Delete').press('Enter')
  const question = await asked
  expect(question.message()).toBe('Are you sure you want to delete this item?')
  await question.accept()
  await pressed
  await expectNotice(page, 'Destination(s) remove successfully..', '1 destination')
  await expect(renamed).toHaveCount(0)
})

/** The API carries it out, and the browser hears nothing of that. */
async function loseFirstAnswer(page: Page, path: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route(path, lose, { times: 1 })
}

test('axe finds nothing on the three tabs with rows selected, dark and light', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'admin')
  for (const tab of ['inputs', 'outputs', 'destinations']) {
    // One page after the other.
    // oxlint-disable-next-line no-await-in-loop
    await openPage(page, site, `${PAGE}?tab=${tab}`, 'Contributions')
    const all = page.getByRole('checkbox', { name: /^Select all/ })
    // oxlint-disable-next-line no-await-in-loop
    if (tab !== 'destinations') await all.check()
    // oxlint-disable-next-line no-await-in-loop
    await expectNoFindingInLooks(page, THEMES)
  }
})

test('OUT-FORM-17 a list of 150 servers stays on the page, and axe finds nothing in it', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'admin')
  await page.route('**/api/servers?*searchText=*', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object[] }
    const more = Array.from({ length: 99 }, (_, at) => {
      return { ...data[0], _id: `many-${at}`, title: `Gateway ${at} of very many gateways` }
    })
    await route.fulfill({
      response,
      json: { status: true, data: [...data, ...more], total: 150 },
    })
  })
  await openPage(page, site, PAGE, 'Contributions')
  // Once the list is known to be long, its field takes the place of the select.
  const field = page.getByRole('combobox', { name: 'Server', exact: true })
  await field.and(page.locator('input')).click()
  await expect(page.getByText(/more: type to narrow the list\.$/)).toBeVisible()
  await expectNoFindingInLooks(page, LOOKS)
})
