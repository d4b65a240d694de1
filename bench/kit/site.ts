/** The demo site for a bench, from the bundles, and a browser on it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { openDemoSite, type DemoSite } from '@trunkline/testbed/demo'
import { playlistAddress } from '@trunkline/testbed/media-server'
import playwrightConfig from '../../e2e/playwright.config.ts'
import { closedBySignals } from './ending.ts'

export const PASSWORD = 'correct-horse-battery'

export interface BenchSite extends DemoSite {
  /** Resolves once the channel's playlist is live. */
  picture(): Promise<void>
}

/** `coverFileIn`: where in its folder the cover of its test patterns stands; see `SiteOptions`. */
export async function openBenchSite(
  coverFileIn: (dataDir: string) => string | undefined = () => undefined,
): Promise<BenchSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-bench-'))
  const coverFile = coverFileIn(dataDir)
  const opening = openDemoSite({
    dataDir,
    password: PASSWORD,
    ...(coverFile === undefined ? {} : { coverFile }),
  })
  const site = await endedWithBench(opening, dataDir)
  return Object.assign(site, { picture: async () => playlistLive(site) })
}

/** The site, whose end now also removes its folder, and which ends too when a signal ends the bench. */
export async function endedWithBench<S extends AsyncDisposable>(
  opening: Promise<S>,
  dataDir: string,
): Promise<S> {
  const closing = opening.then((site) => site[Symbol.asyncDispose].bind(site))
  const close = closedBySignals(async () => {
    // A site that could not be opened has closed its parts.
    const closeSite = await closing.catch(() => null)
    await closeSite?.()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(`${dataDir}.key`, { force: true })
  })
  try {
    return Object.assign(await opening, { [Symbol.asyncDispose]: close })
  } catch (error) {
    await close()
    throw error
  }
}

async function playlistLive(site: DemoSite): Promise<void> {
  const address = playlistAddress(site.plan, 'demo')
  for (;;) {
    const response = await fetch(address)
    const text = await response.text()
    if (response.ok && text.split('.ts').length > 3) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** `args`: more of its command line. */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  // Playwright's own answer to a signal is to end this process at once, site or no site.
  const own = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const usual = playwrightConfig.use?.launchOptions
  const all = [...(usual?.args ?? []), ...args]
  const opening = chromium.launch({ ...usual, ...own, args: all })
  closedBySignals(async () => opening.then(async (browser) => browser.close()))
  return opening
}

export async function signIn(page: Page, site: DemoSite): Promise<void> {
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Email').fill('superadmin@trunkline.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome to Trunkline' }).waitFor()
}

/** The agent keeps which process its supervisord is. */
export function supervisorPid(dataDir: string): number {
  const file = join(dataDir, 'agent', 'supervisor', 'instance.json')
  const instance = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  return instance.pid
}
