/**
 * From the clock in the picture to the player on the screen: an encoder of the bench's own, a real
 * SRT link, our channel server, and the console's player in Chromium; beside it a page with hls.js
 * and nothing else on the same playlist.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import {
  addBenchChannel,
  openBarePlayer,
  openConsolePlayer,
  segmentSeconds,
} from './kit/bench-channel.ts'
import { nextFeedPort, openClockFeed } from './kit/clock-feed.ts'
import { PICTURES_A_SECOND, startReading, takeShown, type Shown } from './kit/clock-picture.ts'
import { openBenchSite, openBrowser, signIn } from './kit/site.ts'
import { atMost, percentile, printFigure, round, spread } from './kit/figure.ts'

const LINK_LATENCY_MS = 300
/** Where a player stands depends on when within a segment it was opened: so it is opened anew. */
const ROUNDS = 3
/** A player that has just begun still corrects where it stands. */
const SETTLE_SECONDS = 5
const WINDOW_SECONDS = 10
/** The most that may lie between clock and player, the link's own latency aside. */
const LIMITS_MS = { '2s': 8000, '1s': 4000 } as const
type Length = keyof typeof LIMITS_MS
const SEGMENT_MS: Record<Length, number> = { '2s': 2000, '1s': 1000 }

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  const [twoSecond, oneSecond] = [await measured(page, '2s'), await measured(page, '1s')]
  printFigure({
    bench: 'glass',
    rounds: ROUNDS,
    ours: { linkLatencyMs: LINK_LATENCY_MS, '2s': twoSecond.ours, '1s': oneSecond.ours },
    limit: { bareHlsPage: { '2s': twoSecond.bare, '1s': oneSecond.bare } },
    goals: [goal('2s', twoSecond.ours), goal('1s', oneSecond.ours)],
  })
} finally {
  await browser.close()
}

function goal(length: Length, { latencyMs }: Figures) {
  const onTopMs = latencyMs.p95 - LINK_LATENCY_MS
  return atMost(`segments of ${length}, on top of the link, p95`, onTopMs, LIMITS_MS[length], 'ms')
}

async function measured(page: Page, length: Length) {
  const name = `glass-${length}`
  const port = await nextFeedPort()
  await using _feed = await openClockFeed({ source: 0, port, latencyMs: LINK_LATENCY_MS })
  await addBenchChannel(site, name, {
    title: `Glass ${length}`,
    inputs: [{ url: `srt://:${port}?latency=${LINK_LATENCY_MS}` }],
    segment_duration: SEGMENT_MS[length],
  })
  const ours: Shown[][] = []
  const bare: Shown[][] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    await openConsolePlayer(page, site, `Glass ${length}`)
    ours.push(await watched(page))
    await openBarePlayer(page, site, name)
    bare.push(await watched(page))
  }
  const segments = spread(await segmentSeconds(site, name))
  await page.goto('about:blank')
  return { ours: { ...figuresOf(ours), segmentSeconds: segments }, bare: figuresOf(bare) }
}

async function watched(page: Page): Promise<Shown[]> {
  await startReading(page)
  await pause(SETTLE_SECONDS * 1000)
  await takeShown(page)
  await pause(WINDOW_SECONDS * 1000)
  return takeShown(page)
}

type Figures = ReturnType<typeof figuresOf>

function figuresOf(rounds: readonly Shown[][]) {
  const ages = rounds.map((shown) => shown.flatMap((shown) => shown.ageMs ?? []))
  const all = ages.flat()
  const count = rounds.flat().length
  return {
    latencyMs: {
      p50: percentile(all, 50),
      p95: percentile(all, 95),
      least: Math.min(...all),
      most: Math.max(...all),
    },
    eachRoundP50Ms: ages.map((age) => percentile(age, 50)),
    shownOfMadePictures: round(count / (rounds.length * WINDOW_SECONDS * PICTURES_A_SECOND)),
    unreadPictures: count - all.length,
    longestGapMs: Math.max(...rounds.map(longestGapMs)),
  }
}

/** Between two pictures that were shown. */
function longestGapMs(shown: readonly Shown[]): number {
  const gaps = shown.slice(1).map((item, at) => item.atMs - (shown[at]?.atMs ?? item.atMs))
  return Math.max(...gaps)
}
