/**
 * From the click on the channel's row to the first frame shown, playlist live before the click, beside a
 * page of hls.js alone in the same rounds; and beside the browser's own player where it has one.
 */
import type { Page } from '@playwright/test'
import { PLAYER_DELAY_MS } from '@trunkline/contract/channels/channel.rules'
import { DEMO_STREAM } from '@trunkline/testbed/demo-site'
import { openBarePage, playlistOf, type BareHls } from './kit/bench-channel.ts'
import { openBenchSite, openBrowser, signIn, type BenchSite } from './kit/site.ts'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, median, percentile, printFigure, round, spread } from './kit/figure.ts'
import { settingOf } from './kit/settings.ts'

const ROUNDS = settingOf('ROUNDS', 30)
/** On top of the specified delay. */
const LIMIT_MS = 1000
/** Beside hls.js alone: the dialog and the relay through the API may cost as much again, and half. */
const LIMIT_OF_BARE = 2.5

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, site)
  const ours: number[] = []
  const bare: number[] = []
  const native: number[] = []
  const loop = await watchLoop(site.api)
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    ours.push(await clickToFrame(page))
    bare.push(await bareHlsPage(page, site, playBare))
    native.push(await bareHlsPage(page, site, playNative))
  }
  const onTopMs = ours.map((clickToFirstFrameMs) => clickToFirstFrameMs - PLAYER_DELAY_MS)
  const timesBare = percentile(onTopMs, 95) / percentile(bare, 95)
  printFigure({
    bench: 'first-frame',
    rounds: ROUNDS,
    ours: {
      clickToFirstFrameMs: spread(ours),
      ofWhichSpecifiedDelayMs: PLAYER_DELAY_MS,
      onTopOfDelayMs: { ...spread(onTopMs), p95: round(percentile(onTopMs, 95)) },
      timesBareHlsPage: round(timesBare),
    },
    limit: {
      bareHlsPageMs: { ...spread(bare), p95: round(percentile(bare, 95)) },
      // The console plays by hls.js everywhere; NaN where the browser has no player of its own.
      nativePageMs: spread(native),
    },
    goals: [
      atMost('click to first frame, on top of the delay', median(onTopMs), LIMIT_MS, 'ms'),
      atMost('p95 of that, to the p95 of a bare page', timesBare, LIMIT_OF_BARE, 'x'),
      await loop.goal(),
    ],
  })
} finally {
  await browser.close()
}

async function clickToFrame(page: Page): Promise<number> {
  await page.goto(`${site.url}/dashboard/channel`)
  const row = page.getByRole('row', { name: /Demo live/ })
  await row.getByText('Online', { exact: true }).waitFor()
  await page.evaluate(armFrameWatch)
  await row.click({ position: { x: 300, y: 8 } })
  return page.evaluate(async () => (window as unknown as FrameWatch).firstFrameMs)
}

interface FrameWatch {
  firstFrameMs: Promise<number>
}

/** Counts from the next click anywhere to the first frame of the first video that appears. */
function armFrameWatch(): void {
  const { promise, resolve } = Promise.withResolvers<number>()
  ;(window as unknown as FrameWatch).firstFrameMs = promise
  const onClick = () => {
    const clickedAt = performance.now()
    const watch = new MutationObserver(() => {
      const video = document.querySelector('video')
      if (!video) return
      watch.disconnect()
      video.requestVideoFrameCallback((now) => resolve(now - clickedAt))
    })
    watch.observe(document.body, { childList: true, subtree: true })
  }
  document.addEventListener('click', onClick, { once: true, capture: true })
}

/** The floor: a page with hls.js and nothing else, on the media server's own address. */
async function bareHlsPage(
  page: Page,
  on: BenchSite,
  play: (address: string) => Promise<number>,
): Promise<number> {
  const blank = await page.context().newPage()
  try {
    await openBarePage(blank, on, DEMO_STREAM)
    return await blank.evaluate(play, playlistOf(on, DEMO_STREAM))
  } finally {
    await blank.close()
  }
}

/** Runs in the page: hls.js as its own documentation starts it, counted from the first call to it. */
async function playBare(address: string): Promise<number> {
  const { Hls } = window as unknown as { Hls: new () => BareHls }
  const video = document.createElement('video')
  video.muted = true
  video.autoplay = true
  document.body.append(video)
  const { promise, resolve } = Promise.withResolvers<number>()
  const startedAt = performance.now()
  video.requestVideoFrameCallback((now) => resolve(now - startedAt))
  const hls = new Hls()
  hls.loadSource(address)
  hls.attachMedia(video)
  return promise
}

/** Runs in the page: the browser's own player. */
async function playNative(address: string): Promise<number> {
  const video = document.createElement('video')
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') return Number.NaN
  video.muted = true
  video.autoplay = true
  document.body.append(video)
  const { promise, resolve } = Promise.withResolvers<number>()
  const startedAt = performance.now()
  video.requestVideoFrameCallback((now) => resolve(now - startedAt))
  video.addEventListener('error', () => resolve(Number.NaN))
  video.src = address
  return promise
}
