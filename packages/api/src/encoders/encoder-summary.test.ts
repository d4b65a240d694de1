import {
  addEncoder,
  enableEncoder,
  listAllEncoders,
  PICKED_LIMIT,
  summarizeEncoders,
} from '@trunkline/contract/encoders/encoder.calls'
import { describe, expect, test } from 'vitest'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

/** One that is on, one that is off, one without a configuration, and one of group South. */
async function addFleet(site: TestSite) {
  const on = (await addTestEncoder(site, 0)).id
  const off = (await addTestEncoder(site, 1)).id
  await site.call('admin', enableEncoder, { params: { id: off }, body: { isEnabled: false } })
  const add = async (title: string, groupId: string) => {
    const { port } = site.encoderHost
    const body = { title, ip: '127.0.0.1', port, groupId }
    return (await site.call('admin', addEncoder, { body })).answer.id
  }
  return { on, off, bare: await add('Bare', site.north), south: await add('South', site.south) }
}

describe.each(BOTH_DATABASES)('the summary of a fleet on %s', (kind) => {
  test('DASH-02 says of each encoder what its state is counted by, in the order of the list', async () => {
    await using site = await openSiteOn(kind)
    const { on, off, bare, south } = await addFleet(site)
    const summary = async (who: PersonName, group = '') =>
      (await site.call(who, summarizeEncoders, { query: { group } })).answer.data
    const north = [
      [on, 'on'],
      [off, 'off'],
      [bare, 'bare'],
    ]
    expect(await summary('admin')).toEqual([...north, [south, 'bare']])
    expect(await summary('admin', site.south)).toEqual([[south, 'bare']])
    expect(await summary('northMonitor')).toEqual(north)
    expect(await summary('northEditor'), 'assigned to the first two').toEqual(north.slice(0, 2))
    expect(await summary('loneManager')).toEqual([])
  })

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
