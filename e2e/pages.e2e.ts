/** Every page of this console, in both themes and two sizes: no axe finding, no complaint of the browser. */
import { expectNoFindingInLooks, IN_ALL_LOOKS, LOOKS } from './axe.steps.ts'
import { button, moveTo, openWhole } from './page.steps.ts'
import { expect, signInByForm, test } from './site.fixture.ts'

/** Loaded by their addresses. */
const LOADED = [
  ['/dashboard/userManager?tab=activity', 'Access'],
  ['/dashboard/path', 'Signal paths'],
  ['/dashboard/notification', 'Notifications'],
] as const
/** Reached from there; wall.e2e.ts and steady.e2e.ts load them by their addresses. */
const REACHED = [
  ['/', 'Welcome to Trunkline'],
  ['/dashboard/server', 'Servers'],
  ['/dashboard/group', 'Groups'],
  ['/dashboard/userManager', 'Access'],
  ['/dashboard/managerEncoder', 'Encoders'],
  ['/dashboard/channel', 'Channels'],
  ['/dashboard/wall', 'Wall'],
  ['/dashboard/contribution', 'Contributions'],
  ['/dashboard/alarm', 'Alarms'],
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
  for (const [path, title] of LOADED) {
    await openWhole(page, site, path, title)
    await expectNoFindingInLooks(page, LOOKS)
  }
  for (const [path, title] of REACHED) {
    await moveTo(page, path)
    await expect(page.getByRole('heading', { name: title, level: 1, exact: true })).toBeVisible()
    await expectNoFindingInLooks(page, LOOKS)
  }
  await moveTo(page, '/')
  await button(page, 'More for Demo camera').click()
  await page.getByRole('menuitem', { name: 'Signal path' }).click()
  await page.getByRole('heading', { name: /^Signal path of encoder/, level: 1 }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await moveTo(page, '/dashboard/channel')
  await page.getByText('Demo live').first().click()
  await page.getByRole('dialog').waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  expect(complaints).toEqual([])
})
