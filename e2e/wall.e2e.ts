/** The wall in a real browser: live pictures side by side, by keys alone, on a desk and on a phone. */
import type { Locator, Page } from '@playwright/test'
import { button, openPage, tabTo } from './page.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const WALL = '/dashboard/wall'
const CHANNEL = 'Demo live'
const ENCODER = 'Demo camera'

function tileOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title, exact: true })
}

async function openWall(page: Page, site: Parameters<typeof openPage>[1], local: string) {
  await signIn(page, site, local)
  await openPage(page, site, WALL, 'Wall')
}

/** Of the page, in pixels: how far it could be scrolled. */
async function overflowOf(page: Page) {
  return page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement
    return { down: scrollHeight - clientHeight, aside: scrollWidth - clientWidth }
  })
}

test('the wall shows channels and encoders, and both pictures move', async ({
  page,
  site,
  complaints,
}) => {
  await openWall(page, site, 'superadmin')
  await pictureChanges(tileOf(page, CHANNEL))
  await expect(tileOf(page, CHANNEL).getByText(/\d s behind/)).toBeVisible()
  const small = tileOf(page, ENCODER).getByRole('img', { name: `Picture of ${ENCODER}` })
  await expect(small).toBeVisible()
  const painted = async () => small.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const before = await painted()
  await expect.poll(painted).not.toBe(before)
  expect(complaints).toEqual([])
})

test('by keyboard only: choose, move between tiles, unmute, move a tile, open and come back', async ({
  page,
  site,
}) => {
  await openWall(page, site, 'monitor')
  await timeAdvances(tileOf(page, CHANNEL))
  await page.keyboard.press('ArrowRight')
  const open = tileOf(page, CHANNEL).getByRole('button', { name: /^Open / })
  await expect(open).toBeFocused()
  await page.keyboard.press('m')
  await expect(button(page, `Mute ${CHANNEL}`)).toBeVisible()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('article').last()).toHaveAccessibleName(CHANNEL)
  await expect(open).toBeFocused()
  await timeAdvances(tileOf(page, CHANNEL))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(tileOf(page, CHANNEL).getByText('Stopped while the detail is open')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
  await timeAdvances(tileOf(page, CHANNEL))

  await tabTo(page, button(page, 'Choose'))
  await page.keyboard.press('Enter')
  const picker = page.getByRole('dialog', { name: /^Choose tiles/ })
  await tabTo(page, picker.getByRole('checkbox', { name: ENCODER }))
  await page.keyboard.press('Space')
  await tabTo(page, button(picker, 'Show 1 tile'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.reload()
  await expect(tileOf(page, CHANNEL)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('it fits a desk screen, fills the screen, plays nothing out of sight, and scrolls on a phone', async ({
  page,
  site,
}) => {
  await openWall(page, site, 'superadmin')
  await expect(tileOf(page, ENCODER)).toBeVisible()
  expect(await overflowOf(page)).toEqual({ down: 0, aside: 0 })
  const header = page.getByRole('banner')
  await page.keyboard.press('f')
  await expect(header).toBeHidden()
  await timeAdvances(tileOf(page, CHANNEL))
  await button(page, 'Leave full screen').click()
  await expect(header).toBeVisible()
  await test.step('out of sight it plays nothing, and plays again when it is seen', async () => {
    const loaded = () =>
      tileOf(page, CHANNEL)
        .locator('video')
        .evaluate((video: HTMLVideoElement) => video.readyState > 0)
    await page.evaluate(hideOrShow, 'hidden' as const)
    await expect.poll(loaded).toBe(false)
    await page.evaluate(hideOrShow, 'visible' as const)
    await timeAdvances(tileOf(page, CHANNEL))
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await overflowOf(page)).aside).toBe(0)
  await tileOf(page, ENCODER).scrollIntoViewIfNeeded()
  await expect(tileOf(page, ENCODER)).toBeInViewport()
})

/** Runs in the page: a browser without a window never hides it. */
function hideOrShow(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
  document.dispatchEvent(new Event('visibilitychange'))
}
