/** The console of a browser that prefers French: every page, and no English left on it. */
import type { Locator, Page } from '@playwright/test'
import { addSchedule } from '@trunkline/contract/schedules/schedule.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { expectNoFindingInLooks, type Look } from './axe.steps.ts'
import { ownSilentEncoder } from './encoder.steps.ts'
import { moveTo } from './page.steps.ts'
import { expect, PASSWORD, signIn, test } from './site.fixture.ts'

test.use({ locale: 'fr-FR' })

const LOOKS: readonly Look[] = [
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 }, rules: null },
  { colorScheme: 'light', viewport: { width: 390, height: 844 }, rules: null },
]

/** Loaded by their addresses. */
const LOADED = [
  '/',
  '/dashboard/userManager?tab=activity',
  '/dashboard/userManager?tab=tokens',
  '/dashboard/channel',
]
const REACHED = [
  '/dashboard/server',
  '/dashboard/group',
  '/dashboard/userManager',
  '/dashboard/managerEncoder',
  '/dashboard/wall',
  '/dashboard/contribution',
  '/dashboard/alarm',
  '/dashboard/path',
  '/dashboard/notification',
]

const OUTPUTS = '/dashboard/contribution?tab=outputs'

/** Words that French does not have. */
const ENGLISH = /\b(the|of|and|is|are|was|with|from|your|not|this|that|has|no)\b/i
/** What the demo calls its groups, and a text of the error catalogue, as the record of activity has it of other tests. */
const TITLES = /Runs the demo chain|Sees nothing of North|You are not authorized to perform/

/** What is read on the page, and what is read out. */
async function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.body.innerText.split('\n')
    const named = [...document.querySelectorAll('[aria-label], [title], [placeholder]')]
    const names = named.flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...texts, ...names]
  })
}

test('design 9 each page is in French, and axe finds nothing there', async ({
  page,
  site,
  complaints,
}) => {
  await page.goto(`${site.url}/login`)
  await page.getByLabel('E-mail').fill('superadmin@trunkline.example')
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await expectNoFindingInLooks(page, LOOKS)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('navigation').first().waitFor()
  for (const path of [...LOADED, ...REACHED]) {
    if (REACHED.includes(path)) await moveTo(page, path)
    else await load(page, site.url + path)
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    expect
      .soft(
        (await textsOf(page)).filter((text) => ENGLISH.test(text) && !TITLES.test(text)),
        path,
      )
      .toEqual([])
    await expectNoFindingInLooks(page, LOOKS)
  }
  expect(complaints).toEqual([])
})

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  // Its part comes after the frame of Access, with a heading of its own.
  if (url.endsWith('tab=tokens')) await page.getByRole('heading', { name: /^Jetons/ }).waitFor()
}

test('design 9 who chooses English at the foot of the sign-in keeps it', async ({ page, site }) => {
  await page.goto(`${site.url}/login`)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('DASH-14 a card that needs attention shows its whole state, however long the words are', async ({
  page,
  site,
}) => {
  await using encoder = await ownSilentEncoder(site)
  const { id, title } = encoder
  // Its mark stands in the same line.
  await callApi(site.client, addSchedule, {
    body: {
      object: { kind: 'encoder', id },
      command: 'start',
      times: { repeats: 'weekly', days: ['wed'], time: '12:30', timeZone: 'UTC' },
    },
  })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard`)
  const card = page.getByRole('article', { name: title, exact: true })
  await expect(card.getByRole('button', { name: 'hôte injoignable' })).toBeVisible()
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(
      await cutTexts(card, 'plus lent que le temps réel : vitesse 0,80'),
      `${width} wide`,
    ).toEqual([])
  }
})

/** Which of its texts have no room where that is the cause: a test cannot make an encoder slow. */
async function cutTexts(card: Locator, cause: string): Promise<string[]> {
  return card.evaluate((element, text) => {
    const tips = [...element.querySelectorAll<HTMLElement>('p button')]
    const last = tips.at(-1)
    if (last) last.textContent = text
    const { right } = element.getBoundingClientRect()
    const isBeyond = (part: HTMLElement) => part.getBoundingClientRect().right > right
    const isCut = (part: HTMLElement) =>
      part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1
    const others = [...element.querySelectorAll<HTMLElement>('p *, ul + span *')]
    return [...tips.filter(isCut), ...others.filter(isBeyond)].map((part) => part.innerText)
  }, cause)
}

test('on a phone a filter shows its choice in full', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  for (const path of [
    '/dashboard/channel',
    '/dashboard/contribution',
    OUTPUTS,
    '/dashboard/server',
  ]) {
    await page.goto(`${site.url}${path}`)
    const filters = page.getByRole('main').getByRole('combobox')
    await filters.first().waitFor()
    await page.evaluate(async () => document.fonts.ready)
    const fields = await filters.all()
    const missing = await Promise.all(fields.map(async (field) => field.evaluate(missingPixels)))
    expect(missing.length, path).toBeGreaterThan(0)
    expect(Math.max(...missing), path).toBeLessThanOrEqual(0)
  }
})

/** By how much the chosen text is wider than its place; less than nothing where it has room. Runs in the page. */
function missingPixels(field: Element): number {
  if (!(field instanceof HTMLSelectElement)) return field.scrollWidth - field.clientWidth
  const { font, paddingLeft, paddingRight } = getComputedStyle(field)
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) throw new Error('No canvas.')
  context.font = font
  const { width } = context.measureText(field.selectedOptions[0]?.text ?? '')
  return width - (field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
}
