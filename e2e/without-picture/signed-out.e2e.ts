/** Who is signed out at once, wherever they are, when their account changes; and who stays in. */
import type { Page } from '@playwright/test'
import type { DemoSite } from '@trunkline/testbed/demo'
import {
  answer,
  button,
  dialogOf,
  expectNotice,
  isLive,
  openPage,
  requestsOf,
} from '../page.steps.ts'
import { ownGroup, ownPerson, type OwnPerson } from '../people.steps.ts'
import { expect, openDashboard, PASSWORD, signIn, signInByForm, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const ACCESS = '/dashboard/userManager'
const NEW_PASSWORD = 'another-horse-battery'

async function tryToSignIn(page: Page, local: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(`${local}@trunkline.example`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

/** Of somebody else's account, by an operator on the Access page. */
const DEEDS: Record<string, (page: Page, person: OwnPerson) => Promise<void>> = {
  'a new role': async (page, person) => {
    await button(page, `Edit ${person.fullName}`).click()
    const dialog = dialogOf(page, 'Edit user')
    await dialog.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin')
    await button(dialog, 'Save').click()
  },
  'a new password': async (page, person) => {
    await button(page, `Edit ${person.fullName}`).click()
    const dialog = dialogOf(page, 'Edit user')
    await dialog.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await dialog.getByLabel('Confirm password', { exact: true }).fill(NEW_PASSWORD)
    await button(dialog, 'Save').click()
  },
  'the removal': async (page, person) => {
    await button(page, `Delete ${person.fullName}`).click()
    await answer(page, person.fullName, 'Delete user')
  },
}

for (const [deed, act] of Object.entries(DEEDS)) {
  test(`${deed} by one operator signs the other’s open browser out, without a click`, async ({
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
    await act(page, person)
    await isOut
    expect(checks).toEqual([])
    await expect(button(other, 'Sign in')).toBeVisible()
    await tryToSignIn(other, person.local, PASSWORD)
    const welcome = other.getByRole('heading', { name: 'Welcome to Trunkline' })
    const refusal = other.getByText('Please check your email and password')
    await expect(deed === 'a new role' ? welcome : refusal.first()).toBeVisible()
  })
}

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

test('USER-36 one’s own name follows into the header', async ({ page, site }) => {
  await using person = await ownPerson(site, 'editor', null)
  await openDashboard(page, site, person.local)
  const dialog = await openAccount(page, person.fullName)
  await expect(dialog.getByText('editor', { exact: true })).toBeVisible()
  await dialog.getByLabel('First name', { exact: true }).fill('Renamed')
  await button(dialog, 'Save').click()
  await expectNotice(page, 'Success update user information', '')
  await expect(
    button(page, `Account of ${person.fullName.replace('Test', 'Renamed')}`),
  ).toBeVisible()
})

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

test('sign out everywhere asks first, then signs out every browser', async ({
  page,
  site,
  browser,
}) => {
  await using person = await ownPerson(site, 'editor', null)
  const other = await (await browser.newContext()).newPage()
  await twoBrowsers(site, page, other, person)
  await button(await openAccount(page, person.fullName), 'Sign out everywhere').click()
  await answer(page, 'Sign out everywhere.', 'Stay signed in')
  await expect(button(page, `Account of ${person.fullName}`)).toBeVisible()
  const isOut = other.waitForURL(/\/login$/)
  await button(await openAccount(page, person.fullName), 'Sign out everywhere').click()
  await answer(page, 'Sign out everywhere.', 'Sign out everywhere')
  await isOut
  await expect(page).toHaveURL(/\/login$/)
  await expect(button(page, 'Sign in')).toBeVisible()
})
