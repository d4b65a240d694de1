/**
 * The wall left open: does it grow? `node bench/wall.bench.ts [minutes] [channels]` opens it with so
 * many live channels and the demo's encoder, prints one line a minute, and at the end the trend.
 * Short runs show that it works; a trend takes the hour.
 */
import type { Browser, CDPSession, Page } from '@playwright/test'
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { addBenchChannel } from './bench-channel.ts'
import { printFigure, residentMegabytesOf, round } from './figure.ts'
import { openBenchSite, openBrowser, signIn, type BenchSite } from './site.ts'
import { growthGoal, trendOf, type Trend } from './trend.ts'

const MINUTE_MS = 60_000
/** Only ends what hangs: so many players start slowly on a busy machine. */
const PLAYING_WITHIN_MS = 180_000
/** A shift. */
const SHIFT_MINUTES = 480
/** Code is compiled, caches are filled and pictures buffered for the first time until then. */
const SETTLED_AFTER_MINUTES = 10
/** Less than this over a shift is no growth. */
const MARGIN_PERCENT = 5

const minutes = Number(process.argv[2] ?? 60)
/** One is the demo's own; with its encoder they fill a first wall. */
const channels = Math.min(8, Number(process.argv[3] ?? 8))

interface Look {
  minute: number
  heapMegabytes: number
  rendererMegabytes: number
  nodes: number
  listeners: number
  /** Of each tile with a player, since the line before. */
  frames: number[]
  /** Tiles of channels. */
  videos: number
}

await using site = await openBenchSite()
await site.picture()
await addChannels(site, channels - 1)
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  await page.goto(`${site.url}/dashboard/wall`)
  await page.waitForFunction(arePlaying, channels, { timeout: PLAYING_WITHIN_MS })
  const looks = await watch(page, minutes)
  conclude(looks)
} finally {
  await browser.close()
}

/** More streams from the same feed: each reads the demo input's own multicast. */
async function addChannels(on: BenchSite, count: number): Promise<void> {
  const { data } = await callApi(on.client, readInput, { params: { id: on.ids.inputId } })
  const url = `udp://${data.config.multicast}:${data.config.multicastPort}?adapter=127.0.0.1`
  for (let index = 1; index <= count; index += 1) {
    await addBenchChannel(on, `wall-${index}`, { title: `Wall ${index}`, inputs: [{ url }] })
  }
}

function arePlaying(count: number): boolean {
  const videos = [...document.querySelectorAll('video')]
  return videos.filter((video) => video.currentTime > 0).length >= count
}

async function watch(on: Page, forMinutes: number): Promise<Look[]> {
  const session = await on.context().newCDPSession(on)
  await session.send('Performance.enable')
  const looks: Look[] = []
  let before = await framesOf(on)
  for (let minute = 1; minute <= forMinutes; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS))
    const now = await framesOf(on)
    // A player that was made anew counts from 0.
    const frames = now.map((count, index) => Math.max(0, count - (before[index] ?? 0)))
    before = now
    const look = { minute, ...(await memoryOf(session, on)), frames, videos: now.length }
    looks.push(look)
    process.stdout.write(`${JSON.stringify({ bench: 'wall-minute', ...look })}\n`)
  }
  return looks
}

async function framesOf(on: Page): Promise<number[]> {
  return on.evaluate(() =>
    [...document.querySelectorAll('video')].map(
      (video) => video.getVideoPlaybackQuality().totalVideoFrames,
    ),
  )
}

async function memoryOf(session: CDPSession, on: Page) {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return {
    heapMegabytes: round(metric('JSHeapUsedSize') / 1e6),
    rendererMegabytes: round(await rendererMegabytes(on.context().browser())),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  }
}

/** Of all processes that draw pages; there is only this page. */
async function rendererMegabytes(of: Browser | null): Promise<number> {
  if (of === null) return Number.NaN
  const session = await of.newBrowserCDPSession()
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo
      .filter(({ type }) => type === 'renderer')
      .reduce((sum, { id }) => sum + residentMegabytesOf(id), 0)
  } finally {
    await session.detach()
  }
}

function conclude(looks: readonly Look[]): void {
  const settled = looks.filter(({ minute }) => minute > settledAfter(looks.length))
  const of = (read: (look: Look) => number) =>
    trendOf(settled.map((look) => ({ atMinutes: look.minute, value: read(look) })))
  const trends: Record<string, Trend> = {
    heapMegabytes: of((look) => look.heapMegabytes),
    rendererMegabytes: of((look) => look.rendererMegabytes),
    nodes: of((look) => look.nodes),
    listeners: of((look) => look.listeners),
  }
  const stood = looks.reduce((sum, { frames }) => sum + frames.filter((one) => one === 0).length, 0)
  printFigure({
    bench: 'wall',
    rounds: looks.length,
    ours: { channels, encoders: 1, ...trends, tileMinutesWithoutPicture: stood },
    limit: { shiftMinutes: SHIFT_MINUTES, marginPercent: MARGIN_PERCENT },
    goals: [
      ...Object.entries(trends).map(([name, trend]) =>
        growthGoal(name, trend, SHIFT_MINUTES, MARGIN_PERCENT),
      ),
      { name: 'tiles that stood for a minute', want: '0', got: stood, ok: stood === 0 },
    ],
  })
}

/** A trial of a few minutes has no settled part to speak of; it leaves out its first third. */
function settledAfter(count: number): number {
  return Math.min(SETTLED_AFTER_MINUTES, Math.floor(count / 3))
}
