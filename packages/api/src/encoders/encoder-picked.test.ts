import {
  addEncoder,
  enableEncoder,
  listAllEncoders,
  PICKED_LIMIT,
} from '@trunkline/contract/encoders/encoder.calls'
import { describe, expect, test } from 'vitest'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

/** One of North that is disabled, and one of group South. */
async function addFleet(site: TestSite) {
  const off = (await addTestEncoder(site, 0)).id
  await site.call('admin', enableEncoder, { params: { id: off }, body: { isEnabled: false } })
  const { port } = site.encoderHost
  const body = { title: 'South', ip: '127.0.0.1', port, groupId: site.south }
  return { off, south: (await site.call('admin', addEncoder, { body })).answer.id }
}

describe.each(BOTH_DATABASES)('encoders by id on %s', (kind) => {
  test('DASH-04 the list answers those that are asked for by id, of those that one may see', async () => {
    await using site = await openSiteOn(kind)
    const { off, south } = await addFleet(site)
    const picked = async (who: PersonName, ids: string[]) => {
      const { answer } = await site.call(who, listAllEncoders, { body: { rows: 0, ids } })
      return [answer.result.map((item) => item._id), answer.total]
    }
    expect(await picked('admin', [south, off, 'none'])).toEqual([[off, south], 2])
    expect(await picked('northManager', [south, off])).toEqual([[off], 1])
    expect(await picked('admin', [])).toEqual([[], 0])
    const ids = Array.from({ length: PICKED_LIMIT + 1 }, (_, index) => `id${index}`)
    const { status, failure } = await site.call('admin', listAllEncoders, { body: { ids } })
    expect([status, failure.field]).toEqual([400, 'ids'])
  })
})
