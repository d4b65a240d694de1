/**
 * What the screen says against what is so. `node bench/truth/truth.bench.ts [seed] [events]` runs a site,
 * opens the console's pages, makes random events of eight kinds, and compares what the pages showed
 * with what was done: words of states, their ages, and figures that deny the state beside them. A
 * third argument names a file that then holds all that was true and all that was shown.
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { atMost, printFigure, round, type Goal } from '../kit/figure.ts'
import { openBrowser, signIn } from '../kit/site.ts'
import { drawKinds, randomFrom } from './draw.ts'
import { happen } from './events.ts'
import { ALLOWANCES, factsOf, ROWS, startingFacts, type Happened } from './events.rules.ts'
import { startWatching, takeWatched, type PageKind } from './page.ts'
import { compare, LIMIT_MS, type Fact, type Shown, type Violation } from './truth.rules.ts'
import { openTruthSite, type TruthSite } from './site.ts'

const EVENTS = 20
/** Only ends what hangs. */
const WELL_WITHIN_MS = 120_000

const seed = Number(process.argv[2] ?? Math.floor(Math.random() * 1_000_000))
const count = Number(process.argv[3] ?? EVENTS)
const file = process.argv[4]

const load = loadavg()[0] ?? 0
await using truth = await openTruthSite()
const browser = await openBrowser()
try {
  const pages = await openPages(browser, truth)
  await untilAllWell(truth, pages)
  const startedAtMs = Date.now()
  const happened = await makeEvents(truth, count)
  const watched = await Promise.all([...pages.values()].map(takeWatched))
  const facts = [
    ...startingFacts(startedAtMs, truth.sources[0] ?? ''),
    ...happened.flatMap(factsOf),
  ]
  conclude(
    facts.toSorted((a, b) => a.fromMs - b.fromMs),
    watched.flatMap(({ shown }) => shown),
    { startedAtMs, happened, longestGapMs: Math.max(...watched.map((item) => item.longestGapMs)) },
  )
} finally {
  await browser.close()
}

async function openPages(on: Browser, { site }: TruthSite): Promise<Map<PageKind, Page>> {
  const context = await on.newContext({ viewport: { width: 1440, height: 900 } })
  const first = await context.newPage()
  await signIn(first, site)
  const dashboard = '/dashboard'
  const addresses: Record<PageKind, string> = {
    encoders: dashboard,
    feeders: `${dashboard}/editEncoder/${site.ids.encoderId}?tab=feeder`,
    inputs: `${dashboard}/contribution`,
    outputs: `${dashboard}/contribution?tab=outputs`,
    channels: `${dashboard}/channel`,
    channel: `${dashboard}/channel`,
  }
  const pages = new Map<PageKind, Page>()
  for (const [kind, address] of Object.entries(addresses) as [PageKind, string][]) {
    pages.set(kind, await openPage(context, site.url + address, kind))
  }
  return pages
}

async function openPage(context: BrowserContext, url: string, kind: PageKind): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  if (kind === 'channel') {
    await page.getByRole('row', { name: /Bench live/ }).click({ position: { x: 300, y: 8 } })
    await page.getByRole('dialog').waitFor()
  }
  if (['feeders', 'inputs', 'outputs'].includes(kind)) {
    await page
      .getByRole('button', { name: /^Expand / })
      .first()
      .waitFor()
    const closed = page.getByRole('button', { name: /^Expand / })
    while ((await closed.count()) > 0) await closed.first().click()
  }
  await startWatching(page, kind)
  return page
}

/** Every row of ours is there and well. */
async function untilAllWell(on: TruthSite, pages: ReadonlyMap<PageKind, Page>): Promise<void> {
  const endMs = Date.now() + WELL_WITHIN_MS
  for (;;) {
    const watched = await Promise.all([...pages.values()].map(takeWatched))
    const shown = watched.flatMap((item) => item.shown)
    const stateOf = (name: string) =>
      shown.findLast(({ row }) => row === name)?.state || 'not shown'
    const unwell = Object.values(ROWS).filter(
      (row) => !['Running', 'Online', on.chosenSource].includes(stateOf(row)),
    )
    if (unwell.length === 0) return
    if (Date.now() > endMs) {
      const states = unwell.map((row) => `${row}: ${stateOf(row)}`)
      throw new Error(`Not well at the start: ${states.join('; ')}.`)
    }
    await pause(500)
  }
}

async function makeEvents(on: TruthSite, wanted: number): Promise<Happened[]> {
  const random = randomFrom(seed)
  const happened: Happened[] = []
  await pause(5000)
  for (const [at, kind] of drawKinds(wanted, random).entries()) {
    happened.push(await happen(on, kind, at + 1, random))
    process.stderr.write(`${happened.at(-1)?.name}\n`)
  }
  return happened
}

interface Circumstances {
  startedAtMs: number
  happened: readonly Happened[]
  longestGapMs: number
}

function conclude(facts: readonly Fact[], shown: readonly Shown[], about: Circumstances): void {
  const { startedAtMs, happened, longestGapMs } = about
  const ours = new Set<string>(Object.values(ROWS))
  const judged = shown.filter((shown) => ours.has(shown.row) && shown.untilMs > startedAtMs)
  const { states, ages, figures } = compare(facts, judged)
  if (file !== undefined) writeFileSync(file, JSON.stringify({ facts, shown: judged, happened }))
  const sentences = (violations: readonly Violation[]) =>
    violations.map(({ row, shown: wrong, truth: right, atMs, ms }) => {
      const at = ((atMs - startedAtMs) / 1000).toFixed(1)
      const event = happened.findLast((done) => done.atMs <= atMs)?.name ?? 'start'
      return `${event}: at ${at} s ${row} showed "${wrong}"; true was "${right}"; ${ms} ms`
    })
  printFigure({
    bench: 'truth',
    rounds: happened.length,
    ours: {
      seed,
      events: happened.map((item) => ({
        name: item.name,
        atS: round((item.atMs - startedAtMs) / 1000),
        repairedAfterMs: item.repairedAtMs - item.atMs,
      })),
      rows: Object.values(ROWS).length,
      wrongStates: sentences(states),
      wrongAges: sentences(ages),
      contradictions: sentences(figures),
      // Of a machine that is too busy to draw its pages or to pass on datagrams these tell.
      loadBefore: round(load),
      loadAfter: round(loadavg()[0] ?? 0),
      samplerLongestGapMs: longestGapMs,
    },
    limit: { stateMs: LIMIT_MS, ageMs: 1000, allowances: ALLOWANCES },
    goals: [
      none('states wrong for longer than 2 s', states),
      none('ages wrong by more than 1 s', ages),
      none('figures that contradict a state', figures),
    ],
  })
}

function none(name: string, violations: readonly Violation[]): Goal {
  return { ...atMost(name, violations.length, 0, ''), want: '0' }
}
