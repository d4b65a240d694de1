/**
 * `npm run docs:pictures`: opens the training site, goes to each screen in Chromium, and writes the
 * pictures of the pages for operators into docs/pictures. Size, colours, language and time zone are
 * fixed; what runs and how old it is differs from run to run.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUPERADMIN_EMAIL } from '@trunkline/testbed/demo-site'
import { callApi } from '@trunkline/testbed/api-client'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { claimSite } from '@trunkline/testbed/site-claim'
import { openTrainingSite, type TrainingSite } from '@trunkline/testbed/training/training-site'
import { chromium, type Browser, type Page } from '@playwright/test'
import playwrightConfig from '../../e2e/playwright.config.ts'
import { build } from '../build.mjs'
import {
  MOST_PICTURE_BYTES,
  PICTURE_FLEET,
  PICTURES,
  PICTURES_FOLDER,
  type Picture,
} from './pictures.ts'
import { say } from '../say.mjs'
import { giveUp, root, setup } from '../setup.mjs'

const PASSWORD = 'correct-horse-battery'
const SIZE = { width: 1440, height: 900 }
const WEBP_QUALITY = 60
/** How long a screen may take until it shows what the picture is of. */
const LIMIT_MS = 60_000
const SETTLE_LIMIT_MS = 180_000
const LOOK_MS = 500

/** Nobody answers there: the page only offers the way to it. */
const PROVIDER = {
  TRUNKLINE_PUBLIC_URL: 'https://console.example',
  TRUNKLINE_OIDC_ISSUER: 'https://login.example/realms/tv',
  TRUNKLINE_OIDC_CLIENT_ID: 'trunkline',
  TRUNKLINE_OIDC_NAME: 'Example login',
  TRUNKLINE_OIDC_ROLES: 'it=admin',
}

try {
  await makeAll(process.argv.slice(2))
} catch (error) {
  giveUp(error)
}

/** `asked`: names of pictures; none: all. */
async function makeAll(asked: readonly string[]): Promise<void> {
  await build(await setup('test'))
  const place = mkdtempSync(join(tmpdir(), 'trunkline-pictures-'))
  const dataDir = join(place, 'data')
  try {
    await using claim = await claimSite(dataDir)
    await using site = await openTrainingSite({
      dataDir,
      fleet: PICTURE_FLEET,
      apiPort: 0,
      apiEnv: {
        TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
        TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
        TRUNKLINE_SECRET_FILE: join(place, 'key'),
        ...PROVIDER,
      },
      onOutput: () => undefined,
      claim,
      password: PASSWORD,
      say,
    })
    await Promise.race([photograph(site, asked), untilSignal()])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function photograph(site: TrainingSite, asked: readonly string[]): Promise<void> {
  await untilSettled(site)
  await using browser = await chromium.launch(playwrightConfig.use?.launchOptions)
  for (const picture of PICTURES) {
    if (asked.length === 0 || asked.includes(picture.name)) await make(picture, site, browser)
  }
}

/** Rejects, so that the site ends with all that it runs. */
async function untilSignal(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
    }
  })
}

/** Until all that runs has a picture. Throws where a busy machine does not get there. */
async function untilSettled(site: TrainingSite): Promise<void> {
  say('Waiting for pictures from the encoders and of the channels')
  const client = await site.client()
  const deadline = performance.now() + SETTLE_LIMIT_MS
  for (;;) {
    // A busy machine may cut a call off.
    const live = await callApi(client, readLive, {}).catch(() => null)
    const streams = live?.data.streams ?? []
    const playing = streams.filter(({ stream }) => stream?.stats.alive === true).length
    const programs = live?.data.programs ?? []
    const encoding = programs.filter(({ kind, state }) => kind === 'encoder' && state === 'running')
    const { channels, cameras } = PICTURE_FLEET
    if (playing >= channels.length && encoding.length >= cameras.length) return
    if (performance.now() > deadline) {
      const found = `${encoding.length} of ${cameras.length} encoders run, ${playing} of ${channels.length} channels play.`
      throw new Error(`${found} Try again on a machine that does nothing else.`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

async function make(picture: Picture, site: TrainingSite, browser: Browser): Promise<void> {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(LIMIT_MS)
  await page.goto(`${site.url}/login`)
  if (!picture.isSignedOut) await signIn(page)
  await picture.open(page, site)
  await page.evaluate(async () => document.fonts.ready)
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: WEBP_QUALITY,
  })
  await context.close()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > MOST_PICTURE_BYTES) {
    throw new Error(
      `${picture.name} has ${bytes.length} bytes, and may have ${MOST_PICTURE_BYTES}.`,
    )
  }
  writeFileSync(join(root, PICTURES_FOLDER, `${picture.name}.webp`), bytes)
  say(`  ${picture.name}.webp, ${Math.round(bytes.length / 1000)} kB`)
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(SUPERADMIN_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Welcome to Trunkline' }).waitFor()
}
