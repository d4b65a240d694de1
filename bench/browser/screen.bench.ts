/**
 * Opening each page of the header at a site with 10,000 rows in each list, with nothing in the cache:
 * until the first real row is drawn, as it is and on a slow machine behind a slow line, beside a page of
 * React and a virtual list alone, in the same rounds. And what scripts each page loads.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser } from '@playwright/test'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { watchLoop } from '../kit/event-loop.ts'
import { atLeast, atMost, median, printFigure, round, type Goal } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { openBrowser } from '../kit/site.ts'
import { CONSOLE_PAGES } from './console-pages.ts'
import { openFloorSite } from './floor-site.ts'
import { desktopScore } from './lighthouse-score.ts'
import { openListSite } from './list-site-api.ts'
import { DESKTOP, loadPage, PLAIN, THROTTLED, type PageLoad } from './page-load.ts'
import { openSignedIn, type Session } from './signed-in.ts'

const ROWS = settingOf('ROWS', 10_000)
const ROUNDS = settingOf('ROUNDS', 3)
const PROFILES = { plain: PLAIN, throttled: THROTTLED, desktop: DESKTOP } as const
type ProfileName = keyof typeof PROFILES
const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]
const SCRIPT_KB = 300
const ASSETS = join(repositoryRoot(), 'packages/console/dist/assets')
/** The worker of the live stream, which every page loads, and which no page lists. */
const WORKER = readdirSync(ASSETS).filter((name) => /^live\.worker.*\.js$/.test(name))

type Loads = Record<ProfileName, PageLoad[]>

const browser = await openBrowser()
try {
  await using site = await openListSite(ROWS)
  await using floor = await openFloorSite()
  const loop = await watchLoop(site.api)
  const ofFloor: Loads = noLoads()
  const ofPages = CONSOLE_PAGES.map(({ name }) => ({ name, loads: noLoads() }))
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const profile of PROFILE_NAMES) {
      ofFloor[profile].push(await openCold(browser, floor.url, { useful: '[data-row]', profile }))
      for (const [at, { path, useful }] of CONSOLE_PAGES.entries()) {
        const load = await openCold(browser, `${site.url}${path}`, {
          useful,
          profile,
          session: site.session,
        })
        ofPages[at]?.loads[profile].push(load)
      }
    }
  }
  print(ofFloor, ofPages, floor.scriptGzipKb, await loop.goal())
} finally {
  await browser.close()
}

function noLoads(): Loads {
  return { plain: [], throttled: [], desktop: [] }
}

interface Opening {
  useful: string
  profile: ProfileName
  session?: Session
}

async function openCold(
  on: Browser,
  url: string,
  { useful, profile, session }: Opening,
): Promise<PageLoad> {
  const context = session === undefined ? await on.newContext() : await openSignedIn(on, session)
  try {
    return await loadPage(context, url, { useful, profile: PROFILES[profile] })
  } finally {
    await context.close()
  }
}

function of(
  loads: readonly PageLoad[],
  pick: Exclude<keyof PageLoad, 'scripts' | 'laterScripts'>,
): number {
  return median(loads.map((load) => load[pick]))
}

/** Compressed, in kB, by the name of each. */
function sizesOf(paths: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(paths.map((path) => basename(path)))]
      .map((name): [string, string] => [name, join(ASSETS, `${name}.gz`)])
      .filter(([, file]) => existsSync(file))
      .map(([name, file]): [string, number] => [name, round(statSync(file).size / 1000)])
      .toSorted(([, a], [, b]) => b - a),
  )
}

function print(
  ofFloor: Loads,
  ofPages: readonly { name: string; loads: Loads }[],
  floorScriptKb: number,
  loopGoal: Goal,
): void {
  const figures = (loads: Loads) => {
    const each = (profile: ProfileName) => ({
      usefulMs: round(of(loads[profile], 'usefulMs')),
      blockedMs: round(of(loads[profile], 'blockedMs')),
      interactiveMs: round(of(loads[profile], 'interactiveMs')),
    })
    return {
      plain: each('plain'),
      throttled: each('throttled'),
      desktop: {
        ...each('desktop'),
        score: round(median(loads.desktop.map((load) => desktopScore(load)))),
      },
    }
  }
  const pages = ofPages.map(({ name, loads }) => {
    const [load] = loads.plain
    const scripts = sizesOf([...(load?.scripts ?? []), ...WORKER])
    const scriptKb = round(Object.values(scripts).reduce((sum, kb) => sum + kb, 0))
    return {
      name,
      ...figures(loads),
      scriptKb,
      scripts,
      laterScripts: sizesOf(load?.laterScripts ?? []),
    }
  })
  const floor = figures(ofFloor)
  printFigure({
    bench: 'screen',
    rounds: ROUNDS,
    ours: { rows: ROWS, pages },
    limit: { ...floor, scriptKb: round(floorScriptKb) },
    goals: [
      ...pages.flatMap(({ name, plain, throttled, desktop, scriptKb }) => [
        atMost(`${name}: useful, to the floor`, plain.usefulMs / floor.plain.usefulMs, 2, 'x'),
        atMost(
          `${name}: useful when throttled, to the floor`,
          throttled.usefulMs / floor.throttled.usefulMs,
          2,
          'x',
        ),
        atMost(`${name}: scripts, gzip`, scriptKb, SCRIPT_KB, 'kB'),
        atLeast(`${name}: Lighthouse's desktop score`, desktop.score, 0.98, 'of 1'),
        atMost(`${name}: interactive on a desktop`, desktop.interactiveMs, 1000, 'ms'),
      ]),
      loopGoal,
    ],
  })
}
