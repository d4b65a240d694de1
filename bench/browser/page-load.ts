/** How a page loads: when it is useful, what blocked it, and how it looked meanwhile. */
import type { BrowserContext, Page } from '@playwright/test'

export interface Profile {
  /** Times slower than this machine. */
  cpu: number
  /** null: loopback as it is. */
  network: { latencyMs: number; mbps: number } | null
}

export const PLAIN: Profile = { cpu: 1, network: null }
export const THROTTLED: Profile = { cpu: 4, network: { latencyMs: 40, mbps: 10 } }
/** Lighthouse's desktop: the same line, the CPU as it is. */
export const DESKTOP: Profile = { cpu: 1, network: { latencyMs: 40, mbps: 10 } }

export interface PageLoad {
  usefulMs: number
  firstPaintMs: number
  largestPaintMs: number
  layoutShift: number
  /** Of tasks longer than 50 ms, what is beyond those. */
  blockedMs: number
  interactiveMs: number
  /** By path; asked for before the page was useful. */
  scripts: string[]
  /** The same, asked for since. */
  laterScripts: string[]
}

/** Nothing long for this time: the page has come to rest. Lighthouse waits for 5 s. */
const REST_MS = 2000
const USEFUL_WITHIN_MS = 60_000

/** Loads `url` in a new page until an element that `useful` selects is drawn, and until it rests. */
export async function loadPage(
  context: BrowserContext,
  url: string,
  { useful, profile }: { useful: string; profile: Profile },
): Promise<PageLoad> {
  const page = await context.newPage()
  try {
    await throttle(page, profile)
    await page.addInitScript(watchLoad, useful)
    await page.goto(url)
    await page.waitForFunction(isUseful, null, { timeout: USEFUL_WITHIN_MS })
    await page.waitForFunction(isAtRest, REST_MS, { timeout: USEFUL_WITHIN_MS })
    return await page.evaluate(readLoad)
  } finally {
    await page.close()
  }
}

async function throttle(page: Page, { cpu, network }: Profile): Promise<void> {
  const session = await page.context().newCDPSession(page)
  if (cpu > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (network === null) return
  const bytesPerSecond = (network.mbps * 1e6) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

interface WatchedLoad {
  usefulMs: number
  firstPaintMs: number
  largestPaintMs: number
  layoutShift: number
  longTasks: { startMs: number; endMs: number }[]
}

type Watching = typeof window & { load: WatchedLoad }

/** Runs in the page, before its own scripts. */
function watchLoad(useful: string): void {
  const load: WatchedLoad = {
    usefulMs: 0,
    firstPaintMs: 0,
    largestPaintMs: 0,
    layoutShift: 0,
    longTasks: [],
  }
  ;(window as Watching).load = load
  const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
    })
  observe('longtask', ({ startTime, duration }) => {
    load.longTasks.push({ startMs: startTime, endMs: startTime + duration })
  })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') load.firstPaintMs = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => (load.largestPaintMs = startTime))
  observe('layout-shift', (entry) => {
    load.layoutShift += (entry as PerformanceEntry & { value: number }).value
  })
  const look = () => {
    if (document.querySelector(useful) === null) requestAnimationFrame(look)
    else load.usefulMs = performance.now()
  }
  requestAnimationFrame(look)
}

function isUseful(): boolean {
  return (window as Watching).load.usefulMs > 0
}

function isAtRest(restMs: number): boolean {
  const { usefulMs, longTasks } = (window as Watching).load
  return performance.now() - Math.max(usefulMs, longTasks.at(-1)?.endMs ?? 0) > restMs
}

function readLoad(): PageLoad {
  const { load } = window as Watching
  const LONG_MS = 50
  const blocked = load.longTasks
    .filter(({ startMs }) => startMs >= load.firstPaintMs)
    .map(({ startMs, endMs }) => endMs - startMs - LONG_MS)
  const isBefore = ({ startTime }: PerformanceEntry) => startTime <= load.usefulMs
  const all = performance.getEntriesByType('resource')
  const scriptsOf = (entries: readonly PerformanceEntry[]) =>
    entries.map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))
  return {
    usefulMs: load.usefulMs,
    firstPaintMs: load.firstPaintMs,
    largestPaintMs: load.largestPaintMs,
    layoutShift: load.layoutShift,
    blockedMs: blocked.reduce((sum, ms) => sum + ms, 0),
    interactiveMs: Math.max(load.firstPaintMs, load.longTasks.at(-1)?.endMs ?? 0),
    scripts: scriptsOf(all.filter(isBefore)),
    laterScripts: scriptsOf(all.filter((entry) => !isBefore(entry))),
  }
}
