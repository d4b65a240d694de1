/**
 * 10,000 rows on one page, of the dashboard and of the inputs, while 500 of them change every second:
 * the time between frames, left alone and scrolled, beside a page of React and a virtual list alone with
 * as many changes, in the same rounds; nodes of the page; and whether its heap grows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { watchLoop } from '../kit/event-loop.ts'
import { atMost, median, percentile, printFigure, round, type Goal } from '../kit/figure.ts'
import { EMAIL, PASSWORD } from '../kit/large-site.ts'
import { settingOf } from '../kit/settings.ts'
import { openBrowser } from '../kit/site.ts'
import { randomFrom } from '../truth/draw.ts'
import { openFloorSite } from './floor-site.ts'
import { framesOf, heapMegabytesOf, nodesOf } from './frames.ts'
import { openSignedIn, sessionAt } from './signed-in.ts'
import { openTableSite, type TableKind } from './table-site.ts'

const ROWS = settingOf('ROWS', 10_000)
const ROUNDS = settingOf('ROUNDS', 3)
const CHANGES_PER_S = settingOf('CHANGES', 500)
const WATCH_MS = 20_000
const SCROLL_MS = 5000
const HEAP_MINUTES = settingOf('MINUTES', 5)
const HEAP_EVERY_MS = 10_000
/** What the page does first, and what it keeps from then on. */
const HEAP_SETTLE_MS = 20_000
const PUSH_EVERY_MS = 20

const KINDS = ['floor', 'dashboard', 'inputs'] as const
type Kind = (typeof KINDS)[number]

interface Smoothness {
  paintMs: number[]
  framesMs: number[]
  scrolledMs: number[]
  nodes: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-table-'))
const browser = await openBrowser()
try {
  await using site = await openTableSite(join(folder, 'data'), ROWS)
  await using floor = await openFloorSite()
  const url = `http://127.0.0.1:${site.api.port}`
  const session = await sessionAt(url, { email: EMAIL, password: PASSWORD })
  const loop = await watchLoop(site.api)
  const opened: Record<Kind, () => Promise<Shown>> = {
    floor: async () => openFloor(await browser.newContext(), floor.liveUrl),
    dashboard: async () => openDashboard(await openSignedIn(browser, session), url),
    inputs: async () =>
      openInputs(await openSignedIn(browser, session, { 'rows-per-page': '0' }), url),
  }
  const pushes: Record<Kind, (rows: readonly number[]) => void> = {
    floor: (rows) => floor.push(rows),
    dashboard: (rows) => changeAll(site, 'encoder', rows),
    inputs: (rows) => changeAll(site, 'input', rows),
  }
  const all = { floor: nothing(), dashboard: nothing(), inputs: nothing() }
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const kind of KINDS) await watch(await opened[kind](), pushes[kind], all[kind])
  }
  const heaps: Record<string, number[]> = {}
  for (const kind of ['dashboard', 'inputs'] as const) {
    heaps[kind] = await heapsOf(await opened[kind](), pushes[kind])
  }
  print(all, heaps, await loop.goal())
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

interface Shown {
  page: Page
  paintMs: number
  scroller: string
}

function nothing(): Smoothness {
  return { paintMs: [], framesMs: [], scrolledMs: [], nodes: [] }
}

async function openFloor(context: BrowserContext, url: string): Promise<Shown> {
  const page = await context.newPage()
  const startedAt = performance.now()
  await page.goto(url)
  await page.locator('[data-row]').first().waitFor()
  return { page, paintMs: performance.now() - startedAt, scroller: '#frame' }
}

/** Its pages end at 112 rows: all stand on one page where a search finds all. */
async function openDashboard(context: BrowserContext, url: string): Promise<Shown> {
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('article[data-word]').first().waitFor()
  const startedAt = performance.now()
  await page.getByRole('searchbox', { name: 'Search encoders' }).fill('camera')
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'detached' })
  await page.locator('article[data-word]').first().waitFor()
  return { page, paintMs: performance.now() - startedAt, scroller: 'window' }
}

async function openInputs(context: BrowserContext, url: string): Promise<Shown> {
  const page = await context.newPage()
  const startedAt = performance.now()
  await page.goto(`${url}/dashboard/contribution`)
  await page.locator('tbody[data-index]').first().waitFor()
  return { page, paintMs: performance.now() - startedAt, scroller: 'window' }
}

function changeAll(
  { change }: { change: (kind: TableKind, row: number) => void },
  kind: TableKind,
  rows: readonly number[],
): void {
  for (const row of rows) change(kind, row)
}

/** Rows of chance, evenly in time, until it is disposed. */
function pushing(push: (rows: readonly number[]) => void): Disposable {
  const random = randomFrom(7)
  const startedAt = performance.now()
  let pushed = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * CHANGES_PER_S) - pushed
    if (due <= 0) return
    pushed += due
    push(Array.from({ length: due }, () => Math.floor(random() * ROWS)))
  }, PUSH_EVERY_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

async function watch(
  { page, paintMs, scroller }: Shown,
  push: (rows: readonly number[]) => void,
  into: Smoothness,
): Promise<void> {
  {
    using _ = pushing(push)
    await pause(1000)
    into.paintMs.push(paintMs)
    into.framesMs.push(...(await framesOf(page, { durationMs: WATCH_MS })))
    into.nodes.push(await nodesOf(page))
    into.scrolledMs.push(...(await framesOf(page, { durationMs: SCROLL_MS, scroller })))
  }
  await page.context().close()
}

async function heapsOf(
  { page }: Shown,
  push: (rows: readonly number[]) => void,
): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const heaps: number[] = []
  {
    using _ = pushing(push)
    await pause(HEAP_SETTLE_MS)
    const endsAt = performance.now() + HEAP_MINUTES * 60_000
    while (performance.now() < endsAt) {
      heaps.push(await heapMegabytesOf(session))
      await pause(HEAP_EVERY_MS)
    }
  }
  await page.context().close()
  return heaps
}

/** Of the last quarter to the first. */
function growthOf(heaps: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(heaps.length / 4))
  return median(heaps.slice(-quarter)) / median(heaps.slice(0, quarter))
}

function print(
  all: Record<Kind, Smoothness>,
  heaps: Readonly<Record<string, number[]>>,
  loopGoal: Goal,
): void {
  const figures = ({ paintMs, framesMs, scrolledMs, nodes }: Smoothness) => ({
    paintMs: round(median(paintMs)),
    frameP95Ms: round(percentile(framesMs, 95)),
    frameMostMs: round(Math.max(...framesMs)),
    scrolledP95Ms: round(percentile(scrolledMs, 95)),
    nodes: median(nodes),
  })
  const limit = figures(all.floor)
  const pages = (['dashboard', 'inputs'] as const).map((name) => {
    const heap = heaps[name] ?? []
    const heapMb = { first: round(heap[0] ?? 0), last: round(heap.at(-1) ?? 0) }
    return { name, ...figures(all[name]), heapMb, heapGrowth: round(growthOf(heap)) }
  })
  printFigure({
    bench: 'table',
    rounds: ROUNDS,
    ours: { rows: ROWS, changesPerSecond: CHANGES_PER_S, heapMinutes: HEAP_MINUTES, pages },
    limit,
    goals: [
      ...pages.flatMap(({ name, frameP95Ms, scrolledP95Ms, nodes, heapGrowth }) => [
        atMost(`${name}: frame p95 to the floor's`, frameP95Ms / limit.frameP95Ms, 1.5, 'x'),
        atMost(
          `${name}: frame p95 when scrolled, to the floor's`,
          scrolledP95Ms / limit.scrolledP95Ms,
          1.5,
          'x',
        ),
        atMost(`${name}: nodes of the page`, nodes, 2000, 'nodes'),
        atMost(`${name}: heap, last to first`, heapGrowth, 1.05, 'x'),
      ]),
      loopGoal,
    ],
  })
}
