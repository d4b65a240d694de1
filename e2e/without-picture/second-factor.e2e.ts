/** Second factors in a real browser, on an API of the test's own: an app, recovery codes, a passkey. */
import { totpCode } from '@trunkline/api/users/second-factor/totp-code.fixture'
import type { CDPSession, Page } from '@playwright/test'
import { expectNoFindingInLooks, LOOKS } from '../axe.steps.ts'
import { openLimitedApi } from '../limited-api.steps.ts'
import { button, dialogOf } from '../page.steps.ts'
import { expect, PASSWORD, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const DESK = { width: 1440, height: 900 }

test('an app, its recovery codes and a passkey sign in after the password', async ({ page }) => {
  await using api = await openLimitedApi(100)
  // By name: a passkey is of a name, never of an address.
  const url = api.url.replace('127.0.0.1', 'localhost')
  const devtools = await page.context().newCDPSession(page)
  await addAuthenticator(devtools)
  await page.goto(url)
  await enterPassword(page)

  await openAccount(page)
  await button(page, 'Turn on').click()
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const key = dialogOf(page, 'Turn on second factor').locator('dd').first()
  const secret = ((await key.textContent()) ?? '').replaceAll(/[^A-Z2-7]/g, '')
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, Date.now()))
  await page.keyboard.press('Enter')
  // Of a single item: a list of texts is not waited for, and is empty until the code is answered.
  const recovery = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .innerText()
  await button(page, 'Done').click()
  await expect(button(page, 'Turn off')).toBeFocused()
  await page.keyboard.press('Escape')

  await signOut(page)
  await enterPassword(page)
  await page.getByLabel('Code', { exact: true }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  // The next one: the code that turned it on counts once.
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await expectWelcome(page)

  await signOut(page)
  await enterPassword(page)
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code', { exact: true }).fill(recovery)
  await page.keyboard.press('Enter')
  await expectWelcome(page)

  await openAccount(page)
  await button(page, 'Add passkey').click()
  await page.getByLabel('Name', { exact: true }).fill('Key in the safe')
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Rename passkey Key in the safe')).toBeVisible()
  await expect(button(page, 'Add passkey')).toBeFocused()
  await page.keyboard.press('Escape')

  await signOut(page)
  await enterPassword(page)
  await expect(button(page, 'Use a passkey')).toBeFocused()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await page.keyboard.press('Enter')
  await expectWelcome(page)

  await openAccount(page)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await expect(passkeys.getByText('just now').last()).toBeVisible()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await button(page, 'Remove passkey Key in the safe').click()
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page, 'Remove passkey')).toBeHidden()
})

test('whoever needs a factor and has none adds a passkey at sign-in, and it signs them in from then on', async ({
  page,
}) => {
  await using api = await openLimitedApi(100)
  await addAuthenticator(await page.context().newCDPSession(page))
  await test.step('at an IP address the account says why a passkey cannot be added', async () => {
    await page.goto(api.url)
    await enterPassword(page)
    await openAccount(page)
    await expect(page.getByText(/^Passkeys do not work with an IP address\./)).toBeVisible()
    await expect(button(page, 'Add passkey')).toHaveCount(0)
  })
  await page.goto(api.url.replace('127.0.0.1', 'localhost'))
  await enterPassword(page)
  await expectWelcome(page)
  await page.getByRole('link', { name: 'Access' }).click()
  await button(page, 'Required second factor…').click()
  await page.getByRole('checkbox', { name: 'superadmin' }).check()
  await button(page, 'Save').click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await signOut(page)
  await enterPassword(page)
  await button(page, 'Use a passkey instead').click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await page.keyboard.type('This machine')
  await page.keyboard.press('Enter')
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes).toBeVisible()
  const asked = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(codes).toBeVisible()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await button(page, 'Continue').click()
  await expectWelcome(page)

  await signOut(page)
  await enterPassword(page)
  await expect(button(page, 'Use a passkey')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectWelcome(page)
})

/** A security key that its owner is always at, as the browser sees it. */
async function addAuthenticator(devtools: CDPSession): Promise<void> {
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('superadmin@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

async function expectWelcome(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
}

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of / }).click()
  await expect(page.getByRole('region', { name: 'Passkeys' })).toBeVisible()
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Log out').click()
  await expect(page.getByLabel('Email')).toBeVisible()
}
