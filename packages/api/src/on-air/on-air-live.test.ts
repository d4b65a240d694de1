import { ON_AIR_KEY } from '@trunkline/contract/fleet/watch-key.rules'
import { putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { expect, onTestFinished, test } from 'vitest'
import { listenLive } from '../fleet/live/live.fixture.ts'
import type { LiveReader } from '../testing/live-reader.ts'
import { addTestEncoder, openTestSite } from '../testing/test-site.ts'

const LIMIT = { timeout: 60_000 }

test('what is on air is pushed to those who may see it, and to nobody else', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { show } = await listenLive(site)
  const { id } = await addTestEncoder(site, 0)
  const seeing = await show('northEditor', [ON_AIR_KEY])
  const foreign = await show('southManager', [ON_AIR_KEY])
  const marksOf = (reader: LiveReader) =>
    reader.of('air').map(({ marks }) => marks.map((mark) => `${mark.id} ${mark.isOnAir}`))
  expect([marksOf(seeing), marksOf(foreign)]).toEqual([[[]], [[]]])
  const params = { kind: 'encoder' as const, id }
  await site.call('northManager', putOnAir, { params, body: {} })
  await expect.poll(() => marksOf(seeing), LIMIT).toEqual([[], [`${id} true`]])
  await site.call('northManager', takeOffAir, { params })
  await expect.poll(() => marksOf(seeing), LIMIT).toEqual([[], [`${id} true`], []])
  expect(marksOf(foreign)).toEqual([[]])
})
