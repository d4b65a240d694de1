/** Where the console's hls.js stands on a live stream, with real segments in a real browser. */
import type { Page } from '@playwright/test'
import { openBarePlayer } from '../bare-player.steps.ts'
import type { Piece } from '../live-pieces.steps.ts'
import { expect, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const PIECE: Piece = {
  width: 320,
  height: 180,
  clockS: 100,
  soundHz: 48_000,
  profile: 'baseline',
}
/** Segments of 1 s: it settles 2.5 s behind the newest, and one more once it had to wait. */
const NEAR_S = 3.6

test('CHAN-29 a player that fell behind returns to the live edge by itself', async ({ page }) => {
  await using _live = await openBarePlayer(page, [PIECE, PIECE, PIECE, PIECE, PIECE, PIECE])
  await page.evaluate(playLive)
  await expect.poll(async () => (await placeOf(page)).shownS).toBeGreaterThan(0)
  // It leaps in the same turn in which it learns how far behind it is: only the leap itself is seen.
  await page.evaluate(pauseAndCountLeaps)
  await expect
    .poll(async () => page.evaluate(() => (window as unknown as PlayerPage).leaps))
    .toBeGreaterThan(0)
  await page.evaluate(async () => document.querySelector('video')?.play())
  await expect.poll(async () => (await placeOf(page)).behindS).toBeLessThan(NEAR_S)
})

interface Engine {
  attach: (video: HTMLVideoElement) => void
  secondsBehind: () => number | null
}
interface EngineEvents {
  onPlaylist: () => void
  onAnew: () => void
  onSegment: () => void
  onFailure: () => void
}
interface PlayerPage {
  /** What the page's script gives: hls.client.ts. */
  player: {
    createHlsEngine: (
      address: string,
      requestFor: (url: string) => { address: string; sessionToken: string },
      events: EngineEvents,
    ) => Engine
  }
  engine: Engine
  /** Since it was paused. */
  leaps: number
}

async function placeOf(page: Page) {
  return page.evaluate(() => {
    const { engine } = window as unknown as PlayerPage
    const shownS = document.querySelector('video')?.currentTime ?? 0
    return { shownS, behindS: engine.secondsBehind() ?? 0 }
  })
}

/** Runs in the page. */
function pauseAndCountLeaps(): void {
  const page = window as unknown as PlayerPage
  const video = document.querySelector('video')
  video?.pause()
  page.leaps = 0
  video?.addEventListener('seeking', () => (page.leaps += 1))
}

/** Runs in the page. */
function playLive(): void {
  const page = window as unknown as PlayerPage
  const video = document.querySelector('video')
  if (video === null) throw new Error('no video')
  page.engine = page.player.createHlsEngine(
    '/index.m3u8',
    (url) => ({ address: url, sessionToken: '' }),
    {
      onPlaylist: () => undefined,
      onAnew: () => undefined,
      onSegment: () => undefined,
      onFailure: () => undefined,
    },
  )
  page.engine.attach(video)
  void video.play()
}
