/**
 * What the API sends to open each page of the header, of a small site and of a large one: every answer
 * and the live stream, from the first call until a moment after the first row is shown. Counted by the
 * browser, as they were answered and as they came over the wire (G3). The dashboard needs attention for
 * every tenth encoder.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { openDatabase } from '@trunkline/api/db/open'
import { watchLoop } from '../kit/event-loop.ts'
import { atMost, printFigure, round, type Goal } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { openBrowser } from '../kit/site.ts'
import { CONSOLE_PAGES, type ConsolePage } from './console-pages.ts'
import { openListSite } from './list-site-api.ts'
import { openSignedIn, type Session } from './signed-in.ts'

const LARGE = settingOf('ROWS', 10_000)
const SMALL = 100
const GOAL_KB = 200
const GROWTH = 1.3
/** Every tenth is on, and its host away: so some need attention. */
const TENTH = 10
/** What is still on its way when the page is useful. */
const AFTER_MS = 3000
const KILO = 1000

interface Bytes {
  answered: number
  wire: number
}

type Figure = ReturnType<typeof summaryOf>

const browser = await openBrowser()
try {
  const small = await measureSite(browser, SMALL)
  const large = await measureSite(browser, LARGE)
  print(small.pages, large.pages, large.loopGoal)
} finally {
  await browser.close()
}

async function measureSite(on: Browser, rows: number) {
  await using site = await openListSite(rows, wantSome)
  const loop = await watchLoop(site.api)
  const pages: Record<string, Figure> = {}
  for (const page of CONSOLE_PAGES) {
    pages[page.name] = await measure(on, site.url, site.session, page)
  }
  return { pages, loopGoal: await loop.goal(`${rows} rows`) }
}

async function wantSome(dataDir: string): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'trunkline.db') })
  await db
    .updateTable('encoders')
    .set({ is_enabled: 1, wanted_running: 1 })
    .where('id', 'like', `%${TENTH - 1}`)
    .execute()
  await db.destroy()
}

async function measure(
  on: Browser,
  url: string,
  session: Session,
  { path, useful, name }: ConsolePage,
): Promise<Figure> {
  const context = await openSignedIn(on, session)
  try {
    // Without a shared worker the page holds the stream itself, and its bytes are seen here.
    await context.addInitScript(() => {
      Object.defineProperty(window, 'SharedWorker', { value: undefined })
    })
    const page = await context.newPage()
    const bytes = await countApi(page)
    await page.goto(`${url}${path}`)
    await page.locator(useful).first().waitFor()
    if (name === 'dashboard') {
      await page.getByRole('button', { name: /^Need attention \d/ }).waitFor()
    }
    await pause(AFTER_MS)
    return summaryOf(bytes)
  } finally {
    await context.close()
  }
}

/** By path. */
async function countApi(page: Page): Promise<ReadonlyMap<string, Bytes>> {
  const bytes = new Map<string, Bytes>()
  const paths = new Map<string, string>()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/')) paths.set(requestId, pathname)
  })
  session.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
    const path = paths.get(requestId)
    if (path === undefined) return
    const before = bytes.get(path) ?? { answered: 0, wire: 0 }
    bytes.set(path, {
      answered: before.answered + dataLength,
      wire: before.wire + (encodedDataLength === 0 ? dataLength : encodedDataLength),
    })
  })
  return bytes
}

function summaryOf(bytes: ReadonlyMap<string, Bytes>) {
  const all = [...bytes.values()]
  const sum = (of: keyof Bytes) => all.reduce((total, each) => total + each[of], 0) / KILO
  return {
    answeredKb: round(sum('answered')),
    wireKb: round(sum('wire')),
    paths: Object.fromEntries(
      [...bytes].map(([path, { answered }]) => [path, round(answered / KILO)]),
    ),
  }
}

function print(
  small: Readonly<Record<string, Figure>>,
  large: Readonly<Record<string, Figure>>,
  loopGoal: Goal,
): void {
  const answered = (figures: Readonly<Record<string, Figure>>, name: string) =>
    figures[name]?.answeredKb ?? Number.NaN
  printFigure({
    bench: 'page-bytes',
    rounds: 1,
    ours: { [SMALL]: small, [LARGE]: large },
    limit: {},
    goals: [
      ...CONSOLE_PAGES.flatMap(({ name }) => [
        atMost(`${name}: answered to open it, ${LARGE} rows`, answered(large, name), GOAL_KB, 'kB'),
        atMost(
          `${name}: answered, ${LARGE} rows to ${SMALL}`,
          answered(large, name) / answered(small, name),
          GROWTH,
          'x',
        ),
      ]),
      loopGoal,
    ],
  })
}
