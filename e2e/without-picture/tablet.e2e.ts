/** Between a telephone and a desk: the tabs of the header scroll, the tools of a page take a second line. */
import type { Page } from '@playwright/test'
import { moveTo, openWhole } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped', viewport: { width: 768, height: 1024 } })

const PATHS = [
  '/dashboard/server',
  '/dashboard/userManager',
  '/dashboard/managerEncoder',
  '/dashboard/userManager?tab=activity',
  '/dashboard/channel',
  '/dashboard/alarm',
  '/dashboard/contribution?tab=outputs',
]

test('NAV-17 design 7 on a tablet no page is wider than the screen, no tool covers another, and the current tab is in sight', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await openWhole(page, site, '/dashboard/group', 'Groups')
  for (const path of PATHS) {
    await moveTo(page, path)
    await expect(page.getByRole('main').getByRole('search')).toBeVisible()
    expect(await squeezed(page), path).toEqual([])
  }
  const tabs = page.getByRole('banner').getByRole('navigation')
  const current = tabs.getByRole('link', { name: 'Contributions', exact: true })
  await expect(current).toHaveAttribute('aria-current', 'page')
  await expect(current).toBeInViewport({ ratio: 1 })
})

/** Whatever goes beyond the page, and the selects that are too narrow for the name of what they choose. */
async function squeezed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push('the page')
    for (const label of document.querySelectorAll(
      'main label:has(select), main label:has(input)',
    )) {
      const edge = label.getBoundingClientRect().right
      const words = label.querySelector('span')
      if (words !== null && words.getBoundingClientRect().right > edge) found.push(words.innerText)
    }
    return found
  })
}
