/**
 * The wall left open: does it grow? `node bench/wall.bench.ts [minutes] [channels]` opens it with so
 * many live channels and the demo's encoder, prints one line a minute, and at the end the trend.
 * Short runs show that it works; a trend takes the hour.
 */
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { BareBrowser } from './kit/bare-browser.ts'
import { addBenchChannel } from './kit/bench-channel.ts'
import { printFigure, residentMegabytesOf, round } from './kit/figure.ts'
import { openBenchSite, PASSWORD, type BenchSite } from './kit/site.ts'
import { growthGoal, trendOf, type Trend } from './kit/trend.ts'

const MINUTE_MS = 60_000
/** Only ends what hangs: so many players start slowly on a busy machine. */
const PLAYING_WITHIN_MS = 180_000
/** A shift. */
const SHIFT_MINUTES = 480
/** Code is compiled, caches are filled and pictures buffered for the first time until then. */
const SETTLED_AFTER_MINUTES = 10
/**
 * V8 compiles a function for speed after its 400th and its 3000th call: of one that runs every ten
 * seconds after an hour and after a whole shift. Of two heaps ten minutes apart all that had grown
 * was such code, by 15 kB a minute, and nothing that the page holds. At a fiftieth of the usual
 * counts most of that is done in the ten minutes above. What V8 keeps beside the code, such as the
 * lists of what depends on a shape, still grows by some 5 kB a minute in an hour: look there first.
 */
const COMPILE_SOON = [
  '--no-lazy-feedback-allocation',
  '--invocation-count-for-maglev=8',
  '--invocation-count-for-turbofan=60',
  '--invocation-count-for-osr=10',
  '--minimum-invocations-after-ic-update=10',
]
/** Less than this over a shift is no growth. */
const MARGIN_PERCENT = 5

const minutes = Number(process.argv[2] ?? 60)
/** One channel is the demo's own; with its encoder they fill a first wall. */
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
await using browser = await BareBrowser.open(`${site.url}/login`, { engineFlags: COMPILE_SOON })
await signInBare()
await browser.page('Page.navigate', { url: `${site.url}/dashboard/wall` })
await untilPlaying(channels)
conclude(await watch(minutes))

async function signInBare(): Promise<void> {
  await untilTrue(async () => browser.evaluate(() => location.protocol.startsWith('http')))
  await browser.evaluate(
    async (email: string, password: string) => {
      const answer = await fetch('/api/users/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      const { user, token } = (await answer.json()) as { user: object; token: string }
      localStorage.setItem('user', JSON.stringify(user))
      localStorage.setItem('token', token)
    },
    'superadmin@trunkline.example',
    PASSWORD,
  )
}

async function untilPlaying(count: number): Promise<void> {
  await untilTrue(async () => (await framesOf()).filter((frames) => frames > 0).length >= count)
}

/** A page that is just being loaded cannot be asked anything: the answer is not yet. */
async function untilTrue(look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PLAYING_WITHIN_MS
  while (!(await look().catch(() => false))) {
    if (performance.now() > endMs) throw new Error('The wall does not play.')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** More streams from the same feed: each reads the demo input's own multicast. */
async function addChannels(on: BenchSite, count: number): Promise<void> {
  const { data } = await callApi(on.client, readInput, { params: { id: on.ids.inputId } })
  const url = `udp://${data.config.multicast}:${data.config.multicastPort}?adapter=127.0.0.1`
  for (let index = 1; index <= count; index += 1) {
    await addBenchChannel(on, `wall-${index}`, { title: `Wall ${index}`, inputs: [{ url }] })
  }
}

async function watch(forMinutes: number): Promise<Look[]> {
  await browser.page('Performance.enable')
  const looks: Look[] = []
  let before = await framesOf()
  for (let minute = 1; minute <= forMinutes; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS))
    const now = await framesOf()
    // A player that was made anew counts from 0.
    const frames = now.map((count, index) => Math.max(0, count - (before[index] ?? 0)))
    before = now
    const look = { minute, ...(await memoryOf()), frames, videos: now.length }
    looks.push(look)
    process.stdout.write(`${JSON.stringify({ bench: 'wall-minute', ...look })}\n`)
  }
  return looks
}

async function framesOf(): Promise<number[]> {
  return browser.evaluate(() =>
    [...document.querySelectorAll('video')].map(
      (video) => video.getVideoPlaybackQuality().totalVideoFrames,
    ),
  )
}

async function memoryOf() {
  await browser.page('HeapProfiler.collectGarbage')
  const { metrics } = await browser.page('Performance.getMetrics')
  const named = metrics as { name: string; value: number }[]
  const metric = (name: string) => named.find((item) => item.name === name)?.value ?? Number.NaN
  const pids = await browser.rendererPids()
  return {
    heapMegabytes: round(metric('JSHeapUsedSize') / 1e6),
    // Of all processes that draw pages; there is only this page.
    rendererMegabytes: round(pids.reduce((sum, pid) => sum + residentMegabytesOf(pid), 0)),
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
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
  const stood = looks.reduce(
    (sum, { frames }) => sum + frames.filter((frame) => frame === 0).length,
    0,
  )
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
