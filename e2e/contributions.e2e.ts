/** Inputs and outputs: live state, the far end's state, stop and start on the real processes. */
import { answer, button, openPage, rowOf } from './page.steps.ts'
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
