/** A channel is put on air in the browser, and what feeds it is then stopped only by its title. */
import { button, dialogOf, openPage } from './page.steps.ts'
import { expectNoFinding, expectNoFindingInLooks, LOOKS } from './axe.steps.ts'
import { expect, openDashboard, signIn, test } from './site.fixture.ts'

const CHANNEL = 'Demo live'
const ENCODER = 'Demo camera'

test('issue 16 a channel on air guards the encoder that feeds it, until it is taken off air', async ({
  page,
  site,
  browser,
}) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, '/dashboard/channel', 'Channels')
  const row = page.getByRole('row').filter({ hasText: CHANNEL })
  await button(page, `More for ${CHANNEL}`).click()
  await page.getByRole('menuitem', { name: 'Put on air…' }).click()
  const span = dialogOf(page, 'Put on air')
  await span.getByLabel('Note').fill('Evening news')
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await span.getByRole('button', { name: 'Put on air' }).click()
  await expect(row.getByText('On air')).toBeVisible()

  const other = await browser.newPage()
  await openDashboard(other, site, 'admin')
  const card = other.getByRole('article', { name: ENCODER })
  await card.getByRole('button', { name: `Restart ${ENCODER}` }).click()
  // Once: what is restarted, what that interrupts, and the title.
  const question = dialogOf(other, 'Are you sure?')
  await expect(question.getByText(`Channel ${CHANNEL} loses the stream.`)).toBeVisible()
  await expectNoFindingInLooks(other, LOOKS)
  await other.setViewportSize({ width: 1440, height: 900 })
  const interrupt = question.getByRole('button', { name: 'Restart encoder', exact: true })
  await expect(interrupt).toHaveAttribute('aria-disabled', 'true')
  await question.getByLabel(`Type ${CHANNEL} to interrupt it`).fill(CHANNEL)
  await other.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(button(other, 'Restart encoder')).toBeHidden()
  await expect(card.getByText('Running')).toBeVisible()

  await button(page, `More for ${CHANNEL}`).click()
  await page.getByRole('menuitem', { name: 'On air…' }).click()
  await dialogOf(page, 'On air').getByRole('button', { name: 'Take off air' }).click()
  await expect(row.getByText('On air')).toBeHidden()
  await expectNoFinding(page)
  await other.close()
})
