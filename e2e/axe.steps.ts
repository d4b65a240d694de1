/** What axe finds on a page, in the looks that the console has: each theme, on a desk and on a phone. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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

/** LOOKS in the name of a test. */
export const IN_ALL_LOOKS = 'dark and light, 1440 and 390 wide'

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
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const findings = await page.evaluate(async (only) => {
    const { axe: there } = window as unknown as { axe: typeof axe }
    // What a dialog covers cannot be reached, was looked at without it, and costs more than the dialog.
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
    const { violations } = await there.run(dialog ?? document, {
      resultTypes: ['violations'],
      ...(only === null ? {} : { runOnly: { type: 'rule', values: only } }),
    })
    return violations.map(
      (violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`,
    )
  }, rules)
  expect(findings).toEqual([])
}

/** Nothing makes the page as a whole wider than the screen. */
async function expectFits(page: Page): Promise<void> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(beyond).toBe(0)
}
