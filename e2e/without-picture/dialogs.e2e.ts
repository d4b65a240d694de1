/** Dialogs and hints, in both themes and two sizes: no axe finding, no complaint of the browser. */
import { expectNoFinding, expectNoFindingInLooks, IN_ALL_LOOKS, LOOKS } from '../axe.steps.ts'
import { button, dialogOf, openWhole } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

/** Page, the button on it, the dialog that it opens, the button that shows the dialog's complaints. */
const DIALOGS = [
  ['/dashboard/userManager', 'Add user', 'Add user', 'Add user'],
  ['/dashboard/userManager', 'Edit Demo Manager North', 'Edit user', null],
  ['/dashboard/userManager', 'Edit First Superadmin', 'Your account', null],
  ['/dashboard/userManager', 'Add To Group: Demo Editor', 'Select a group', 'Add to group'],
  ['/dashboard/userManager', 'Delete Demo Editor', 'Are you sure?', null],
  ['/dashboard/group', 'Add group', 'Manage group', null],
  ['/dashboard/server', 'Add server', 'Manage Servers', 'Add server'],
  ['/dashboard/managerEncoder', 'Add encoder', 'Add encoder', 'Add encoder'],
  ['/dashboard/wall', 'Choose', 'Choose tiles', null],
] as const

test(`axe finds nothing in the dialogs, ${IN_ALL_LOOKS}`, async ({ page, site, complaints }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, site, 'superadmin')
  for (const [at, [path, opener, name, complainer]] of DIALOGS.entries()) {
    if (path !== DIALOGS[at - 1]?.[0]) await page.goto(site.url + path)
    await button(page, opener).click()
    const dialog = dialogOf(page, name)
    await expect(dialog).toBeVisible()
    if (complainer !== null) await button(dialog, complainer).click()
    await expect(dialog).toHaveCSS('opacity', '1')
    await expectNoFindingInLooks(page, LOOKS)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await page.goto(`${site.url}/dashboard/userManager?tab=activity`)
  // By the call's name: what other tests did meanwhile has pushed it off the first page.
  await page.getByRole('searchbox', { name: 'Search activity', exact: true }).fill('users.add')
  await page
    .getByRole('button', { name: /^Expand Added user/ })
    .first()
    .click()
  await page.getByRole('table', { name: 'Before and after', exact: true }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  expect(complaints).toEqual([])
})

test(`axe finds nothing where alarms are sent and kept quiet, ${IN_ALL_LOOKS}`, async ({
  page,
  site,
  complaints,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, site, 'superadmin')
  await openWhole(page, site, '/dashboard/notification', 'Notifications')
  // A page without rules has the button twice.
  await button(page, 'Add rule').first().click()
  const rule = dialogOf(page, 'Notification rule')
  await button(rule, 'Add rule').click()
  await expect(rule).toHaveCSS('opacity', '1')
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openWhole(page, site, '/dashboard/alarm', 'Alarms')
  await button(page, 'Maintenance').click()
  // A page without maintenance has the button twice too.
  await button(page, 'Plan maintenance').first().click()
  const window = dialogOf(page, 'Plan maintenance')
  await button(window, 'Plan').click()
  await expect(window).toHaveCSS('opacity', '1')
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByLabel('Title', { exact: true }).fill('Firmware')
  await page.getByLabel('Which', { exact: true }).selectOption('North')
  await button(window, 'Plan').click()
  await page.getByRole('row', { name: /^Firmware/ }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Delete Firmware').click()
  await button(page, 'Delete window').click()
  await page.getByRole('row', { name: /^Firmware/ }).waitFor({ state: 'detached' })
  await button(page, 'Rules').click()
  await button(page, 'Override Peer lost').click()
  const override = dialogOf(page, 'Override alarm rule')
  await button(override, 'Add').click()
  await expect(override).toHaveCSS('opacity', '1')
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await override.getByLabel('Which', { exact: true }).selectOption('North')
  await override.getByLabel('Raise alarms', { exact: true }).selectOption('No, off')
  await button(override, 'Add').click()
  await button(page, 'Delete Peer lost for North').waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Delete Peer lost for North').click()
  await button(page, 'Delete override').click()
  await button(page, 'Delete Peer lost for North').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('axe finds nothing while a hint is open', async ({ page, site }) => {
  await signIn(page, site, 'superadmin')
  await openWhole(page, site, '/dashboard/managerEncoder', 'Encoders')
  await page.getByRole('button', { name: 'Refresh', exact: true }).hover()
  await page.getByRole('tooltip').waitFor()
  await expectNoFinding(page)
})
