/** The pictures of the pages for operators: what each shows, and how a browser gets there. */
import type { Page } from '@playwright/test'
import { WHOLE_FLEET, type Fleet } from '@trunkline/testbed/training/fleet'
import type { TrainingSite } from '@trunkline/testbed/training/training-site'

export const PICTURES_FOLDER = 'docs/pictures'
/** The repository holds every version of each. */
export const MOST_PICTURE_BYTES = 100_000

/**
 * What is in the pictures: the venue in the north and the playout centre, whose third link has a wrong
 * passphrase, so that alarms and signal path have something to say.
 */
export const PICTURE_FLEET: Fleet = {
  hosts: WHOLE_FLEET.hosts.filter(({ name }) => name !== 'south'),
  cameras: WHOLE_FLEET.cameras.filter(({ title }) => /^North camera [123]$|^Studio 1$/.test(title)),
  inputs: WHOLE_FLEET.inputs.filter(({ title }) =>
    /North [123]$|North camera|Studio 1/.test(title),
  ),
  outputs: WHOLE_FLEET.outputs.filter(({ title }) => /^North|^Studio 1 to air/.test(title)),
  channels: WHOLE_FLEET.channels.filter(({ name }) => name === 'north' || name === 'studio1'),
}

export interface Picture {
  /** Of the file, without its ending. */
  readonly name: string
  /** Resolves when the page shows what the picture is of. The person is signed in. */
  readonly open: (page: Page, site: TrainingSite) => Promise<void>
  readonly isSignedOut?: true
}

/** What a screen says while it waits for something. */
const WAITING = ['Reading', 'Connecting', 'Loading', 'No picture', 'Asking']

export const PICTURES: readonly Picture[] = [
  {
    name: 'sign-in',
    isSignedOut: true,
    open: async (page) => page.getByText('Example login').waitFor(),
  },
  { name: 'dashboard', open: untilShown },
  {
    name: 'encoder',
    open: async (page, site) => {
      await go(page, site, `/dashboard/edit_encoder/${idOf(site.ids.encoders, 'North camera 1')}`)
    },
  },
  { name: 'inputs', open: async (page, site) => go(page, site, '/dashboard/contribution') },
  {
    name: 'input-form',
    open: async (page, site) => {
      await go(page, site, '/dashboard/contribution')
      await page.getByRole('button', { name: 'Add input' }).click()
      const dialog = page.getByRole('dialog')
      for (const label of ['Server', 'Group']) {
        await dialog.getByLabel(label, { exact: true }).selectOption({ index: 1 })
      }
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Latency').first().waitFor()
    },
  },
  {
    name: 'channel',
    open: async (page, site) => {
      await go(page, site, '/dashboard/channel')
      await page.getByText('North live', { exact: true }).first().click()
      await page.locator('video').waitFor()
      await untilShown(page)
    },
  },
  { name: 'wall', open: async (page, site) => go(page, site, '/dashboard/wall') },
  {
    name: 'signal-path',
    open: async (page, site) =>
      go(page, site, `/dashboard/path/channel/${idOf(site.ids.channels, 'North live')}`),
  },
  {
    name: 'alarms',
    open: async (page, site) => {
      await go(page, site, '/dashboard/alarm')
      await page
        .getByRole('row', { name: /North 3/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'add-server',
    open: async (page, site) => {
      await go(page, site, '/dashboard/server')
      await page.getByRole('button', { name: 'Add server' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'schedules',
    open: async (page, site) => {
      await go(page, site, '/dashboard/channel')
      await page.getByText('North live', { exact: true }).first().click()
      await page
        .getByRole('button', { name: /^Schedules/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Add schedule' }).click()
      await page.getByLabel('Time zone').waitFor()
      await untilShown(page)
    },
  },
  {
    name: 'palette',
    open: async (page, site) => {
      await go(page, site, '/dashboard/server')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByPlaceholder('restart').fill('restart north')
      await page
        .getByRole('option', { name: /Restart/ })
        .first()
        .waitFor()
    },
  },
]

async function go(page: Page, site: TrainingSite, path: string): Promise<void> {
  await page.goto(site.url + path)
  await untilShown(page)
}

/** Until the live stream has said how everything is, and each picture and player has a frame. */
async function untilShown(page: Page): Promise<void> {
  await page.waitForFunction((waiting) => {
    const text = document.body.innerText
    const isPlaying = [...document.querySelectorAll('video')].every(
      (video) => video.currentTime > 1,
    )
    return /\bLive\b/.test(text) && !waiting.some((word) => text.includes(word)) && isPlaying
  }, WAITING)
}

function idOf(ids: Readonly<Record<string, string | { id: string }>>, title: string): string {
  const found = ids[title]
  if (found === undefined) throw new Error(`The training site has no ${title}.`)
  return typeof found === 'string' ? found : found.id
}
