/** hls.js as the console sets it, on real segments in a real browser: no rebuild where pieces meet. */
import type { Page } from '@playwright/test'
import { openBarePlayer } from '../bare-player.steps.ts'
import type { Piece } from '../live-pieces.steps.ts'
// Not Playwright's own: a worker ends, with its site, where the next file has other fixtures.
import { expect, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const MAIN = {
  width: 320,
  height: 180,
  clockS: 40_000,
  soundHz: 48_000,
  profile: 'baseline',
} as const
const OTHER_SIZE = { ...MAIN, width: 640, height: 360, profile: 'high' } as const

/** What each source of a channel may differ in from the one before it; each piece has a size of its own. */
const changes: readonly [string, readonly Piece[]][] = [
  [
    'size, codec profile and clock',
    [MAIN, { ...OTHER_SIZE, clockS: 0 }, { ...MAIN, clockS: 40_060 }],
  ],
  ['the rate of the sound', [MAIN, { ...OTHER_SIZE, clockS: 7, soundHz: 44_100 }]],
  [
    'one without sound',
    [MAIN, { ...OTHER_SIZE, clockS: 900, soundHz: null }, { ...MAIN, clockS: 5 }],
  ],
  [
    'sound that comes later',
    [
      { ...MAIN, soundHz: null },
      { ...OTHER_SIZE, clockS: 900 },
    ],
  ],
]

test(`CHAN-33 the picture continues when sources differ: ${changes.map(([what]) => what).join('; ')}`, async ({
  context,
}) => {
  // Side by side: each takes as long as its stream lasts.
  await Promise.all(
    changes.map(async ([what, pieces]) => runsOn(await context.newPage(), what, pieces)),
  )
})

async function runsOn(page: Page, what: string, pieces: readonly Piece[]): Promise<void> {
  await using _live = await openBarePlayer(page, pieces)
  await page.evaluate(playLive)
  const wanted = pieces.map(({ width }) => width)
  await expect.poll(async () => (await seenOf(page)).widths, what).toEqual(wanted)
  // The last piece moves on, and does not stand at its first picture.
  await expect.poll(async () => (await seenOf(page)).secondsOfLast, what).toBeGreaterThan(2)
  expect((await seenOf(page)).failures, what).toEqual([])
}

interface Seen {
  /** Of each piece shown, in turn. */
  widths: number[]
  /** Of the stream, not of the clock: a slow machine shows fewer pictures of it. */
  secondsOfLast: number
  failures: unknown[]
}
interface EngineEvents {
  onPlaylist: () => void
  onAnew: () => void
  onSegment: () => void
  onFailure: (failure: unknown) => void
}
interface PlayerPage {
  /** What the page's script gives: hls.client.ts. */
  player: {
    createHlsEngine: (
      address: string,
      requestFor: (url: string) => { address: string; sessionToken: string },
      events: EngineEvents,
    ) => { attach: (video: HTMLVideoElement) => void }
  }
  seen: Seen
}

async function seenOf(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as PlayerPage).seen)
}

/** Runs in the page. */
function playLive(): void {
  const page = window as unknown as PlayerPage
  const video = document.querySelector('video')
  if (video === null) throw new Error('no video')
  const seen: Seen = { widths: [], secondsOfLast: 0, failures: [] }
  page.seen = seen
  const engine = page.player.createHlsEngine(
    '/index.m3u8',
    (url) => ({ address: url, sessionToken: '' }),
    {
      onPlaylist: () => undefined,
      onAnew: () => undefined,
      onSegment: () => undefined,
      onFailure: (failure) => seen.failures.push(failure),
    },
  )
  let beganS = 0
  const onFrame: VideoFrameRequestCallback = (_now, { width, mediaTime }) => {
    if (seen.widths.at(-1) !== width) {
      seen.widths.push(width)
      beganS = mediaTime
    }
    seen.secondsOfLast = mediaTime - beganS
    video.requestVideoFrameCallback(onFrame)
  }
  video.requestVideoFrameCallback(onFrame)
  engine.attach(video)
  void video.play()
}
