/**
 * T13: texts that are markup or script, in every stored text of a site, and each screen opened in
 * Chromium. No dialog opens, none of them runs, none is stopped only by the page's policy.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContext } from '@playwright/test'
import { login } from '@trunkline/contract/session/session.calls'
import { expect, test } from 'vitest'
import { inject } from '@trunkline/api/testing/inject'
import { TEST_PASSWORD } from '@trunkline/api/testing/people'
import { openWalkSite, type WalkSite } from '@trunkline/api/testing/role-walk/site'
import playwrightConfig from '../../e2e/playwright.config.ts'
import { openSignedIn, type Session } from '../browser/signed-in.ts'
import { atLeast, atMost, type Goal } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

/** In each round every text is another of them. */
const ROUNDS = settingOf('ROUNDS', 20)
const CONSOLE_DIR = fileURLToPath(new URL('../../packages/console/dist', import.meta.url))
/** Of the payloads so many must work where text becomes markup, or the proof shows nothing. */
const LEAST_WORKING = 10

test('no stored text is carried out by a screen', async () => {
  await using stack = new AsyncDisposableStack()
  const canary = await openCanary(stack)
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions ?? {})
  stack.defer(async () => browser.close())
  const payloads = payloadsFor(canary.port)
  const working = await workingIn(browser, payloads)
  const seen: Seen = { pages: 0, violations: new Set() }
  for (let round = 0; round < ROUNDS; round += 1) await openScreens(browser, payloads, round, seen)
  if (canary.connections > 0) seen.violations.add(`${canary.connections} calls to another address`)
  expect(missedOf(payloads.length, working, seen)).toEqual([])
})

function missedOf(payloads: number, working: number, { pages, violations }: Seen): Goal[] {
  return printProof('screens', {
    ours: { payloads, workingInMarkup: working, texts: TEXTS.length, pagesOpened: pages },
    faults: [...violations],
    goals: [
      atMost('dialogs, scripts run and reports of the policy', violations.size, 0, 'cases'),
      atLeast('payloads that work in markup', working, LEAST_WORKING, 'payloads'),
    ],
  })
}

interface Seen {
  pages: number
  violations: Set<string>
}

async function openCanary(stack: AsyncDisposableStack) {
  const canary = { port: 0, connections: 0 }
  const server = createServer((socket) => {
    canary.connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  canary.port = (server.address() as AddressInfo).port
  stack.defer(async () => {
    server.close()
    await once(server, 'close')
  })
  return canary
}

/** 8 x 25. Each sets a mark that the page can be asked for. */
function payloadsFor(port: number): string[] {
  const mark = 'window.carriedOut=1'
  const wraps: ((text: string) => string)[] = [
    (text) => text,
    (text) => `Camera ${text}`,
    (text) => `">${text}`,
    (text) => `'>${text}`,
    (text) => `</script>${text}`,
    (text) => `</title></style></textarea>${text}`,
    (text) => `\u202e${text}`,
    (text) => `]]>--!>${text}`,
  ]
  const texts = [
    `<img src=x onerror=${mark}>`,
    `<svg onload=${mark}>`,
    `<script>${mark}</script>`,
    `<script src=http://127.0.0.1:${port}/a.js></script>`,
    `<img src=http://127.0.0.1:${port}/a.png>`,
    `<iframe srcdoc="<script>parent.${mark.slice(7)}</script>">`,
    `<iframe src="javascript:parent.carriedOut=1">`,
    `<details open ontoggle=${mark}>`,
    `<input autofocus onfocus=${mark}>`,
    `<video><source onerror=${mark}></video>`,
    `<body onload=${mark}>`,
    `<a href="javascript:${mark}">x</a>`,
    `<math><mi xlink:href="javascript:${mark}">`,
    `<style>@import 'http://127.0.0.1:${port}/a.css';</style>`,
    `<link rel=stylesheet href=http://127.0.0.1:${port}/b.css>`,
    `<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/">`,
    `<base href=http://127.0.0.1:${port}/>`,
    `<object data=http://127.0.0.1:${port}/o></object>`,
    `<svg><animate onbegin=${mark} attributeName=x dur=1s>`,
    `<marquee onstart=${mark}>`,
    `javascript:${mark}`,
    `data:text/html,<script>${mark}</script>`,
    `{{constructor.constructor('${mark}')()}}`,
    '${' + `${mark}}`,
    `<p style="background:url(http://127.0.0.1:${port}/bg)">x</p>`,
  ]
  return wraps.flatMap((wrap) => texts.map(wrap))
}

/** Where stored text becomes markup they do what they are made for. */
async function workingIn(browser: Browser, payloads: readonly string[]): Promise<number> {
  const page = await browser.newPage()
  let working = 0
  for (const payload of payloads.filter((text) => !text.includes('127.0.0.1'))) {
    await page.goto('about:blank')
    await page.evaluate((html) => {
      document.body.innerHTML = html
    }, payload)
    // Its handlers run in a task of their own.
    const isCarriedOut = await page
      .waitForFunction(() => 'carriedOut' in window, null, { timeout: 300 })
      .then(() => true)
      .catch(() => false)
    if (isCarriedOut) working += 1
  }
  await page.close()
  return working
}

/** Every text that somebody, a host or a media server can have a say in. */
const TEXTS = [
  ['users', 'first_name'],
  ['users', 'last_name'],
  ['sessions', 'user_agent'],
  ['groups', 'title'],
  ['groups', 'description'],
  ['servers', 'title'],
  ['servers', 'description'],
  ['servers', 'location'],
  ['encoders', 'title'],
  ['encoders', 'description'],
  ['encoders', 'location'],
  ['encoders', 'physical_address'],
  ['encoders', 'contact_number'],
  ['encoders', 'email'],
  ['encoder_templates', 'title'],
  ['channels', 'title'],
  ['destinations', 'title'],
  ['inputs', 'title'],
  ['outputs', 'title'],
  ['alarms', 'title'],
  ['alarms', 'sentence'],
  ['alarms', 'note'],
  ['notification_rules', 'title'],
  ['audit', 'actor_name'],
  ['audit', 'object_title'],
  ['audit', 'reason'],
] as const

async function plant({ site }: WalkSite, payloads: readonly string[], round: number) {
  const { db } = site.ctx
  const cause = payloads[(round * 17) % payloads.length] ?? ''
  await db.updateTable('events').set({ cause }).execute()
  for (const [at, [table, column]] of TEXTS.entries()) {
    const rows = await db.selectFrom(table).select('id').execute()
    for (const [row, { id }] of rows.entries()) {
      const text = payloads[(round * 31 + at * 7 + row) % payloads.length] ?? ''
      await db
        .updateTable(table)
        .set({ [column]: text })
        .where('id', '=', id)
        .execute()
    }
  }
}

async function openScreens(
  browser: Browser,
  payloads: readonly string[],
  round: number,
  seen: Seen,
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const walk = await openWalkSite(stack, { consoleDir: CONSOLE_DIR })
  const session = await signIn(walk)
  await plant(walk, payloads, round)
  const { linkHost } = walk.site
  const cause = payloads[round % payloads.length] ?? ''
  for (const { programId } of linkHost.programs.values()) {
    linkHost.change(programId, { state: 'fatal', cause })
  }
  linkHost.log = payloads.slice(round, round + 40)
  const address = await walk.site.app.listen({ port: 0, host: '127.0.0.1' })
  const context = await openSignedIn(browser, session)
  try {
    for (const path of pathsOf(walk)) await openScreen(context, `${address}${path}`, seen)
  } finally {
    await context.close()
  }
}

async function signIn({ site }: WalkSite): Promise<Session> {
  const { email } = site.people.superadmin
  const { answer } = await inject(site.app, login, '', { body: { email, password: TEST_PASSWORD } })
  return answer
}

function pathsOf({ own, secondServerId }: WalkSite): string[] {
  return [
    '/',
    '/dashboard/server',
    '/dashboard/group',
    '/dashboard/userManager',
    '/dashboard/managerEncoder',
    `/dashboard/edit_encoder/${own.encoderId}`,
    '/dashboard/path',
    `/dashboard/path/encoder/${own.encoderId}`,
    `/dashboard/path/input/${own.inputId}`,
    '/dashboard/channel',
    '/dashboard/wall',
    '/dashboard/alarm',
    '/dashboard/notification',
    '/dashboard/contribution',
    '/dashboard/contribution?tab=outputs',
    '/dashboard/contribution?tab=destinations',
    `/dashboard/${own.acantsId}/${own.groupId}/contribution/${own.inputId}`,
    `/dashboard/${secondServerId}/output_edit/${own.outputId}`,
  ]
}

/** What is there once a page has its data. */
const DRAWN =
  'main table tbody tr td, main article, main form, main li, main figure, main video, main b, main h2'

async function openScreen(context: BrowserContext, url: string, seen: Seen): Promise<void> {
  const page = await context.newPage()
  const { pathname } = new URL(url)
  const fault = (what: string) => seen.violations.add(`${pathname}: ${what}`)
  page.on('dialog', (dialog) => {
    fault(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) fault(message.text())
  })
  await page.goto(url)
  await page.getByRole('main').waitFor()
  // The live stream stays open, so that the network never rests.
  await page.locator(DRAWN).first().waitFor()
  // The first row of whatever is listed opens its detail.
  const row = page.locator('main table tbody tr').first()
  if ((await row.count()) > 0) await row.click({ timeout: 2000 }).catch(() => undefined)
  await page.evaluate(async () => new Promise((done) => requestAnimationFrame(done)))
  if (await page.evaluate(() => 'carriedOut' in window)) fault('a stored text was carried out')
  seen.pages += 1
  await page.close()
}
