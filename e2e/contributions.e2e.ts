/** Inputs and outputs: live state, the far end's state, stop and start on the real processes. */
import { expectNoFindingInLooks, LOOKS, THEMES } from './axe.steps.ts'
import { answer, button, dialogOf, expectNotice, openPage, rowOf } from './page.steps.ts'
import { expect, openDashboard, signIn, test } from './site.fixture.ts'

const PAGE = '/dashboard/contribution'

test('CON-IN-22 CON-IN-26 the input runs, its far end is connected, stop and start work', async ({
  page,
  site,
}) => {
  await openDashboard(page, site, 'manager')
  await page.getByRole('link', { name: 'Contributions' }).click()
  const row = page.getByRole('row', { name: /Demo feed/ }).first()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /^Expand/ }).click()
  await expect(page.getByText('TARGET STATUS: CONNECTED')).toBeVisible()
  const target = page.getByRole('group', { name: 'Target status', exact: true })
  await expect(target).toContainText(/Peer\s*127\.0\.0\.1:\d+ for/)
  await expect(target).toContainText(/Latency\s*\d+ ms \(negotiated\)/)
  const path = page.getByRole('region', { name: 'Signal path' })
  for (const title of ['Demo camera', 'to Demo gateway', 'to far end', 'Demo live']) {
    await expect(path.getByRole('link', { name: title, exact: true })).toBeVisible()
  }

  await row.getByRole('button', { name: 'Stop Demo feed', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Are you sure?' })
  await confirm.getByRole('button', { name: /^Stop/ }).click()
  await expect(row.getByText('Stopped', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'Start Demo feed', exact: true }).click()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
})

test('CON-OUT-01 CON-OUT-21 both outputs run and are connected to the far end', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'admin')
  await page.goto(`${site.url}/dashboard/contribution`)
  await page.getByRole('tab', { name: /Outputs/ }).click()
  for (const title of ['to Demo streams', 'to far end']) {
    const row = page.getByRole('row', { name: new RegExp(title) }).first()
    await expect(row.getByText('Running', { exact: true })).toBeVisible()
    await row.getByRole('button', { name: /^Expand/ }).click()
  }
  await expect(page.getByText('TARGET STATUS: CONNECTED')).toHaveCount(2)
})

test('Q33 a monitor is refused stopping, and nothing stops', async ({ page, site }) => {
  await openDashboard(page, site, 'monitor')
  await page.getByRole('button', { name: 'Stop Demo camera', exact: true }).click()
  await expect(page.getByText('You are not authorized to perform this action!')).toBeVisible()
  await expect(
    page.getByRole('article', { name: /Demo camera/ }).getByText('Running', { exact: true }),
  ).toBeVisible()
})

test('CON-IN-32 CON-IN-34 an input with outputs stays, and leads to them', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'admin')
  await openPage(page, site, PAGE, 'Contributions')
  await button(page, 'More for Demo feed').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const notices = page.getByRole('region', { name: 'Notices', exact: true })
  await expect(
    notices.getByText('This input cannot be deleted because it has 2 number of Outputs.'),
  ).toBeVisible()
  await button(notices, 'Show outputs').click()
  await expect(page.getByRole('tab', { name: /Outputs/ })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, 'to far end')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Input', exact: true })).toHaveValue('Demo feed')
})

test('CON-DEST-08 CON-DEST-11 CON-DEST-12 a destination is made, renamed, deleted, by keys alone', async ({
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
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Destination added successfully', 'Playout by keys')
  await expect(dialog).toHaveCount(0)

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

test('CON-IN-37 CON-OUT-17 an output that is disabled stops, and enabled it waits for its start', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, `${PAGE}?tab=outputs`, 'Contributions')
  const row = rowOf(page, 'to far end')
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await row.getByRole('checkbox').check()
  await button(page, 'Disable 1').click()
  await answer(page, 'Disable 1 output.', 'Disable')
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible()
  await button(page, 'Enable 1').click()
  await expect(row.getByText('Stopped', { exact: true })).toBeVisible()
  await button(page, 'Start 1').click()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
})

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
