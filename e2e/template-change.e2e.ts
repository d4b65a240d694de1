/** A stream gets another template while it is watched: the player takes the new sizes by itself. */
import type { Locator } from '@playwright/test'
import { DEMO_CHANNEL, openChannels, openDetail, putDemoStream } from './channel.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

interface Sound {
  muted: boolean
  volume: number
}

async function soundOf(detail: Locator): Promise<Sound> {
  return detail
    .locator('video')
    .evaluate(({ muted, volume }: HTMLVideoElement) => ({ muted, volume }))
}

test('CHAN-24 CHAN-33 the template changes: the picture goes on in the new sizes, with the sound as it was set', async ({
  page,
  site,
}) => {
  await using _back = {
    [Symbol.asyncDispose]: async () => putDemoStream(site, { template: null }),
  }
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await timeAdvances(detail)
  await detail.getByRole('slider', { name: 'Volume' }).fill('40')
  const sound = await soundOf(detail)
  expect(sound).toEqual({ muted: false, volume: 0.4 })
  for (const [template, sizes] of [
    ['abr-2', 'one of 2 sizes'],
    ['abr-3', 'one of 3 sizes'],
    ['sd', null],
  ] as const) {
    await putDemoStream(site, { template })
    if (sizes === null) await expect(detail.getByText(/one of \d sizes/)).toHaveCount(0)
    else await expect(detail.getByText(sizes)).toBeVisible()
    await timeAdvances(detail)
    await pictureChanges(detail)
    expect(await soundOf(detail), template).toEqual(sound)
  }
})
