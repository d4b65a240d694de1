/**
 * The current source of a channel dies while its picture plays: how long the player shows nothing
 * new, and how long until the media server names the other source; then the source comes back.
 * Beside it a page with hls.js and nothing else on the same playlist.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import {
  addBenchChannel,
  openBarePlayer,
  openConsolePlayer,
  readStream,
} from './kit/bench-channel.ts'
import { nextFeedPort, openClockFeed, type ClockFeed } from './kit/clock-feed.ts'
import { startReading, takeShown, type PictureSource, type Shown } from './kit/clock-picture.ts'
import { openBenchSite, openBrowser, signIn } from './kit/site.ts'
import { atMost, printFigure, spread } from './kit/figure.ts'

const ROUNDS = 3
const LINK_LATENCY_MS = 300
const LIMIT_MS = 3000
const SEGMENT_MS = { '2s': 2000, '1s': 1000 } as const
type Length = keyof typeof SEGMENT_MS
/** A switch that takes longer than this did not happen. */
const GIVE_UP_MS = 60_000
/** So long a picture moves before and after: a player that stumbles over the switch does so by then. */
const CALM_MS = 12_000
const LOOK_MS = 20

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  const twoSecond = await measured(page, '2s')
  const oneSecond = await measured(page, '1s')
  printFigure({
    bench: 'standby',
    rounds: ROUNDS,
    ours: {
      linkLatencyMs: LINK_LATENCY_MS,
      '2s': figuresOf(twoSecond.ours),
      '1s': figuresOf(oneSecond.ours),
    },
    limit: { bareHlsPage: { '2s': figuresOf(twoSecond.bare), '1s': figuresOf(oneSecond.bare) } },
    goals: [goal('2s', twoSecond.ours), goal('1s', oneSecond.ours)],
  })
} finally {
  await browser.close()
}

function goal(length: Length, turns: readonly Turn[]) {
  const worstMs = Math.max(...turns.map((turn) => turn.toStandby.nothingNewMs))
  return atMost(`segments of ${length}, picture from the standby, slowest`, worstMs, LIMIT_MS, 'ms')
}

/** What one change of sources did, all counted from the moment of the kill or of the return. */
interface Change {
  /** The longest time in which the player showed no new picture. */
  nothingNewMs: number
  /** Until the media server named the other source. */
  currentMs: number
  /** Until the player showed the other source: it plays what it holds of the old one before. */
  shownMs: number
  /** How much of the day the picture leapt over; below zero it showed so much twice. */
  leapMs: number
}

interface Turn {
  toStandby: Change
  back: Change
}

function figuresOf(turns: readonly Turn[]) {
  const spreads = (changes: readonly Change[]) => ({
    nothingNewMs: spread(changes.map((item) => item.nothingNewMs)),
    currentMs: spread(changes.map((item) => item.currentMs)),
    shownMs: spread(changes.map((item) => item.shownMs)),
    leapMs: spread(changes.map((item) => item.leapMs)),
  })
  return {
    toStandby: spreads(turns.map((turn) => turn.toStandby)),
    back: spreads(turns.map((turn) => turn.back)),
  }
}

async function measured(page: Page, length: Length) {
  const name = `standby-${length}`
  const title = `Standby ${length}`
  const [port, otherPort] = [await nextFeedPort(), await nextFeedPort()]
  await using feed = await openClockFeed({ source: 0, port, latencyMs: LINK_LATENCY_MS })
  await using _other = await openClockFeed({
    source: 1,
    port: otherPort,
    latencyMs: LINK_LATENCY_MS,
  })
  await addBenchChannel(site, name, {
    title,
    inputs: [
      { url: `srt://:${port}?latency=${LINK_LATENCY_MS}`, priority: 1 },
      { url: `srt://:${otherPort}?latency=${LINK_LATENCY_MS}`, priority: 2 },
    ],
    segment_duration: SEGMENT_MS[length],
  })
  const ours: Turn[] = []
  await openConsolePlayer(page, site, title)
  await startReading(page)
  for (let turn = 0; turn < ROUNDS; turn += 1) ours.push(await measureTurn(page, name, feed))
  await openBarePlayer(page, site, name)
  await startReading(page)
  const bare = [await measureTurn(page, name, feed)]
  await page.goto('about:blank')
  return { ours, bare }
}

async function measureTurn(page: Page, name: string, feed: ClockFeed): Promise<Turn> {
  await untilCurrent(name, 0)
  await pause(CALM_MS)
  const toStandby = await change(page, name, 1, async () => feed.killSender())
  const back = await change(page, name, 0, async () => feed.startSender())
  return { toStandby, back }
}

async function change(page: Page, name: string, to: PictureSource, act: () => Promise<void>) {
  await takeShown(page)
  // One picture from before, so that a gap that begins at once is counted from there.
  await pause(1000)
  const actedAtMs = Date.now()
  await act()
  const currentAtMs = await untilCurrent(name, to)
  const shown = await untilShown(page, to)
  const at = shown.findIndex((shown) => shown.source === to)
  const [last, first] = [shown[at - 1], shown[at]]
  return {
    nothingNewMs: longestWithoutNewMs(shown, Date.now()),
    currentMs: currentAtMs - actedAtMs,
    shownMs: (first?.atMs ?? Number.NaN) - actedAtMs,
    leapMs: first && last ? madeAtMs(first) - madeAtMs(last) : Number.NaN,
  }
}

/** When the media server says that this input is the current source. */
async function untilCurrent(name: string, index: PictureSource): Promise<number> {
  const endMs = Date.now() + GIVE_UP_MS
  for (;;) {
    const { inputs } = await readStream(site, name)
    if (inputs[index]?.stats?.active === true) return Date.now()
    if (Date.now() > endMs) throw new Error(`Input ${index} of ${name} never became current.`)
    await pause(LOOK_MS)
  }
}

/** What the player showed until some seconds after it first showed this source. */
async function untilShown(page: Page, source: PictureSource): Promise<Shown[]> {
  const endMs = Date.now() + GIVE_UP_MS
  const all: Shown[] = []
  while (Date.now() < endMs) {
    await pause(LOOK_MS)
    all.push(...(await takeShown(page)))
    if (all.some((item) => item.source === source)) {
      await pause(CALM_MS)
      return [...all, ...(await takeShown(page))]
    }
  }
  throw new Error(`The player showed nothing of source ${source} within ${GIVE_UP_MS} ms.`)
}

/** When a picture was made, by the clock in it. */
function madeAtMs({ atMs, ageMs }: Shown): number {
  return atMs - (ageMs ?? 0)
}

/** A picture that was shown before, or that cannot be read, is not new. */
function longestWithoutNewMs(shown: readonly Shown[], untilMs: number): number {
  let [longest, lastNewAtMs] = [0, shown[0]?.atMs ?? 0]
  let newest: Shown | null = null
  for (const item of shown) {
    const isOther = newest === null || item.source !== newest.source
    const isNew = item.ageMs !== null && (isOther || madeAtMs(item) > madeAtMs(newest ?? item))
    if (!isNew) continue
    longest = Math.max(longest, item.atMs - lastNewAtMs)
    lastNewAtMs = item.atMs
    newest = item
  }
  return Math.max(longest, untilMs - lastNewAtMs)
}
