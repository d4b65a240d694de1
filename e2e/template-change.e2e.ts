/** A stream gets another template while it is watched: the player takes the new sizes by itself. */
import type { Locator, Page } from '@playwright/test'
import { demoStreamInputs } from '@trunkline/testbed/demo-site'
import { DEMO_CHANNEL, openChannels, openDetail, putDemoStream } from './channel.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const PLAYLISTS = '**/*.m3u8'

async function soundOf(detail: Locator) {
  return detail
    .locator('video')
    .evaluate(({ muted, volume }: HTMLVideoElement) => ({ muted, volume }))
}

/** As a media server that always has some playlist: what the player asks for in between is answered late. */
async function withoutGap(page: Page): Promise<void> {
  await page.route(PLAYLISTS, async (route) => {
    const first = route
      .request()
      .url()
      .replace(/[^/]+$/, 'index.m3u8')
    const headers = await route.request().allHeaders()
    const isThere = async () => (await page.request.get(first, { headers })).ok()
    await expect.poll(isThere).toBe(true)
    await route.continue()
  })
}

test('CHAN-24 CHAN-33 the template changes: the picture goes on in the new sizes, with the sound as it was set', async ({
  page,
  site,
}) => {
  const inputs = demoStreamInputs(site.plan)
  await using _back = {
    [Symbol.asyncDispose]: async () => putDemoStream(site, { template: null, inputs }),
  }
  // Every source is made into all sizes, whether it is shown or not.
  await putDemoStream(site, { inputs: inputs.slice(0, 1) })
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await timeAdvances(detail)
  await detail.getByRole('slider', { name: 'Volume' }).fill('40')
  const sound = await soundOf(detail)
  expect(sound).toEqual({ muted: false, volume: 0.4 })
  const change = async (template: string) => {
    await putDemoStream(site, { template })
    const count = Number(template.split('-')[1] ?? 1)
    if (count === 1) await expect(detail.getByText(/one of \d sizes/)).toHaveCount(0)
    else await expect(detail.getByText(`one of ${count} sizes`)).toBeVisible()
    await timeAdvances(detail)
    await pictureChanges(detail)
    expect(await soundOf(detail), template).toEqual(sound)
  }
  await change('abr-2')
  await withoutGap(page)
  await change('abr-3')
  // Waits for the handlers that still hold a request.
  await page.unrouteAll({ behavior: 'wait' })
  await change('sd')
})
