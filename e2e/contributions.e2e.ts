/** Inputs and outputs: live state, the far end's state, stop and start on the real processes. */
import { expect, signIn, test } from './site.fixture.ts'

test('CON-IN-22 CON-IN-26 the input runs, its far end is connected, stop and start are the truth', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'manager')
  await page.getByRole('link', { name: 'Contributions' }).click()
  const row = page.getByRole('row', { name: /Demo feed/ }).first()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /^Expand/ }).click()
  await expect(page.getByText('TARGET STATUS: CONNECTED')).toBeVisible()

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

test('DASH-17 DLG-12 the log of an encoder is shown as plain text', async ({ page, site }) => {
  await signIn(page, site, 'monitor')
  await page.getByRole('button', { name: 'Log of Demo camera' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encoder logs' })
  await expect(dialog.getByRole('log')).toContainText(/\w/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('Q33 a monitor is told that stopping is not theirs, and nothing stops', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'monitor')
  await page.getByRole('button', { name: 'Stop Demo camera', exact: true }).click()
  await expect(page.getByText('You are not authorized to perform this action!')).toBeVisible()
  await expect(
    page.getByRole('article', { name: /Demo camera/ }).getByText('Running', { exact: true }),
  ).toBeVisible()
})
