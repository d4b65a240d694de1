/** The dashboard in a real browser, and when each of its cards came to say something else. */
import type { Browser } from '@playwright/test'
import { openSignedIn, sessionAt } from './signed-in.ts'

export interface DomWatch extends AsyncDisposable {
  /** Of the encoders on the page. */
  readonly ids: readonly string[]
  /** In the order of time, since the last question; on this machine's clock. */
  take(): Promise<CardChange[]>
}

export interface CardChange {
  id: string
  /** Of the state that the card shows from then on. */
  word: string
  atMs: number
}

type Watching = typeof window & { cardChanges: CardChange[] }

export async function watchDashboard(
  browser: Browser,
  url: string,
  person: { email: string; password: string },
  entries: Readonly<Record<string, string>> = {},
): Promise<DomWatch> {
  const context = await openSignedIn(browser, await sessionAt(url, person), entries)
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('article[data-word="Running"]').first().waitFor()
  const ids = await page.evaluate(watchCards)
  return {
    ids,
    take: async () =>
      page.evaluate(() => {
        const { cardChanges } = window as Watching
        return cardChanges.splice(0)
      }),
    [Symbol.asyncDispose]: async () => context.close(),
  }
}

/** Runs in the page. A change counts from the frame that shows it. */
function watchCards(): string[] {
  const changes: CardChange[] = []
  ;(window as Watching).cardChanges = changes
  const idOf = (card: Element) => {
    const path = card.querySelector('h2 a')?.getAttribute('href') ?? ''
    return path.slice(path.lastIndexOf('/') + 1)
  }
  new MutationObserver((records) => {
    const seen = records.flatMap(({ target }) =>
      target instanceof Element
        ? [{ id: idOf(target), word: target.getAttribute('data-word') ?? '' }]
        : [],
    )
    requestAnimationFrame(() => {
      const atMs = performance.timeOrigin + performance.now()
      changes.push(...seen.map((change) => ({ ...change, atMs })))
    })
  }).observe(document.body, { attributes: true, attributeFilter: ['data-word'], subtree: true })
  const grid = document.querySelector('section[aria-label="Encoders"]')
  return [...(grid?.querySelectorAll('article[data-word]') ?? [])].map(idOf)
}
