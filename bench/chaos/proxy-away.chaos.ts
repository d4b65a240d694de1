/**
 * The proxy with TLS before the console is killed, told to read its configuration again, halted, or finds no API,
 * while five people save, one of them in a browser: pages say that they have no connection and show the newest row
 * within ten seconds of its return, and no save is lost or carried out twice. Needs Debian's package nginx.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { updateGroup } from '@trunkline/contract/groups/group.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { openTcpDoor } from '@trunkline/testbed/tcp-door'
import { startNginx } from '../../tools/several-processes/nginx.ts'
import { openSignedIn, sessionAt } from '../browser/signed-in.ts'
import { atLeast, atMost, printFigure, processTree, round, spread } from '../kit/figure.ts'
import { EMAIL, PASSWORD } from '../kit/large-site.ts'
import { openBrowser } from '../kit/site.ts'
import { openApiSite } from './rig/api-site.ts'
import { groupsByPage } from './rig/page-kind.ts'
import { People } from './rig/people.ts'
import { roundsOf } from './rig/rounds.ts'

const FAULTS = ['killed', 'reloaded', 'halted', 'without the API'] as const
type Fault = (typeof FAULTS)[number]
const ROUNDS = roundsOf(20)
const PAGES = 2
const SAVING_MS = 500
/** A page may take a connection for broken after 12 s of silence. */
const SHOWN_WITHIN_MS = 15_000
/** After the page says so, or for a fault that nobody may notice. */
const AWAY_MS = 1500
const LOOK_MS = 50
const LIMIT_MS = 60_000
const NO_CONNECTION = /Live updates stopped|Data from/

await using life = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'trunkline-proxy-'))
life.defer(() => rmSync(folder, { recursive: true, force: true }))
const site = life.use(await openApiSite(1, { apiEnv: { TRUNKLINE_TRUSTED_PROXIES: '127.0.0.1' } }))
const door = life.use(await openTcpDoor({ port: site.first.process.port }))
const nginx = life.use(await startNginx(folder, await freeTcpPort(0), [door.port]))
// Whatever happens: a halted process takes no other signal.
life.defer(() => signalProxy('SIGCONT'))
// A page's own setting would not count for the worker that holds its live stream.
const browser = await openBrowser(['--ignore-certificate-errors'])
life.defer(async () => browser.close())
const session = await sessionAt(nginx.url, { email: EMAIL, password: PASSWORD })
const pages = await Promise.all(Array.from({ length: PAGES }, openPage))
const [firstPage] = pages
if (firstPage === undefined) throw new Error('There are pages.')
let groupId = ''
const people = await People.meet(site, { baseUrl: nginx.url, token: session.token }, (home) => {
  groupId = home.groupId
  return [groupsByPage(firstPage, session.token, home)]
})
let count = 0
await renameGroup()
await untilAllShow()

const end = new AbortController()
const saving = people.saveThrough(end.signal)
const found = new Map(
  FAULTS.map((fault) => [fault, { shownMs: [] as number[], backMs: [] as number[] }]),
)
let brokenByReload = 0
for (let at = 0; at < ROUNDS; at += 1) {
  const fault = FAULTS[at % FAULTS.length] ?? 'killed'
  const { shownMs, backMs } = found.get(fault) ?? { shownMs: [], backMs: [] }
  await pause(SAVING_MS)
  const brokenMs = performance.now()
  await cause(fault)
  if (fault === 'reloaded') {
    await pause(AWAY_MS)
    if ((await Promise.all(pages.map(saysNoConnection))).includes(true)) brokenByReload += 1
  } else {
    await Promise.all(pages.map(async (page) => untilPage(page, saysNoConnection)))
    shownMs.push(performance.now() - brokenMs)
    await pause(AWAY_MS)
  }
  await renameGroup()
  const repairedMs = performance.now()
  await repair(fault)
  await untilAllShow()
  backMs.push(performance.now() - repairedMs)
  const before = people.moment()
  while (people.moment().some((answered, who) => answered === before[who])) await pause(LOOK_MS)
}
end.abort()
await saving
await browser.close()
const { figures, goals } = await people.finish()
const all = [...found.values()]
printFigure({
  bench: 'proxy-away',
  rounds: ROUNDS,
  ours: {
    ...figures,
    found: Object.fromEntries(
      [...found].map(([fault, { shownMs, backMs }]) => [
        fault,
        { ...(shownMs.length > 0 && { shownMs: spread(shownMs) }), backMs: spread(backMs) },
      ]),
    ),
    longestSaveMs: round(Math.max(...people.tookMs)),
  },
  limit: {},
  goals: [
    ...goals,
    atLeast('saves without an answer', people.count('unknown'), 1, 'saves'),
    atMost(
      'pages say so',
      Math.max(...all.flatMap(({ shownMs }) => shownMs)),
      SHOWN_WITHIN_MS,
      'ms',
    ),
    atMost(
      'newest row after the repair',
      Math.max(...all.flatMap(({ backMs }) => backMs)),
      10_000,
      'ms',
    ),
    atMost('streams broken by a reload', brokenByReload, 0, 'reloads'),
  ],
})

async function cause(fault: Fault): Promise<void> {
  switch (fault) {
    case 'killed':
      return signalProxy('SIGKILL')
    case 'reloaded':
      process.kill(nginx.pid, 'SIGHUP')
      return
    case 'halted':
      return signalProxy('SIGSTOP')
    case 'without the API':
      await door.shut()
  }
}

async function repair(fault: Fault): Promise<void> {
  switch (fault) {
    case 'killed':
      return nginx.start()
    case 'reloaded':
      return
    case 'halted':
      return signalProxy('SIGCONT')
    case 'without the API':
      await door.reopen()
  }
}

/** Both of its processes: the one that does the work outlives the other. */
function signalProxy(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of processTree(nginx.pid)) process.kill(pid, signal)
}

async function openPage(): Promise<Page> {
  const context = await openSignedIn(browser, session)
  const page = await context.newPage()
  await page.goto(`${nginx.url}/dashboard/group`)
  await page.locator('[data-live]').first().waitFor()
  return page
}

/** Past the proxy: somebody else's change, of which a page hears by its stream. */
async function renameGroup(): Promise<void> {
  count += 1
  await callApi(site.first.client, updateGroup, {
    params: { id: groupId },
    body: { title: titleNow() },
  })
}

function titleNow(): string {
  return `Renamed ${count}`
}

async function untilAllShow(): Promise<void> {
  const title = titleNow()
  await Promise.all(
    pages.map(async (page) => untilPage(page, async (on) => (await textOf(on)).includes(title))),
  )
}

async function saysNoConnection(on: Page): Promise<boolean> {
  return NO_CONNECTION.test(await textOf(on))
}

async function textOf(on: Page): Promise<string> {
  return on.evaluate(() => document.body.innerText)
}

async function untilPage(on: Page, isSo: (page: Page) => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  while (!(await isSo(on))) {
    if (performance.now() > endMs) throw new Error(`The page shows: ${await textOf(on)}`)
    await pause(LOOK_MS)
  }
}
