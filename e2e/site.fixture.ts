/** One real demo site for all browser tests, and signed-in pages on it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Browser, type Page } from '@playwright/test'
import { openDemoSite, type DemoSite } from '@trunkline/testbed/demo'

export const PASSWORD = 'correct-horse-battery'

interface WorkerFixtures {
  site: DemoSite
}
interface TestFixtures {
  /** Every console error or policy violation of the test's page; must stay empty. */
  complaints: string[]
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs off this pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'))
      {
        await using site = await openDemoSite({ dataDir, password: PASSWORD, run: 'source' })
        await use(site)
      }
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(`${dataDir}.key`, { force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await use(complaints)
  },
})

export { expect } from '@playwright/test'

export async function signIn(page: Page, site: DemoSite, local: string): Promise<void> {
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Email').fill(`${local}@trunkline.example`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome to Trunkline' }).waitFor()
}

/** Another operator: a browser of their own, with a storage of its own. */
export async function otherOperator(
  browser: Browser,
  site: DemoSite,
  local: string,
): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, site, local)
  return page
}
