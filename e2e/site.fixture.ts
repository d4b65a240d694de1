/** One real demo site for all browser tests of a worker, and signed-in pages on it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { relayPath } from '@trunkline/contract/channels/channel.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { openDemoSite, type DemoSite } from '@trunkline/testbed/demo'

export const PASSWORD = 'correct-horse-battery'
/** A third of the preset's: what the links of two sites cost follows their packets. */
const ENCODER_RATE = { videoKbps: 350, muxRateBps: 600_000 }

type EncoderState = 'running' | 'stopped'

interface WorkerFixtures {
  site: DemoSite
}
interface TestFixtures {
  /**
   * What the demo's encoder does. A third of a core goes into its picture and the links behind it, so
   * files that look at neither stand in `without-picture/` and have it stopped: a project of their own,
   * so that a worker has it stopped once, and more of them run side by side.
   */
  demoEncoder: EncoderState
  demoState: void
  /** Every console error or policy violation of the test's page; must stay empty. */
  complaints: string[]
  /** Another operator, signed in: a browser of their own, with a storage of its own. */
  otherOperator: (local: string) => Promise<Page>
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs off this pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'))
      {
        await using site = await openDemoSite({
          dataDir,
          password: PASSWORD,
          encoderRate: ENCODER_RATE,
          coverFile: join(dataDir, 'cover.txt'),
        })
        // No test is the one that came before the first segment.
        await expect
          .poll(async () => playlistOf(site), 'the demo’s channel has a picture')
          .not.toBeNull()
        await use(site)
      }
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(`${dataDir}.key`, { force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  demoEncoder: ['running', { option: true }],
  demoState: [
    async ({ site, demoEncoder }, use) => {
      await turnDemoEncoder(site, demoEncoder)
      await use()
    },
    { auto: true, timeout: 300_000 },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await use(complaints)
  },
  otherOperator: async ({ browser, site }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (local) => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await signIn(page, site, local)
      return page
    })
    await Promise.all(contexts.map(async (context) => context.close()))
  },
})

export { expect }

const encoderStates = new WeakMap<DemoSite, EncoderState>()

async function turnDemoEncoder(site: DemoSite, state: EncoderState): Promise<void> {
  if ((encoderStates.get(site) ?? 'running') === state) return
  const before = await playlistOf(site)
  const command = state === 'running' ? 'start' : 'stop'
  // A host that got no core for 5 s has not carried it out, and says so: it is asked again.
  await expect(async () =>
    callApi(site.client, controlEncoder, {
      params: { id: site.ids.encoderId },
      body: { data: { name: 'encoder0', command } },
    }),
  ).toPass()
  encoderStates.set(site, state)
  if (state === 'running') {
    await expect.poll(async () => playlistOf(site), 'the picture goes on').not.toBe(before)
  }
}

/** Of the demo's channel, as it is now; null when there is none. */
async function playlistOf({ url, ids, client: { token } }: DemoSite): Promise<string | null> {
  const playlist = url + relayPath(ids.channelId, 'index.m3u8')
  const response = await fetch(playlist, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  return response.ok ? text : null
}

const sessions = new Map<string, Promise<{ user: string; token: string }>>()

/** That person's session at that site, begun once and then used by every test of the worker. Who logs out signs in by the form. */
async function sessionOf({ client: { baseUrl } }: DemoSite, local: string) {
  const key = `${baseUrl} ${local}`
  const begin = async () => {
    const body = { email: `${local}@trunkline.example`, password: PASSWORD }
    const { user, token } = await callApi({ baseUrl, token: '' }, login, { body })
    return { user: JSON.stringify(user), token }
  }
  const session = sessions.get(key) ?? begin()
  sessions.set(key, session)
  return session
}

/** What the console keeps of a sign-in stands in the page's storage before its first load. Opens nothing. */
export async function signIn(page: Page, site: DemoSite, local: string): Promise<void> {
  const { origin } = new URL(site.url)
  await page.addInitScript(storeSession, { origin, ...(await sessionOf(site, local)) })
}

/** Runs in the page at each load, and stores once: later the console's own word counts, its sign-out too. */
function storeSession(session: { origin: string; user: string; token: string }): void {
  const mark = 'signed-in-by-test'
  if (location.origin !== session.origin || sessionStorage.getItem(mark) !== null) return
  sessionStorage.setItem(mark, 'yes')
  localStorage.setItem('user', session.user)
  localStorage.setItem('token', session.token)
}

/** The dashboard, as that person finds it after signing in. */
export async function openDashboard(page: Page, site: DemoSite, local: string): Promise<void> {
  await signIn(page, site, local)
  await page.goto(`${site.url}/`)
  await page.getByRole('heading', { name: 'Welcome to Trunkline' }).waitFor()
}

/** As people do it; where the form, or what follows from it, is the subject. */
export async function signInByForm(page: Page, site: DemoSite, local: string): Promise<void> {
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Email').fill(`${local}@trunkline.example`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome to Trunkline' }).waitFor()
}
