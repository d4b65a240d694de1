/** What a page shows whose code does not arrive, as when the API restarts while it loads. */
import { expectNoFinding } from '../axe.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const AGAIN_AFTER_MS = 5000
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

for (const [missing, pattern] of [
  ['its script', '**/assets/index-*.js'],
  ['a script that it imports', '**/assets/shared-*.js'],
  ['its styles', '**/assets/index-*.css'],
  ['a script of this page alone', '**/assets/LoginPage-*.js'],
] as const) {
  test(`F1 a page without ${missing} comes by itself, once the API answers`, async ({
    page,
    site,
  }) => {
    // On a busy machine a page takes longer than that to load, and would come by itself before it is looked at.
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    // A file is asked for once to have it early, and again where it is imported.
    await page.route(pattern, async (route) => route.abort())
    await page.goto(`${site.url}/login`)
    // From then on the page waits to ask again.
    await page.locator('html[data-late]').waitFor()
    await page.unroute(pattern)
    // Answers not, then is back: the page must not leave for the browser's own page of errors.
    await page.route(`${site.url}/login`, async (route) => route.abort(), { times: 1 })
    const isRefused = page.waitForEvent('requestfailed')
    await page.clock.fastForward(AGAIN_AFTER_MS)
    await isRefused
    expect(page.url()).toBe(`${site.url}/login`)
    const loads: unknown[] = []
    page.on('load', () => loads.push(page))
    const signInButton = page.getByRole('button', { name: 'Sign in' })
    // Nothing shows when the page has heard of the refusal and waits again. A script of one page alone may come
    // after all, before the page is loaded again.
    await expect(async () => {
      await page.clock.fastForward(AGAIN_AFTER_MS)
      expect(loads.length > 0 || (await signInButton.isVisible())).toBe(true)
    }).toPass()
    await page.clock.resume()
    await expect(signInButton).toBeVisible()
  })
}

for (const [locale, colorScheme, viewport, words] of [
  ['en', 'dark', DESK, 'The console server has not sent all of the console yet.'],
  ['fr', 'light', PHONE, 'Le serveur de la console n’a pas encore envoyé toute la console.'],
] as const) {
  test(`a page whose code does not come says so in words: ${locale}`, async ({ browser, site }) => {
    const context = await browser.newContext({ locale, colorScheme, viewport })
    const page = await context.newPage()
    await page.route('**/assets/index-*.js', async (route) => route.abort())
    await page.goto(`${site.url}/login`)
    // It would be loaded again while it is looked at.
    await page.route(`${site.url}/login`, async (route) => route.abort())
    await expect(page.getByRole('main')).toContainText(words)
    await expect(page.locator('p:visible')).toHaveCount(1)
    await expectNoFinding(page)
    await context.close()
  })
}

for (const [locale, colorScheme, viewport, words] of [
  ['en', 'light', PHONE, 'This browser is too old for the console.'],
  ['fr', 'dark', DESK, 'Ce navigateur est trop ancien pour la console.'],
] as const) {
  test(`a browser without what the console uses is told which ones have it: ${locale}`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ locale, colorScheme, viewport })
    // Firefox 115 has no such function.
    await context.addInitScript(() => Reflect.deleteProperty(Promise, 'withResolvers'))
    const page = await context.newPage()
    await page.goto(`${site.url}/login`)
    await expect(page.getByRole('main')).toContainText(words)
    await expect(page.locator('p:visible')).toHaveCount(1)
    await expectNoFinding(page)
    await context.close()
  })
}

for (const [locale, path, files] of [
  ['en', '/', ['EncoderDashboardPage']],
  ['en', '/dashboard/channel', ['ChannelsPage']],
  ['fr', '/dashboard/contribution', ['ContributionsPage', 'french-sentences']],
] as const) {
  test(`W8 the page at ${path} names its files, which wait for no script to run: ${locale}`, async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await signIn(page, site, 'admin')
    await page.goto(`${site.url}${path}`)
    await page.locator('#main h1').waitFor()
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => ({
        name: new URL(entry.name).pathname,
        // What no page names is fetched by lib/part-files.ts first.
        isFetched: (entry as PerformanceResourceTiming).initiatorType === 'fetch',
      })),
    )
    const ofFile = (file: string) => loaded.filter(({ name }) => name.includes(`/${file}-`))
    for (const file of files) {
      expect(ofFile(file), file).not.toEqual([])
      expect(
        ofFile(file).filter(({ isFetched }) => isFetched),
        file,
      ).toEqual([])
    }
    await context.close()
  })
}
