/** From the click on the channel's row to the first frame shown, playlist live before the click. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PLAYER_DELAY_MS } from '@trunkline/contract/channels/channel.rules'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { openBenchSite, openBrowser, signIn, type BenchSite } from './site.ts'
import { atMost, median, printFigure, spread } from './figure.ts'

const ROUNDS = 5

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, site)
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await clickToFrame(page))
    bare.push(await bareHlsPage(page, site))
  }
  printFigure({
    bench: 'first-frame',
    rounds: ROUNDS,
    ours: { clickToFirstFrameMs: spread(ours), ofWhichSpecifiedDelayMs: PLAYER_DELAY_MS },
    limit: { bareHlsPageMs: spread(bare) },
    goals: [atMost('click to first frame', median(ours), 4000, 'ms')],
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
async function bareHlsPage(page: Page, on: BenchSite): Promise<number> {
  const playlist = `http://127.0.0.1:${on.plan.seats.channel.port}/demo/index.m3u8`
  const blank = await page.context().newPage()
  try {
    // Any page of the media server's own origin, without a policy that would forbid the script.
    await blank.goto(new URL('/none', playlist).href)
    await blank.addScriptTag({
      path: join(repositoryRoot(), 'node_modules/hls.js/dist/hls.light.min.js'),
    })
    return await blank.evaluate(playBare, playlist)
  } finally {
    await blank.close()
  }
}

interface BareHls {
  loadSource(address: string): void
  attachMedia(video: HTMLVideoElement): void
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
