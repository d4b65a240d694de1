/** Access: people are added, changed, moved and deleted, by several operators at once. */
import type { Page } from '@playwright/test'
import { addUser, updateUser } from '@trunkline/contract/users/user.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { signIn as signInApi } from '@trunkline/testbed/seed'
import {
  answer,
  button,
  dialogOf,
  expectNotice,
  openPage,
  requestsOf,
  rowOf,
} from '../page.steps.ts'
import { ownGroup, ownPerson, ownTitle } from '../people.steps.ts'
import { expect, PASSWORD, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const ACCESS = '/dashboard/userManager'

async function fillPerson(page: Page, lastName: string, local: string): Promise<void> {
  const dialog = dialogOf(page, 'Add user')
  await dialog.getByLabel('First name', { exact: true }).fill('Test')
  await dialog.getByLabel('Last name', { exact: true }).fill(lastName)
  await dialog.getByLabel('Email', { exact: true }).fill(`${local}@trunkline.example`)
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
}

test('USER-25 USER-26 USER-28 USER-29 USER-30 a manager is added to a group, renamed and deleted', async ({
  page,
  site,
}) => {
  await using group = await ownGroup(site)
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ACCESS, 'Access')
  await button(page, 'Add user').click()
  const dialog = dialogOf(page, 'Add user')
  const lastName = ownTitle('boss').slice('Test '.length)
  await fillPerson(page, lastName, lastName.replace(' ', '-'))
  const role = dialog.getByRole('combobox', { name: 'Role', exact: true })
  const chosenGroup = dialog.getByRole('combobox', { name: 'Group', exact: true })
  await expect(chosenGroup).toBeHidden()
  await role.selectOption('manager')
  await chosenGroup.selectOption({ label: group.title })
  await role.selectOption('admin')
  await expect(chosenGroup).toBeHidden()
  await role.selectOption('manager')
  await expect(chosenGroup).toHaveValue('')
  await chosenGroup.selectOption({ label: group.title })
  await button(dialog, 'Add user').click()
  const name = `Test ${lastName}`
  await expectNotice(page, 'Success add user ', name)
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, name)).toContainText(group.title)
  await expect(rowOf(page, name).getByText('manager', { exact: true })).toBeVisible()

  await button(page, `Edit ${name}`).click()
  const edit = dialogOf(page, 'Edit user')
  await edit.getByLabel('Last name', { exact: true }).fill(`${lastName} renamed`)
  await button(edit, 'Save').click()
  await expectNotice(page, 'Success update user information', `${name} renamed`)

  const removals = requestsOf(page, 'DELETE /api/users/removeUser/')
  await button(page, `Delete ${name} renamed`).click()
  await answer(page, `Delete ${name} renamed (`, 'Keep user')
  expect(removals).toEqual([])
  await button(page, `Delete ${name} renamed`).click()
  await answer(page, 'signed out everywhere at once', 'Delete user')
  await expectNotice(page, 'Success remove user ', `${name} renamed`)
  await expect(rowOf(page, `${name} renamed`)).toHaveCount(0)
})

test('two operators change one user: the second gets a conflict, and sees what the first saved', async ({
  page,
  site,
  otherOperator,
}) => {
  await using person = await ownPerson(site, 'monitor', null)
  await signIn(page, site, 'superadmin')
  const other = await otherOperator('admin')
  for (const each of [page, other]) {
    await openPage(each, site, ACCESS, 'Access')
    await button(each, `Edit ${person.fullName}`).click()
    await expect(dialogOf(each, 'Edit user')).toBeVisible()
  }
  const [first, second] = [dialogOf(page, 'Edit user'), dialogOf(other, 'Edit user')]
  await first.getByLabel('First name', { exact: true }).fill('Earlier')
  await button(first, 'Save').click()
  await expect(first).toBeHidden()
  await second.getByLabel('First name', { exact: true }).fill('Later')
  await button(second, 'Save').click()
  await expect(second.getByText(/Differs: First name \(now 'Earlier'\)\./)).toBeVisible()
  await button(second, 'Take theirs').click()
  await expect(second.getByLabel('First name', { exact: true })).toHaveValue('Earlier')
  await second.getByLabel('First name', { exact: true }).fill('Later')
  await button(second, 'Save').click()
  await expect(second).toBeHidden()
  const lastName = person.fullName.slice('Test '.length)
  await expect(rowOf(page, `Later ${lastName}`)).toBeVisible()
})

test('Activity: the latest action is on top, with what changed, and so is a refused attempt', async ({
  page,
  site,
}) => {
  await using person = await ownPerson(site, 'editor', null)
  await signIn(page, site, 'admin')
  await openPage(page, site, `${ACCESS}?tab=activity`, 'Access')
  const line = (what: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: what, exact: true }) })
  const added = line('Added user').filter({ hasText: person.fullName })
  await expect(added).toContainText('Done')
  await expect(added).toContainText('First Superadmin')

  // Nothing moves until it is asked for.
  await callApi(site.client, updateUser, { body: { _id: person.id, firstName: 'Changed' } })
  const monitor = await signInApi(site.url, 'monitor@trunkline.example', PASSWORD)
  const body = {
    firstName: 'No',
    lastName: 'Body',
    email: 'nobody@trunkline.example',
    password: PASSWORD,
    mode: 'editor' as const,
  }
  await expect(callApi(monitor, addUser, { body })).rejects.toThrow('403')
  const newName = person.fullName.replace('Test', 'Changed')
  const fresh = page.getByRole('button', { name: /^Show \d+ new lines?$/ })
  await expect(fresh).toBeVisible()
  await expect(line('Edited user').filter({ hasText: newName })).toHaveCount(0)
  const refused = line('Add user').filter({ hasText: 'Demo Monitor' })
  await expect(async () => {
    if (await fresh.isVisible()) await fresh.click()
    await expect(refused.first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(refused.first()).toContainText('Refused')
  await expect(refused.first()).toContainText('You are not authorized to perform this action!')

  const edited = line('Edited user').filter({ hasText: newName })
  await edited.getByRole('button', { name: /^Expand Edited user/ }).click()
  const difference = page.getByRole('table', { name: 'Before and after', exact: true })
  await expect(difference.getByRole('row', { name: 'First name Test Changed' })).toBeVisible()

  await page.getByRole('combobox', { name: 'Result', exact: true }).selectOption('Refused')
  await expect(edited).toHaveCount(0)
  await expect(refused.first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Result', exact: true }).selectOption('All')
  // Not 'Today': a day may end meanwhile.
  await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('Last 7 days')
  await page.getByRole('combobox', { name: 'Object', exact: true }).selectOption('User')
  await page.getByRole('searchbox', { name: 'Search activity', exact: true }).fill(newName)
  await expect(refused).toHaveCount(0)
  await expect(edited).toBeVisible()
  await page.getByRole('combobox', { name: 'Object', exact: true }).selectOption('Server')
  await expect(page.getByText(`Nothing matches '${newName}'`)).toBeVisible()
})
