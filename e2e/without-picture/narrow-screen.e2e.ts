/** The frame of the page on a telephone. */
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('NAV-22 Q7 on a narrow screen the tabs of the header give way to the bar at the foot', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'monitor')
  await page.goto(`${site.url}/`)
  const tabs = page.getByRole('banner').getByRole('link', { name: 'Channels', exact: true })
  const bar = page.getByRole('navigation').filter({ hasText: 'More' })
  await expect(tabs).toBeVisible()
  await expect(bar).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(tabs).toBeHidden()
  await bar.getByRole('link', { name: 'Channels' }).click()
  await expect(page).toHaveURL(/\/dashboard\/channel$/)
  await expect(bar.getByRole('button', { name: 'More' })).toBeInViewport()
})
