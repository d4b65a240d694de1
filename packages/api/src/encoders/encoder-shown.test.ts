import { movingSince } from '../testing/fake-host.ts'
import {
  addEncoder,
  controlEncoder,
  countEncoders,
  enableEncoder,
  listAllEncoders,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Show } from '@trunkline/contract/fleet/show.rules'
import { describe, expect, test } from 'vitest'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import { programIdOf } from '../programs/wanted-program.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

async function addCamera(site: TestSite, cardIdx: number): Promise<string> {
  return (await addTestEncoder(site, cardIdx)).id
}

async function start(site: TestSite, id: string, cardIdx: number): Promise<void> {
  const data = { name: configName(cardIdx), command: 'start' } as const
  await site.call('admin', controlEncoder, { params: { id }, body: { data } })
}

/** Camera 0 runs without media, 1 cannot be started, 2 is disabled, 3 was never started; one is of group South. */
async function addFleet(site: TestSite) {
  const ids = [await addCamera(site, 0), await addCamera(site, 1), await addCamera(site, 2)]
  ids.push(await addCamera(site, 3))
  const [waiting = '', broken = '', disabled = '', idle = ''] = ids
  await start(site, broken, 1)
  site.encoderHost.change(programIdOf('encoder', broken), { state: 'fatal', pid: null })
  await start(site, waiting, 0)
  site.encoderHost.change(programIdOf('encoder', waiting), {
    state: 'running',
    observed: { ...movingSince(0), media: 'silent' },
  })
  await site.call('admin', enableEncoder, {
    params: { id: disabled },
    body: { isEnabled: false },
  })
  const { port } = site.encoderHost
  const south = await site.call('admin', addEncoder, {
    body: { title: 'South one', ip: '127.0.0.1', port, groupId: site.south, apiKey: '' },
  })
  return { waiting, broken, disabled, idle, south: south.answer.id }
}

describe.each(BOTH_DATABASES)('encoders by state on %s', (kind) => {
  test('DASH-04 a list narrowed to states has its own total, the worst first, within scope', async () => {
    await using site = await openSiteOn(kind)
    const { waiting, broken, disabled, idle, south } = await addFleet(site)
    const list = async (who: PersonName, show: Show, more: object = {}) => {
      const { answer } = await site.call(who, listAllEncoders, { body: { show, ...more } })
      return [answer.result.map(({ _id }) => _id), answer.total]
    }
    expect(await list('admin', 'attention')).toEqual([[broken, waiting], 2])
    expect(await list('admin', 'attention', { page: 1, rows: 1 })).toEqual([[waiting], 2])
    expect(await list('admin', 'off', { rows: 0 })).toEqual([[disabled, idle, south], 3])
    expect(await list('admin', 'off', { group: site.south })).toEqual([[south], 1])
    expect(await list('northMonitor', 'off')).toEqual([[disabled, idle], 2])
    expect(await list('southManager', 'attention')).toEqual([[], 0])
    expect(await list('northEditor', 'off', { group: site.south })).toEqual([[], 0])
    expect(await list('admin', 'well')).toEqual([[], 0])
    const all = await list('admin', 'all', { rows: 0 })
    expect(all).toEqual([[waiting, broken, disabled, idle, south], 5])
  })

  test('DASH-05 DASH-26 a search is narrowed and counted by state too', async () => {
    await using site = await openSiteOn(kind)
    const { waiting, broken, disabled } = await addFleet(site)
    const { answer } = await site.call('admin', listAllEncoders, {
      body: { page: 0, rows: 0, search: 'camera 1', show: 'attention' },
    })
    expect([answer.result.map(({ _id }) => _id), answer.total]).toEqual([[broken], 1])
    const picked = await site.call('admin', listAllEncoders, {
      body: { rows: 0, ids: [disabled, waiting, broken], show: 'attention' },
    })
    expect(picked.answer.result.map(({ _id }) => _id)).toEqual([broken, waiting])
    const counts = async (who: PersonName, search: string, group = '') => {
      const { families, ...rest } = (
        await site.call(who, countEncoders, { query: { search, group } })
      ).answer.data
      const found = Object.entries(families).filter(([, count]) => count > 0)
      return { ...rest, families: Object.fromEntries(found) }
    }
    expect(await counts('admin', 'camera')).toEqual({
      families: { bad: 1, warn: 1, off: 2 },
      total: 4,
      worst: [broken, waiting],
    })
    expect(await counts('admin', '')).toMatchObject({ families: { bad: 1, warn: 1, off: 3 } })
    expect(await counts('southManager', 'camera')).toMatchObject({ families: {}, total: 0 })
    expect(await counts('admin', 'nowhere')).toMatchObject({ total: 0, worst: [] })
  })
})
