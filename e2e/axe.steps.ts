/** What axe finds on a page, in the looks that the console has: each theme, on a desk and on a phone. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export interface Look {
  colorScheme: 'dark' | 'light'
  viewport: { width: number; height: number }
  /** The rules to ask; null for all. */
  rules: string[] | null
}

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** What a theme changes. Everything else that axe looks at is the same in both. */
const COLORS = ['color-contrast', 'link-in-text-block']

/** Each theme in each size. All rules in each size once; those about colours in all four. */
export const LOOKS: readonly Look[] = [
  { colorScheme: 'dark', viewport: DESK, rules: null },
  { colorScheme: 'light', viewport: DESK, rules: COLORS },
  { colorScheme: 'light', viewport: PHONE, rules: null },
  { colorScheme: 'dark', viewport: PHONE, rules: COLORS },
]

export const THEMES: readonly Look[] = [
  { colorScheme: 'dark', viewport: DESK, rules: null },
  { colorScheme: 'light', viewport: DESK, rules: COLORS },
]

/** The page stays open: it is shown in one look after the other. `also` is asked in each. */
export async function expectNoFindingInLooks(
  page: Page,
  looks: readonly Look[],
  also: () => Promise<void> = async () => {},
): Promise<void> {
  for (const { colorScheme, viewport, rules } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await also()
    await expectNoFinding(page, rules)
    await expectFits(page)
  }
}

export async function expectNoFinding(page: Page, rules: string[] | null = null): Promise<void> {
  // It is half a megabyte of script: one look after the other uses what the first one brought.
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) })
    .options({ resultTypes: ['violations'] })
    // Without it axe opens a page of its own for each answer; that is for frames, and we have none.
    .setLegacyMode()
  const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze()
  expect(
    violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`),
  ).toEqual([])
}

/** Nothing makes the page as a whole wider than the screen. */
async function expectFits(page: Page): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond).toBe(0)
}
