/** Signing in, staying in and being signed out. */
import { signInWays } from '@trunkline/contract/session/oidc.calls'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { openLimitedApi } from '../limited-api.steps.ts'
import { button, isLive, requestsOf } from '../page.steps.ts'
import { expect, openDashboard, PASSWORD, signInByForm, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('AUTH-10 a wrong password shows a message, and what was typed stays', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Email').fill('monitor@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: /\w/ }).first()).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('monitor@trunkline.example')
})

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

test('Q9 after the sign-in the requested page opens', async ({ page, site }) => {
  await page.goto(`${site.url}/dashboard/channel`)
  await page.getByLabel('Email').fill('monitor@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible()
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

test('AUTH-13 AUTH-14 the session is checked on each change of the path, and renewed', async ({
  page,
  site,
}) => {
  await openDashboard(page, site, 'monitor')
  for (const tab of ['Channels', 'Encoders', 'Dashboard']) {
    const isAsked = page.waitForRequest('**/api/users/jwtLogin')
    await page.getByRole('link', { name: tab, exact: true }).click()
    const request = await isAsked
    expect(request.postDataJSON()).toEqual({})
    expect(request.headers()['authorization']).toMatch(/^Bearer ./)
    const answered = await request.response()
    const { token } = z.object({ token: z.string() }).parse(await answered?.json())
    await expect.poll(async () => storedToken(page)).toBe(token)
  }
})

async function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('token'))
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

test('Q9 a page that the role may not open is not opened after the sign-in', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/dashboard/group`)
  await page.getByLabel('Email').fill('monitor@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
  await expect(page).toHaveURL(`${site.url}/`)
})

test('Q112 after too many tries the message says how long to wait', async ({ page }) => {
  await using api = await openLimitedApi(2)
  await page.goto(`${api.url}/login`)
  await page.getByLabel('Email').fill('superadmin@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  const alert = page.getByRole('alert')
  for (const sentence of [
    'Please check your email and password',
    'Please check your email and password',
    /^Too many attempts to sign in\. Try again in \d+ seconds?\.$/,
  ]) {
    const answered = page.waitForResponse('**/api/users/login')
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await answered
    await expect(alert.filter({ hasText: sentence }).first()).toBeVisible()
  }
})
