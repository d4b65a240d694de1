/** F12: operators who add and move outputs at the same moment. */
import { updateDestination } from '@trunkline/contract/contributions/destination.calls'
import {
  addOutput,
  changeOutputDestination,
  readOutput,
} from '@trunkline/contract/contributions/output.calls'
import { describe, expect, test } from 'vitest'
import { outputBody } from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'
import { addFarEnd, addFeed, addWay } from './output.fixture.ts'

async function read(site: TestSite, id: string) {
  return (await site.call('admin', readOutput, { params: { id } })).answer.data
}

describe.each(BOTH_DATABASES)('at the same moment on %s', (kind) => {
  test('F12 a listening port is given to one of those who ask for it', async () => {
    const site = await openSiteOn(kind)
    const inputId = await addFeed(site, 6000)
    const config = { mode: 'Listen', host: '', port: 7000 } as const
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () =>
        site.call('admin', addOutput, { body: outputBody(inputId, { config }) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
  })

  test('a destination that is changed while outputs are sent there is taken whole', async () => {
    const site = await openSiteOn(kind)
    const inputId = await addFeed(site, 6000)
    const destinationId = await addFarEnd(site)
    const ways = [await addWay(site, inputId), await addWay(site, inputId)]
    const [moved, sent] = await Promise.all([
      site.call('admin', updateDestination, {
        params: { id: destinationId },
        body: { title: 'Far end', ip: '192.0.2.88' },
      }),
      site.call('admin', changeOutputDestination, {
        body: { destinationId, outputIds: ways.map(({ id }) => id) },
      }),
    ])
    expect([moved.status, sent.status, sent.answer.updated]).toEqual([200, 200, 2])
    for (const { id } of ways) {
      expect(['192.0.2.10', '192.0.2.88']).toContain((await read(site, id)).config.host)
    }
  })
})
