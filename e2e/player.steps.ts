/** Steps that look at the player the way a viewer does: does time go on, does the picture change. */
import type { DemoSite } from '@trunkline/testbed/demo'
import { openPage } from './page.steps.ts'
import { expect, type Locator, type Page } from '@playwright/test'

/** Opens the demo channel's detail dialog and answers it. */
export async function openChannel(page: Page, site: DemoSite): Promise<Locator> {
  await openPage(page, site, '/dashboard/channel', 'Channels')
  const row = page.getByRole('row', { name: /Demo live/ })
  await row.getByText('Online', { exact: true }).waitFor()
  await row.click({ position: { x: 300, y: 8 } })
  const dialog = page.getByRole('dialog')
  await dialog.locator('video').waitFor()
  return dialog
}

/** The video element's own clock moves by more than a second. */
export async function timeAdvances(dialog: Locator): Promise<void> {
  const video = dialog.locator('video')
  const time = async () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  await expect.poll(time).toBeGreaterThan(0)
  const before = await time()
  await expect.poll(time).toBeGreaterThan(before + 1)
}

/** Two different pictures, compared pixel by pixel: a frozen frame passes no clock test. */
export async function pictureChanges(dialog: Locator): Promise<void> {
  const video = dialog.locator('video')
  const picture = async () => video.evaluate(fingerprint)
  let before = { hash: 0, lit: 0 }
  // While the player begins anew it has no frame to draw for a moment.
  const light = async () => (before = await picture()).lit
  await expect.poll(light, 'the picture is not black').toBeGreaterThan(0)
  const isAnother = async () => {
    const { hash, lit } = await picture()
    return lit > 0 && hash !== before.hash
  }
  await expect.poll(isAnother, 'the picture changes').toBe(true)
}

/** Runs in the page: a hash of the frame's pixels, and how many of them are not black. */
function fingerprint(video: HTMLVideoElement) {
  const canvas = document.createElement('canvas')
  canvas.width = 160
  canvas.height = 90
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.drawImage(video, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  let hash = 0
  let lit = 0
  for (let at = 0; at < data.length; at += 4) {
    const light = (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
    hash = (hash * 31 + light) | 0
    if (light > 60) lit += 1
  }
  return { hash, lit }
}
