/** Sign-in by a real provider in a real browser, on an API and a provider of the test's own. */
import { oidcConfig, startProvider } from '@trunkline/api/testing/oidc/oidc-provider.fixture'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { expectNoFindingInLooks, LOOKS } from '../axe.steps.ts'
import { openLimitedApi } from '../limited-api.steps.ts'
import { expect, PASSWORD, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const DESK = { width: 1440, height: 900 }
const ANN = { email: 'ann@sso.example', email_verified: true, name: 'Ann Lee', roles: ['noc'] }

test('signs in by the provider and out there too; without it a local account signs in', async ({
  page,
}) => {
  const port = await freeTcpPort(0)
  const publicUrl = `http://127.0.0.1:${port}`
  const client = { id: oidcConfig('').clientId, secret: '' }
  await using provider = await startProvider({ redirectUri: `${publicUrl}/login`, client })
  await provider.know({ ann: ANN })
  await using api = await openLimitedApi(100, {
    TRUNKLINE_PORT: String(port),
    TRUNKLINE_PUBLIC_URL: publicUrl,
    TRUNKLINE_OIDC_ISSUER: provider.issuer,
    TRUNKLINE_OIDC_CLIENT_ID: client.id,
    TRUNKLINE_OIDC_NAME: 'Example SSO',
    TRUNKLINE_OIDC_ROLES: 'noc=monitor',
  })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))

  // By keyboard alone, from the page that was asked for.
  await page.goto(`${api.url}/dashboard/channel`)
  const byProvider = page.getByRole('button', { name: 'Sign in with Example SSO' })
  await byProvider.waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await page.getByLabel('Password', { exact: true }).focus()
  while (!(await byProvider.evaluate((button) => button === document.activeElement))) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Enter any login').fill('ann')
  await page.getByPlaceholder('and password').fill('any')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible()
  expect(new URL(page.url()).hash + new URL(page.url()).search).toBe('')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const asked = addresses.filter((address) => address.startsWith(api.url))
  expect(asked.filter((address) => /[?&]code=/.test(address))).toEqual([])
  expect(addresses.filter((address) => address.includes(token ?? ''))).toEqual([])

  // Her account says where it is kept.
  await page.getByRole('button', { name: 'Account of Ann Lee' }).click()
  await expect(page.getByText('You sign in with the provider of this site.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('link', { name: 'Sign out of Example SSO' }).waitFor()
  await expectNoFindingInLooks(page, LOOKS)
  await page.setViewportSize(DESK)
  await page.getByRole('link', { name: 'Sign out of Example SSO' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(byProvider).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign out of Example SSO' })).toHaveCount(0)

  await provider.stop()
  await page.getByLabel('Email').fill('superadmin@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
})
