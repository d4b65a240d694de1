/** Encoder, input and channel program killed in turn: how long until the player's picture moves again. */
import type { Page } from '@playwright/test'
import { openBenchSite, openBrowser, signIn, supervisorPid, type BenchSite } from './kit/site.ts'
import { printFigure, processTree, round, type Goal } from './kit/figure.ts'

/** A stall shorter than this was never one: the player's buffer carried it. */
const STALL_MS = 1000
/** After a kill nobody waits longer than this; a player that needs more has not recovered. */
const GIVE_UP_MS = 60_000

/** Of the channel's programs all die at once: with one left, its input would stand in. */
const VICTIMS = {
  encoder: /^ffmpeg .*-f lavfi/,
  input: /^srt-live-transmit .*srt:\/\/.*mode=listener.*239\./,
  channel: /^ffmpeg .*-f hls/,
}

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  await openPlayer(page, site)
  const ours: Record<string, number> = {}
  for (const [name, pattern] of Object.entries(VICTIMS)) {
    ours[`${name}BlackMs`] = round(await longestStallAfterKill(page, pidsOf(pattern)))
  }
  printFigure({
    bench: 'recovery',
    rounds: 1,
    ours,
    // What plain hls.js did in the same three cases (dataplane trial): stuck for ever in two of them.
    limit: { plainHls: 'stuck after encoder, stuck after input, 18000 ms after channel' },
    goals: Object.entries(ours).map(([name, got]): Goal => {
      return { name, want: `moving again within ${GIVE_UP_MS} ms`, got, ok: got < GIVE_UP_MS }
    }),
  })
} finally {
  await browser.close()
}

async function openPlayer(page: Page, on: BenchSite): Promise<void> {
  await page.goto(`${on.url}/dashboard/channel`)
  await page.getByRole('row', { name: /Demo live/ }).click({ position: { x: 300, y: 8 } })
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
}

function pidsOf(pattern: RegExp): number[] {
  const found = processTree(supervisorPid(site.dataDir)).filter((running) =>
    pattern.test(running.command),
  )
  if (found.length === 0) throw new Error(`No process of the chain matches ${String(pattern)}.`)
  return found.map((item) => item.pid)
}

/**
 * Watches the frames from the kill on. Done when, after a stall, frames have come for 5 s, or when
 * none stalled for 30 s. Answers the longest gap between two frames.
 */
async function longestStallAfterKill(page: Page, pids: readonly number[]): Promise<number> {
  const watching = page.evaluate(watchFrames, { stallMs: STALL_MS, giveUpMs: GIVE_UP_MS })
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  return watching
}

/** Runs in the page. The player may replace its video element, so it is looked up each time. */
async function watchFrames(limits: { stallMs: number; giveUpMs: number }): Promise<number> {
  const startedAt = performance.now()
  let lastFrameAt = startedAt
  let longest = 0
  let lastTime = -1
  for (;;) {
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    const time = document.querySelector('video')?.currentTime ?? -1
    const gap = now - lastFrameAt
    longest = Math.max(longest, gap)
    if (time !== lastTime) {
      lastTime = time
      lastFrameAt = now
    }
    const calmFor = now - startedAt
    if (gap > limits.giveUpMs) return gap
    if (longest > limits.stallMs && gap < 500 && calmFor > longest + 10_000) return longest
    if (longest <= limits.stallMs && calmFor > 30_000) return longest
  }
}
