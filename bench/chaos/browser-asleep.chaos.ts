/**
 * F21: a browser sleeps while others save a hundred times: its processes are halted, as by a laptop that is
 * closed, its network is gone, or both. Awake again it shows the newest row within a second and asks for no
 * more than ten things; without a network it says so. 30 sleeps take twelve minutes. `CHAOS_ASLEEP_SECONDS=340`: of
 * another length.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { updateGroup } from '@trunkline/contract/groups/group.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { openSignedIn, sessionAt } from '../browser/signed-in.ts'
import { atMost, percentile, printFigure, processTree, round, spread } from '../kit/figure.ts'
import { EMAIL, PASSWORD } from '../kit/large-site.ts'
import { numberOf } from '../kit/settings.ts'
import { openBrowser } from '../kit/site.ts'
import { openApiSite } from './rig/api-site.ts'
import { openHttpDoor } from './rig/http-door.ts'
import { roundsOf } from './rig/rounds.ts'
import { addHome } from './rig/writers.ts'

const ROUNDS = roundsOf(10)
const SAVES = 100
/** Longer than a connection may be silent before the console takes it for broken. */
const ASLEEP_MS = numberOf('CHAOS_ASLEEP_SECONDS', 15) * 1000
/** After the newest row is shown: what is asked for because of the sleep was asked for by then. */
const CALM_MS = 3000
const LOOK_MS = 20
const LIMIT_MS = 60_000

const SLEEPS = ['halted', 'offline', 'halted and offline'] as const
type Sleep = (typeof SLEEPS)[number]

await using site = await openApiSite(1)
const { client } = site.first
const { groupId } = await addHome(client)
await using door = await openHttpDoor(site.first.process.port)
const browser = await openBrowser()
await using life = new AsyncDisposableStack()
life.defer(async () => browser.close())
const browserPid = await pidOfBrowser()
// Whatever happens: a halted browser cannot be closed.
life.defer(() => signalBrowser('SIGCONT'))
const session = await sessionAt(door.url, { email: EMAIL, password: PASSWORD })
const context = await openSignedIn(browser, session)
const page = await context.newPage()
const devtools = await context.newCDPSession(page)
await devtools.send('Network.enable')
let count = 0
const titleNow = () => `Renamed ${count}`
await rename()
await page.goto(`${door.url}/dashboard/group`)
await untilShown(page, titleNow())
const found = new Map(
  SLEEPS.map((how) => [how, { shownMs: [] as number[], asked: [] as number[] }]),
)
const requests: Record<string, string[]> = {}
let quietlyStale = 0
for (let at = 0; at < ROUNDS * SLEEPS.length; at += 1) {
  const how = SLEEPS[at % SLEEPS.length] ?? 'halted'
  await fallAsleep(devtools, how)
  const fellAsleepMs = performance.now()
  for (let saves = 0; saves < SAVES; saves += 1) await rename()
  await pause(Math.max(0, ASLEEP_MS - (performance.now() - fellAsleepMs)))
  if (how === 'offline' && !(await isMarkedStale(page))) quietlyStale += 1
  const askedBefore = door.requests.length
  const awakeMs = performance.now()
  await wakeUp(devtools, how)
  await untilShown(page, titleNow())
  const figures = found.get(how)
  figures?.shownMs.push(performance.now() - awakeMs)
  await pause(CALM_MS)
  const asked = door.requests.slice(askedBefore)
  figures?.asked.push(asked.length)
  requests[how] = asked
}
const shownMs = [...found.values()].flatMap((figures) => figures.shownMs)
const asked = [...found.values()].flatMap((figures) => figures.asked)
printFigure({
  bench: 'browser-asleep',
  rounds: ROUNDS * SLEEPS.length,
  ours: {
    saves: SAVES,
    asleepSeconds: ASLEEP_MS / 1000,
    found: Object.fromEntries(
      [...found].map(([how, figures]) => [
        how,
        { shownMs: spread(figures.shownMs), requests: spread(figures.asked) },
      ]),
    ),
    shownMs: { ...spread(shownMs), p95: round(percentile(shownMs, 95)) },
    requestsOfTheLast: requests,
  },
  limit: {},
  goals: [
    atMost('newest row shown after waking', Math.max(...shownMs), 1000, 'ms'),
    atMost('requests after waking', Math.max(...asked), 10, 'requests'),
    atMost('pages without a network that did not say so', quietlyStale, 0, 'pages'),
  ],
})

async function rename(): Promise<void> {
  count += 1
  await callApi(client, updateGroup, { params: { id: groupId }, body: { title: titleNow() } })
}

/** The network of the page's workers is not the page's: for them the door is shut. */
async function fallAsleep(to: CDPSession, how: Sleep): Promise<void> {
  if (how !== 'halted') {
    await setOffline(to, true)
    door.shut()
  }
  // A headless browser shows its page always, so Page.setWebLifecycleState freezes nothing in it.
  if (how !== 'offline') signalBrowser('SIGSTOP')
}

async function wakeUp(to: CDPSession, how: Sleep): Promise<void> {
  if (how !== 'halted') door.open()
  if (how !== 'offline') signalBrowser('SIGCONT')
  if (how !== 'halted') await setOffline(to, false)
}

/** All of its processes at once. */
function signalBrowser(signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of processTree(browserPid)) process.kill(pid, signal)
}

async function pidOfBrowser(): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const main = processInfo.find(({ type }) => type === 'browser')
  if (main === undefined) throw new Error('A browser has a process.')
  return main.id
}

async function setOffline(to: CDPSession, offline: boolean): Promise<void> {
  const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
  await to.send('Network.emulateNetworkConditions', { offline, ...unlimited })
}

async function untilShown(on: Page, title: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  while (!(await textOf(on)).includes(title)) {
    if (performance.now() > endMs) throw new Error(`The browser does not show '${title}'.`)
    await pause(LOOK_MS)
  }
}

async function isMarkedStale(on: Page): Promise<boolean> {
  return /Live updates stopped|Data from/.test(await textOf(on))
}

async function textOf(on: Page): Promise<string> {
  return on.evaluate(() => document.body.innerText)
}
