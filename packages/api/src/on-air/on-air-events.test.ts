import { listEvents } from '@trunkline/contract/events/event.calls'
import { putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder } from '../testing/test-site.ts'
import { OnAirBoard } from './on-air-board.ts'
import { openOnAirEvents } from './on-air-events.service.ts'
import * as onAirStore from './on-air.store.ts'

const LIMIT = 60_000

test.each(BOTH_DATABASES)(
  'begin and end of on air are events with their exact times, once for several processes, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const params = { kind: 'encoder' as const, id }
    const query = { ...params, show: 'air' }
    const turns = async () => {
      const { answer } = await site.call('northEditor', listEvents, { query })
      return answer.data.toReversed().map(({ state, at }) => [state, at])
    }
    const byHand = await site.call('northEditor', putOnAir, { params, body: {} })
    const onAt = new Date(byHand.answer.data.fromMs).toISOString()
    expect(await turns()).toEqual([['on', onAt]])
    await site.call('northEditor', takeOffAir, { params })
    expect((await turns()).map(([state]) => state)).toEqual(['on', 'off'])

    const from = new Date(Date.now() + 600_000).toISOString()
    const until = new Date(Date.now() + 1_200_000).toISOString()
    await site.call('northEditor', putOnAir, { params, body: { from, until } })
    // Each process has its own board and writes by its own clock.
    const processAt = async (aheadMs: number) => {
      const clock = () => Date.now() + aheadMs
      const read = async () => onAirStore.readOpen(site.ctx.db, clock())
      const onAir = new OnAirBoard({ clock, read, onFault: () => {} })
      const events = openOnAirEvents({ ...site.ctx, clock, onAir })
      onTestFinished(async () => {
        await events[Symbol.asyncDispose]()
        onAir[Symbol.dispose]()
      })
      await events.written()
    }
    await processAt(0)
    expect(await turns()).toHaveLength(2)
    await Promise.all([processAt(700_000), processAt(700_001)])
    expect((await turns()).slice(2)).toEqual([['on', from]])
    // None ran when it ended.
    await processAt(90_000_000)
    await processAt(90_000_000)
    expect((await turns()).slice(2)).toEqual([
      ['on', from],
      ['off', until],
    ])
  },
)

test('a span that begins while a process runs is an event at once', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const events = openOnAirEvents(site.ctx)
  onTestFinished(async () => events[Symbol.asyncDispose]())
  const params = { kind: 'encoder' as const, id }
  const from = new Date(Date.now() + 1000).toISOString()
  await site.call('northEditor', putOnAir, { params, body: { from } })
  await vi.waitFor(async () => {
    const query = { ...params, show: 'air' }
    const { answer } = await site.call('northEditor', listEvents, { query })
    expect(answer.data).toMatchObject([{ kind: 'air', state: 'on', at: from }])
  }, LIMIT)
})
