/** Signing in, staying in and being signed out. */
import { signInWays } from '@trunkline/contract/session/oidc.calls'
import type { Page } from '@playwright/test'
import { button, isLive, requestsOf } from '../page.steps.ts'
import { expect, openDashboard, signInByForm, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('AUTH-12 AUTH-17 a reload stays signed in, logout does not come back by Back', async ({
  page,
  site,
}) => {
  await signInByForm(page, site, 'monitor')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await page.getByRole('link', { name: 'Encoders', exact: true }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('AUTH-12 a reload shows the shell before any answer, never the sign-in screen', async ({
  page,
  site,
}) => {
  await signInByForm(page, site, 'monitor')
  await page.addInitScript(watchForSignIn)
  const checked = Promise.withResolvers<undefined>()
  await page.route('**/api/users/jwtLogin', async (route) => {
    await checked.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/users/jwtLogin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
  await expect(button(page, 'Account of Demo Monitor')).toBeVisible()
  const request = await asked
  const isAnswered = request.response()
  checked.resolve(undefined)
  expect((await isAnswered)?.status()).toBe(200)
  const sawSignIn = async () => page.evaluate(() => document.documentElement.dataset['sawSignIn'])
  expect(await sawSignIn()).toBeUndefined()
  await button(page, 'Log out').click()
  await expect.poll(sawSignIn, 'the watch sees it when it comes').toBe('yes')
})

/** Runs in the page: notes on the root whether a password field was ever drawn. */
function watchForSignIn(): void {
  new MutationObserver(() => {
    if (document.querySelector('input[type=password]') !== null) {
      document.documentElement.dataset['sawSignIn'] = 'yes'
    }
  }).observe(document, { childList: true, subtree: true })
}

test('AUTH-15 AUTH-16 a refused session ends with its reason, and nothing of it is kept', async ({
  page,
  site,
}) => {
  await openDashboard(page, site, 'monitor')
  // Before the page's own script runs: an answer under way would put the good one back.
  await page.addInitScript(() => localStorage.setItem('token', 'not.a.token'))
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(
    page.getByText('Your session has ended. Please sign in again.').first(),
  ).toBeVisible()
  const kept = await page.evaluate(() => [
    localStorage.getItem('user'),
    localStorage.getItem('token'),
  ])
  expect(kept).toEqual([null, null])
  const asked = requestsOf(page, 'GET /api/users')
  await page.goto(`${site.url}/dashboard/userManager`)
  await expect(button(page, 'Sign in')).toBeVisible()
  expect(asked.filter((call) => call !== `GET ${signInWays.path}`)).toEqual([])
})

test('Q14 one tab signs out, the other follows', async ({ page, site }) => {
  await signInByForm(page, site, 'monitor')
  const second = await page.context().newPage()
  await second.goto(`${site.url}/dashboard/channel`)
  await expect(second.getByRole('heading', { name: 'Channels', level: 1 })).toBeVisible()
  await button(page, 'Log out').click()
  await expect(second).toHaveURL(/\/login$/)
  await expect(button(second, 'Sign in')).toBeVisible()
})

/** A browser opens six connections to a server over HTTP/1.1. */
const TABS = 8

test('many tabs share one live stream: each is live, and the rest continue without the first', async ({
  page,
  site,
}) => {
  await openDashboard(page, site, 'monitor')
  await isLive(page)
  const others: Page[] = []
  for (let tab = 1; tab < TABS; tab += 1) {
    const other = await page.context().newPage()
    others.push(other)
    await other.goto(`${site.url}/dashboard/channel`)
    await isLive(other)
    await expect(other.getByText('Demo live', { exact: true })).toBeVisible()
  }
  await page.close()
  const [last] = others.slice(-1)
  if (!last) throw new Error('There is no other tab.')
  await last.reload()
  await isLive(last)
  await expect(last.getByText('Demo live', { exact: true })).toBeVisible()
})
