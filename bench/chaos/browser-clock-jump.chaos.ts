/**
 * F11: the clock of a browser jumps an hour ahead or back, and back again: within seconds its page shows the right
 * uptimes of all links again, and goes on showing them as running, live and not as old.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openSignedIn, sessionAt } from '../browser/signed-in.ts'
import { atLeast, atMost, printFigure, round, spread } from '../kit/figure.ts'
import { EMAIL, PASSWORD } from '../kit/large-site.ts'
import { openBrowser } from '../kit/site.ts'
import { MediaRig, NOTHING } from './rig/media-rig.ts'
import { roundsOf } from './rig/rounds.ts'
import { readUptimes, UPTIME_MS } from './rig/uptimes.ts'

const JUMPS_MS = [3_600_000, -3_600_000]
const ROUNDS = roundsOf(20)
/** The API says every 2 s what time it is. */
const TRUE_WITHIN_MS = 3000
/** After each jump. */
const WATCHED_MS = 8000
const LOOK_MS = 100
const LIMIT_MS = 60_000

await using life = new AsyncDisposableStack()
const rig = life.use(await MediaRig.open())
const { client } = rig.site
const browser = await openBrowser()
life.defer(async () => browser.close())
const session = await sessionAt(client.baseUrl, { email: EMAIL, password: PASSWORD })
const context = await openSignedIn(browser, session)
await context.addInitScript(installClock)
const page = await context.newPage()
await page.goto(`${client.baseUrl}/dashboard/contribution`)
await untilTrue()
const wrongForMs: number[] = []
const rows: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await rig.round(NOTHING, async () => {
    for (const jumpMs of [JUMPS_MS[at % JUMPS_MS.length] ?? 0, 0]) {
      await page.evaluate((ms) => (window as unknown as FalseClock).jumpClock(ms), jumpMs)
      wrongForMs.push(await lastWrongMs())
    }
  })
}
await browser.close()
const { figures, goals } = await rig.finish()
printFigure({
  bench: 'browser-clock-jump',
  rounds: ROUNDS,
  ours: { ...figures, looks: rows.length, rowsSeen: spread(rows), wrongForMs: spread(wrongForMs) },
  limit: {},
  goals: [
    ...goals,
    atLeast('links on the page', Math.min(...rows), 1, 'links'),
    atMost('wrong for at most', Math.max(...wrongForMs), TRUE_WITHIN_MS, 'ms'),
  ],
})

interface FalseClock {
  jumpClock: (ms: number) => void
}

/** In the page: its wall clock alone, as timers and performance.now() do not follow it. */
function installClock(): void {
  const RealDate = Date
  let offsetMs = 0
  const now = () => RealDate.now() + offsetMs
  class JumpingDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(now())
      else super(...(given as [number]))
    }

    static override now(): number {
      return now()
    }
  }
  window.Date = JumpingDate as DateConstructor
  Object.assign(window, { jumpClock: (ms: number) => (offsetMs = ms) })
}

async function untilTrue(): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  for (;;) {
    const { wrong, count } = await look()
    if (count > 0 && wrong.length === 0) return
    if (performance.now() > endMs) throw new Error(`The page shows: ${wrong.join('; ')}`)
    await pause(LOOK_MS)
  }
}

/** How long after now something wrong was shown last, in milliseconds; 0: nothing was. */
async function lastWrongMs(): Promise<number> {
  const startedMs = performance.now()
  let lastMs = 0
  for (;;) {
    const { wrong, count } = await look()
    const atMs = performance.now() - startedMs
    rows.push(count)
    if (wrong.length > 0) lastMs = round(atMs)
    if (atMs > WATCHED_MS) return lastMs
    await pause(LOOK_MS)
  }
}

/** The rows of running links, and what of them is not true: against the API, which has its own clock. */
async function look(): Promise<{ wrong: string[]; count: number }> {
  const before = await readUptimes(client)
  const beforeMs = performance.now()
  const { isLive, shown } = await page.evaluate(() => ({
    isLive: document.querySelector('[data-live]') !== null,
    shown: [...document.querySelectorAll('tbody tr')].flatMap((row) => {
      const title = row.querySelector('th span[title]')?.textContent ?? ''
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')
      const uptime = cells.find((text) => /^(\d+:)?\d+:\d\d$/.test(text))
      return uptime === undefined ? [] : [{ title, uptime }]
    }),
  }))
  const tookMs = performance.now() - beforeMs
  const known = [...before.values()]
  const wrong = shown
    .filter(({ uptime }) => {
      const shownMs = millisecondsOf(uptime)
      return !known.some((ms) => shownMs > ms - UPTIME_MS && shownMs < ms + tookMs + UPTIME_MS)
    })
    .map(({ title, uptime }) => `${title}: ${uptime}`)
  if (!isLive) wrong.push('not live')
  return { wrong, count: shown.length }
}

function millisecondsOf(uptime: string): number {
  return uptime.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
}
