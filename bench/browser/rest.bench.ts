/**
 * What each page of the header costs its browser while nothing happens: ages tick, nothing else is
 * drawn. Pages of the first rows of a site whose hosts do not answer, beside a page of React and a
 * virtual list alone that rests as well.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, CDPSession } from '@playwright/test'
import { atMost, printFigure, round, spread } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { openBrowser } from '../kit/site.ts'
import { CONSOLE_PAGES } from './console-pages.ts'
import { openFloorSite } from './floor-site.ts'
import { openListSite } from './list-site-api.ts'
import { openSignedIn } from './signed-in.ts'

const ROUNDS = settingOf('ROUNDS', 3)
const ROWS = settingOf('ROWS', 1000)
/** Script for so many milliseconds in each second: a hundredth of a core. */
const GOAL_MS_PER_S = 10
/** Parts that load once the page rests have come by then. */
const SETTLE_MS = 5000
const MEASURE_MS = 10_000

interface Cost {
  scriptMsPerS: number
  allMsPerS: number
}

const browser = await openBrowser()
try {
  await using site = await openListSite(ROWS)
  await using floor = await openFloorSite()
  const ofFloor: Cost[] = []
  const ofPages = CONSOLE_PAGES.map(({ name }) => ({ name, costs: new Array<Cost>() }))
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    ofFloor.push(await costOf(await browser.newContext(), floor.url, '[data-row]'))
    for (const [at, { path, useful }] of CONSOLE_PAGES.entries()) {
      const context = await openSignedIn(browser, site.session)
      ofPages[at]?.costs.push(await costOf(context, `${site.url}${path}`, useful))
    }
  }
  const pages = Object.fromEntries(ofPages.map(({ name, costs }) => [name, figuresOf(costs)]))
  const dearest = Math.max(...Object.values(pages).map(({ scriptMsPerS }) => scriptMsPerS.median))
  printFigure({
    bench: 'rest',
    rounds: ROUNDS,
    ours: pages,
    limit: figuresOf(ofFloor),
    goals: [atMost('script of a page at rest', dearest, GOAL_MS_PER_S, 'ms/s')],
  })
} finally {
  await browser.close()
}

function figuresOf(costs: readonly Cost[]) {
  return {
    scriptMsPerS: spread(costs.map(({ scriptMsPerS }) => scriptMsPerS)),
    allMsPerS: spread(costs.map(({ allMsPerS }) => allMsPerS)),
  }
}

async function costOf(context: BrowserContext, url: string, useful: string): Promise<Cost> {
  try {
    const page = await context.newPage()
    const tools = await context.newCDPSession(page)
    await tools.send('Performance.enable')
    await page.goto(url)
    await page.waitForSelector(useful)
    await pause(SETTLE_MS)
    const before = await secondsSpent(tools)
    await pause(MEASURE_MS)
    const after = await secondsSpent(tools)
    const perSecond = 1e6 / MEASURE_MS
    return {
      scriptMsPerS: round((after.script - before.script) * perSecond),
      allMsPerS: round((after.all - before.all) * perSecond),
    }
  } finally {
    await context.close()
  }
}

/** Of the page's main thread, so far. */
async function secondsSpent(tools: CDPSession) {
  const { metrics } = await tools.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return { script: valueOf('ScriptDuration'), all: valueOf('TaskDuration') }
}
