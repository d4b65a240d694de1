/** Who is signed out at once, wherever they are, when their account changes; and who stays in. */
import type { Page } from '@playwright/test'
import type { DemoSite } from '@trunkline/testbed/demo'
import { button, dialogOf, expectNotice, isLive, openPage, requestsOf } from '../page.steps.ts'
import { ownGroup, ownPerson, type OwnPerson } from '../people.steps.ts'
import { expect, PASSWORD, signIn, signInByForm, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const ACCESS = '/dashboard/userManager'
const NEW_PASSWORD = 'another-horse-battery'

async function tryToSignIn(page: Page, local: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(`${local}@trunkline.example`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

test('a new role by one operator signs the other’s open browser out, without a click', async ({
  page,
  site,
  otherOperator,
}) => {
  await using group = await ownGroup(site)
  await using person = await ownPerson(site, 'monitor', group.id)
  const other = await otherOperator(person.local)
  await openPage(other, site, '/', 'Welcome to Trunkline')
  await isLive(other)
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ACCESS, 'Access')
  const checks = requestsOf(other, 'POST /api/users/jwtLogin')
  const isOut = other.waitForURL(/\/login$/)
  await button(page, `Edit ${person.fullName}`).click()
  const dialog = dialogOf(page, 'Edit user')
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin')
  await button(dialog, 'Save').click()
  await isOut
  expect(checks).toEqual([])
  await expect(button(other, 'Sign in')).toBeVisible()
  await tryToSignIn(other, person.local, PASSWORD)
  await expect(other.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
})

async function openAccount(page: Page, fullName: string) {
  await button(page, `Account of ${fullName}`).click()
  const dialog = dialogOf(page, 'Your account')
  await expect(dialog).toBeVisible()
  return dialog
}

async function twoBrowsers(site: DemoSite, first: Page, second: Page, person: OwnPerson) {
  // Each with a session of its own.
  await signInByForm(first, site, person.local)
  await signInByForm(second, site, person.local)
  await isLive(second)
}

test('USER-35 a new own password keeps this browser signed in and signs the others out', async ({
  page,
  site,
  browser,
}) => {
  await using person = await ownPerson(site, 'editor', null)
  const other = await (await browser.newContext()).newPage()
  await twoBrowsers(site, page, other, person)
  const isOut = other.waitForURL(/\/login$/)
  const dialog = await openAccount(page, person.fullName)
  await dialog.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await dialog.getByLabel('Confirm password', { exact: true }).fill(NEW_PASSWORD)
  await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await button(dialog, 'Save').click()
  await expectNotice(page, 'Success update user information', 'signed out')
  await isOut
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Channels', level: 1 })).toBeVisible()
  await tryToSignIn(other, person.local, PASSWORD)
  await expect(other.getByText('Please check your email and password').first()).toBeVisible()
  await other.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await button(other, 'Sign in').click()
  await expect(other.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
})
