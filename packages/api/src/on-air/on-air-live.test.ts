import { ON_AIR_KEY } from '@trunkline/contract/fleet/watch-key.rules'
import { putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LiveReader } from '../testing/live-reader.ts'
import type { PersonName } from '../testing/people.ts'
import { addTestEncoder, openTestSite } from '../testing/test-site.ts'

const LIMIT = { timeout: 60_000 }

test('what is on air is pushed to those who may see it, and to nobody else', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
  const { id } = await addTestEncoder(site, 0)
  const open = async (who: PersonName) => {
    const reader = await LiveReader.open(address, site.people[who].token, [ON_AIR_KEY])
    onTestFinished(async () => reader[Symbol.asyncDispose]())
    return reader
  }
  const [seeing, foreign] = [await open('northEditor'), await open('southManager')]
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
