import { listSignalPaths, readSignalPath } from '@trunkline/contract/paths/path.calls'
import type { QueryOf } from '@trunkline/contract/route'
import { expect, test } from 'vitest'
import { fakeStream } from '../testing/fake-media-server.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'
import { addPath } from './path-site.fixture.ts'

async function pathsOf(
  site: TestSite,
  who: PersonName,
  query: Partial<QueryOf<typeof listSignalPaths>> = {},
) {
  const { answer, text } = await site.call(who, listSignalPaths, { query })
  const begins = answer.data.map(({ hops }) => {
    const self = hops.find(({ side }) => side === 'self')
    return self?.isShown === true ? self.title : 'hidden'
  })
  return { ...answer, begins, text }
}

test.each(BOTH_DATABASES)(
  'all paths are listed from where they begin, the worst first, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, inputId } = await addPath(site)
    const { id: southInputId } = await addTestInput(site, 6500, {
      title: 'Aerial',
      groupId: site.south,
    })
    const all = await pathsOf(site, 'admin')
    expect(all.begins).toEqual(['Camera 0', 'Aerial'])
    expect(all).toMatchObject({ total: 2 })
    // The same path as on its own page, from its beginning to its end.
    const { answer: own } = await site.call('admin', readSignalPath, {
      params: { kind: 'encoder', id: encoderId },
    })
    expect(all.data[0]?.hops.map(({ key }) => key).toSorted()).toEqual(
      own.data.hops.map(({ key }) => key).toSorted(),
    )
    expect(all.data[0]?.edges).toHaveLength(own.data.edges.length)
    // A hop of it in any place is found, of what the person sees.
    expect((await pathsOf(site, 'admin', { searchText: 'to chan' })).begins).toEqual(['Camera 0'])
    expect((await pathsOf(site, 'admin', { searchText: 'to gateway' })).begins).toEqual([
      'Camera 0',
    ])
    expect((await pathsOf(site, 'northManager', { searchText: 'aerial' })).begins).toEqual([])
    expect((await pathsOf(site, 'admin', { groupId: site.south })).begins).toEqual(['Aerial'])
    expect((await pathsOf(site, 'admin', { page: 1, rowsPerPage: 1 })).begins).toEqual(['Aerial'])
    expect((await pathsOf(site, 'northMonitor')).begins).toEqual(['Camera 0'])
    const south = await pathsOf(site, 'southManager')
    expect(south.begins).toEqual(['Aerial'])
    expect(south.text).not.toContain(inputId)
    // The stream enters the South where its input gets it from the North.
    await site.ctx.db
      .updateTable('outputs')
      .set({ calls_address: '127.0.0.1', calls_port: 6500 })
      .where('title', '=', 'to Paris')
      .execute()
    // Where paths begin is read again a little after a change.
    await expect
      .poll(async () => (await pathsOf(site, 'admin')).begins, { timeout: 20_000 })
      .toEqual(['Camera 0'])
    const entered = await pathsOf(site, 'southManager')
    expect(entered.begins).toEqual(['Aerial'])
    expect(entered.data[0]?.hops.filter(({ isShown }) => !isShown)).not.toHaveLength(0)
    expect(entered.text).not.toContain('Camera 0')
    expect(entered.data[0]?.hops.map(({ key }) => key)).toContain(`input ${southInputId}`)
  },
)

test('a path in trouble comes first, and is counted for the choice of those alone', async () => {
  const site = await openSiteOn('SQLite')
  await addPath(site)
  const { id } = await addTestEncoder(site, 5)
  await site.ctx.db
    .updateTable('encoders')
    .set({ title: 'A camera', title_key: 'a camera' })
    .where('id', '=', id)
    .execute()
  expect(await pathsOf(site, 'admin')).toMatchObject({
    attention: 0,
    begins: ['A camera', 'Camera 0'],
  })
  site.media.streams.set('live', {
    ...fakeStream('live', { stats: { alive: false } }),
    inputs: [{ url: 'srt://:7100' }],
  })
  site.pollFast()
  await expect
    .poll(async () => pathsOf(site, 'admin'), { timeout: 20_000 })
    .toMatchObject({ attention: 1, total: 2, begins: ['Camera 0', 'A camera'] })
  // A stream that is online may be in trouble too.
  site.media.streams.set('live', {
    ...fakeStream('live', {
      stats: { alive: true, findings: [{ kind: 'black', since: site.ctx.clock() }] },
    }),
    inputs: [{ url: 'srt://:7100', stats: { active: true } }],
  })
  await expect
    .poll(async () => site.ctx.board.streams.channels()[0]?.status.stream?.stats.findings, {
      timeout: 20_000,
    })
    .toHaveLength(1)
  const trouble = await pathsOf(site, 'admin', { show: 'attention' })
  expect(trouble).toMatchObject({ total: 1, attention: 1, begins: ['Camera 0'] })
})
