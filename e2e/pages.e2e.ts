/** Every page of this console, in both themes and two sizes: no axe finding, no complaint of the browser. */
import { expectNoFindingInLooks, IN_ALL_LOOKS, LOOKS } from './axe.steps.ts'
import { button, openWhole } from './page.steps.ts'
import { expect, signInByForm, test } from './site.fixture.ts'

const PAGES = [
  ['/', 'Welcome to Trunkline'],
  ['/dashboard/server', 'Servers'],
  ['/dashboard/group', 'Groups'],
  ['/dashboard/userManager', 'Access'],
  ['/dashboard/userManager?tab=activity', 'Access'],
  ['/dashboard/managerEncoder', 'Encoders'],
  ['/dashboard/channel', 'Channels'],
  ['/dashboard/wall', 'Wall'],
  ['/dashboard/contribution', 'Contributions'],
  ['/dashboard/alarm', 'Alarms'],
  ['/dashboard/path', 'Signal paths'],
  ['/dashboard/notification', 'Notifications'],
] as const

test(`NAV-02 to NAV-11 each route opens its page, and axe finds nothing there, ${IN_ALL_LOOKS}`, async ({
  page,
  site,
  complaints,
}) => {
  await page.goto(`${site.url}/login`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await signInByForm(page, site, 'superadmin')
  for (const [path, title] of PAGES) {
    await openWhole(page, site, path, title)
    await expectNoFindingInLooks(page, LOOKS)
  }
  await page.goto(site.url)
  await button(page, 'More for Demo camera').click()
  await page.getByRole('menuitem', { name: 'Signal path' }).click()
  await page.getByRole('heading', { name: /^Signal path of encoder/, level: 1 }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.goto(`${site.url}/dashboard/channel`)
  await page.getByText('Demo live').first().click()
  await page.getByRole('dialog').waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  expect(complaints).toEqual([])
})
