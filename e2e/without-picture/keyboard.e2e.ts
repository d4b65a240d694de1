/** People and places by keyboard alone: into a page, into a dialog, through it, and back out. */
import { listGroups, removeGroup } from '@trunkline/contract/groups/group.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { Locator } from '@playwright/test'
import {
  button,
  dialogOf,
  expectNotice,
  MOST_STOPS,
  openPage,
  rowOf,
  tabTo,
} from '../page.steps.ts'
import { ownPerson, ownTitle } from '../people.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const PAGES = [
  ['/dashboard/userManager', 'Access'],
  ['/dashboard/userManager?tab=activity', 'Access'],
  ['/dashboard/group', 'Groups'],
  ['/dashboard/server', 'Servers'],
] as const

const ENROLS = 'Enrol the host: no API key and no adapters to enter'

/** Path, title, what opens, its name, where the focus goes first. */
const DIALOGS = [
  ['/dashboard/userManager', 'Access', 'Add user', 'Add user', 'First name'],
  ['/dashboard/userManager', 'Access', 'Edit Demo Manager North', 'Edit user', 'First name'],
  ['/dashboard/userManager', 'Access', 'Account of First Superadmin', 'Your account', 'First name'],
  ['/dashboard/group', 'Groups', 'Add group', 'Manage group', 'Title'],
  ['/dashboard/group', 'Groups', 'Edit North', 'Manage group', 'Title'],
  ['/dashboard/server', 'Servers', 'Add server', 'Manage Servers', ENROLS],
  ['/dashboard/server', 'Servers', 'Edit Demo gateway', 'Manage Servers', 'Title'],
] as const

test('the first Tab of each page lands on Skip to content, which leads past the tabs', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  for (const [path, title] of PAGES) {
    await openPage(page, site, path, title)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const main = page.getByRole('main')
    await expect
      .poll(async () => main.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true)
  }
})

test('Skip to list leads past search and filters: the first Stop is six keys from the top', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/`)
  await expect(button(page, 'Start Demo camera')).toBeVisible()
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
  await expect(page.getByRole('link', { name: 'Skip to list', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Encoders', exact: true })).toBeFocused()
  // Past its title and its menu.
  for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key)
  await expect(button(page, 'Start Demo camera')).toBeFocused()
})

test('DLG-13 each dialog is reached and left by keyboard, and the focus comes back', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  for (const [path, title, opener, name, field] of DIALOGS) {
    await openPage(page, site, path, title)
    await tabTo(page, button(page, opener))
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page, name)
    const first = dialog.getByLabel(field, { exact: true })
    await expect(first, name).toBeFocused()
    const before = await valueOf(first)
    // With a space, which a tick takes too.
    await page.keyboard.type('thrown away')
    expect(await valueOf(first), name).not.toBe(before)
    // The focus stays inside, however often one tabs.
    await tabTo(page, button(dialog, 'Cancel'))
    await tabTo(page, first)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button(page, opener), name).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(async () => valueOf(first), { message: 'reopens clean' }).toBe(before)
  }
})

/** What a field or a tick holds. */
async function valueOf(field: Locator) {
  return field.evaluate((element: HTMLInputElement) =>
    element.type === 'checkbox' ? element.checked : element.value,
  )
}

test('DLG-06 the question about a delete begins on the safe answer', async ({ page, site }) => {
  await using person = await ownPerson(site, 'monitor', null)
  await signIn(page, site, 'superadmin')
  await openPage(page, site, '/dashboard/userManager', 'Access')
  await tabTo(page, button(page, `Delete ${person.fullName}`))
  await page.keyboard.press('Enter')
  const question = dialogOf(page, 'Are you sure?')
  await expect(button(question, 'Keep user')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(button(page, `Delete ${person.fullName}`)).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, button(question, 'Delete user'))
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Success remove user ', person.fullName)
})

test('a group is made without a mouse', async ({ page, site }) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, '/dashboard/group', 'Groups')
  const title = ownTitle('group')
  await tabTo(page, button(page, 'Add group'))
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, 'Manage group')
  await expect(dialog.getByLabel('Title', { exact: true })).toBeFocused()
  await page.keyboard.type(title)
  await page.keyboard.press('Tab')
  await page.keyboard.type('By keyboard')
  const manager = dialog.getByRole('radio', { name: /^Demo Manager South / })
  await page.keyboard.press('Tab')
  for (let step = 0; step < MOST_STOPS && !(await manager.isChecked()); step += 1) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expectNotice(page, 'Group added successfully', title)
  await expect(rowOf(page, title)).toBeVisible()
  const { data } = await callApi(site.client, listGroups, { query: { searchText: title } })
  for (const { id } of data) await callApi(site.client, removeGroup, { params: { id } })
})

test('rows are walked with j and k, a line of activity opens with the arrows', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, '/dashboard/userManager?tab=activity', 'Access')
  await page.getByRole('row').nth(2).waitFor()
  await page.keyboard.press('j')
  const expanders = page.getByRole('button', { name: /^(Expand|Collapse) / })
  await expect(expanders.first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(expanders.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowRight')
  await expect(expanders.first()).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowLeft')
  await expect(expanders.first()).toHaveAttribute('aria-expanded', 'false')
})

test('a filter that is typed into has a focus ring as a chosen one has', async ({ page, site }) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, '/dashboard/contribution?tab=outputs', 'Contributions')
  await page.getByLabel('Search outputs').focus()
  for (const name of ['Input', 'Destination']) {
    await page.keyboard.press('Tab')
    const filter = page.getByRole('combobox', { name, exact: true })
    await expect(filter).toBeFocused()
    await expect(filter.locator('..')).toHaveCSS('outline-style', 'solid')
  }
})
