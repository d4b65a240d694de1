/** What every page has: its notices, its dialogs, the way there. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { DemoSite } from '@trunkline/testbed/demo'

/**
 * A notice with that title, letter for letter, spaces at its end included, and that second line.
 * It stays for seconds only, so it is read in one step.
 */
export async function expectNotice(page: Page, title: string, detail: string): Promise<void> {
  const notice = page
    .getByRole('region', { name: 'Notices', exact: true })
    .getByRole('paragraph')
    .filter({ hasText: title.trim() })
    .filter({ hasText: detail })
    .last()
  const texts = await notice.evaluate((element) =>
    [...element.children].map((child) => child.textContent),
  )
  expect(texts[0]).toBe(title)
}

export function dialogOf(page: Page, name: string): Locator {
  return page.getByRole('dialog', { name, exact: true })
}

/** The question 'Are you sure?', answered by that verb. */
export async function answer(page: Page, sentence: string, verb: string): Promise<void> {
  const question = dialogOf(page, 'Are you sure?')
  await expect(question.getByText(sentence)).toBeVisible()
  await question.getByRole('button', { name: verb, exact: true }).click()
  await expect(question).toBeHidden()
}

export async function openPage(
  page: Page,
  site: DemoSite,
  path: string,
  title: string,
): Promise<void> {
  await page.goto(site.url + path)
  await expect(page.getByRole('heading', { name: title, level: 1, exact: true })).toBeVisible()
}

/** The same, once the code of the page is there. */
export async function openWhole(
  page: Page,
  site: DemoSite,
  path: string,
  title: string,
): Promise<void> {
  await openPage(page, site, path, title)
  await isWhole(page)
}

/**
 * As a link of the console leads there, from a page with another title: what is loaded stays, which takes a
 * fifth of what it takes to load the page. Open what is loaded by its address in some test of its own.
 */
export async function moveTo(page: Page, path: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 })
  const before = (await title.textContent()) ?? ''
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await expect(title).not.toHaveText(before)
  await isWhole(page)
}

async function isWhole(page: Page): Promise<void> {
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
}

export function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

/** The row of that person, group, server or line. */
export function rowOf(page: Page, title: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) })
}

/** The browser hears what happens elsewhere. */
export async function isLive(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
}

/** The requests of that kind from here on, such as 'POST /api/users/jwtLogin'. */
export function requestsOf(page: Page, methodAndPath: string): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const line = `${request.method()} ${new URL(request.url()).pathname}`
    if (line.startsWith(methodAndPath)) seen.push(line)
  })
  return seen
}

export const MOST_STOPS = 60

/** Tab after Tab, until that control has the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  // Found once: to find it anew by its role at each stop takes longer than the stop.
  const found = await control.elementHandle()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await found?.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(control).toBeFocused()
}
