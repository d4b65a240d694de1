/** No row moves under the pointer: states and counts come into space that is kept for them. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../site.fixture.ts'

// An encoder that is slow for a moment puts itself above the cards.
test.use({ demoEncoder: 'stopped' })

const PAGES = [
  '/',
  '/dashboard/channel',
  '/dashboard/contribution',
  '/dashboard/managerEncoder',
  '/dashboard/server',
  '/dashboard/group',
  '/dashboard/userManager',
  '/dashboard/alarm',
]

interface WatchedPage {
  moved: string[]
}
/** What Chromium reports of a move, of which TypeScript's DOM knows nothing yet. */
interface LayoutShift extends PerformanceEntry {
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

test('no row moves up or down when states and counts arrive, 1440 and 390 wide', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await page.addInitScript(watchMoves)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of PAGES) {
      await page.goto(site.url + path)
      await page.getByText('Live', { exact: true }).filter({ visible: true }).waitFor()
      await page.getByRole('progressbar').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Open the alarms' }).waitFor()
      await page.evaluate(afterNextPaint)
      expect.soft(await movesOf(page), `${path} at ${width}`).toEqual([])
    }
  }
})

async function movesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as WatchedPage).moved)
}

/** Runs in the page. What has arrived is drawn, and reported to who watches moves. */
async function afterNextPaint(): Promise<void> {
  await document.fonts.ready
  for (let frames = 0; frames < 3; frames++) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

/** Runs in the page. */
function watchMoves(): void {
  const moved: string[] = []
  ;(window as unknown as WatchedPage).moved = moved
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as LayoutShift[]) {
      for (const { node, previousRect, currentRect } of sources) {
        const byPx = Math.round(currentRect.y - previousRect.y)
        const element = node instanceof Element ? node : (node?.parentElement ?? null)
        const row = element?.closest('tr, article') ?? null
        // What changes its place inside a row is that row's own matter.
        if (byPx === 0 || (row !== null && row !== node)) continue
        const list = document.querySelector('[data-list]')
        const at = node === null ? 0 : (list?.compareDocumentPosition(node) ?? 0)
        // The foot of a list comes up to it when there are fewer rows than were drawn grey before.
        const isBehind =
          (at & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
          (at & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0
        const text = element?.outerHTML.slice(0, 90) ?? ''
        if (!isBehind) moved.push(`'${text}' moved by ${byPx} px`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
