/** API-58: a move that does not come about changes nothing, and the old programs are not touched. */
import { changeServer } from '@trunkline/contract/contributions/contribution.calls'
import { expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { BOTH_DATABASES } from '../../testing/site-on.ts'
import {
  addAcants,
  addFeed,
  addRunningFeed,
  move,
  openMoveSite,
  pidsOf,
  statesOf,
  type Feed,
  type Moved,
  type MoveSite,
} from './server-change.fixture.ts'

/** What keeps the new server from running it, and which words of it the operator reads. */
const TROUBLES: [string, number, string, (there: MoveSite, feed: Feed) => Promise<Moved>][] = [
  [
    'refuses it',
    502,
    'Feed 6000 could not be started on Gateway B: The disk is full. It stays on Server acants.',
    async (there, feed) => {
      there.newHost.refusals.set('applyProgram', 'The disk is full.')
      return move(there, [feed.id])
    },
  ],
  [
    'starts it and it dies',
    502,
    'could not be started on Gateway B: Cannot assign requested address',
    async (there, feed) => {
      there.newHost.startsAs = 'starting'
      const moving = move(there, [feed.id])
      await there.newHost.asked('applyProgram')
      there.newHost.change(`input-${feed.id}`, {
        state: 'backoff',
        cause: 'Cannot assign requested address.',
      })
      return moving
    },
  ],
  [
    'goes away meanwhile',
    502,
    'could not be started on Gateway B: The host does not answer.',
    async (there, feed) => {
      there.newHost.startsAs = 'starting'
      const moving = move(there, [feed.id])
      await there.newHost.asked('applyProgram')
      there.newHost.cut()
      return moving
    },
  ],
  [
    'is silent',
    502,
    'could not be started on Gateway B: The host localhost:',
    async (there, feed) => {
      there.newHost.silentOn.add('applyProgram')
      there.site.pollFast()
      return move(there, [feed.id])
    },
  ],
  [
    'never says that it runs',
    502,
    'It did not run there within 1.5 s.',
    async (there, feed) => {
      there.newHost.startsAs = 'starting'
      there.site.pollFast()
      return move(there, [feed.id])
    },
  ],
]

for (const kind of BOTH_DATABASES) {
  test.each(TROUBLES)(
    `CON-IN-38 API-58 on ${kind}: a new server that %s`,
    async (_, wantedStatus, sentence, attempt) => {
      const there = await openMoveSite(kind)
      const { site, oldHost, newHost } = there
      const feed = await addRunningFeed(there, 6000, 1)
      const before = await databaseContent(site.ctx)
      const [pids, asked] = [pidsOf(oldHost), oldHost.calls.length]
      const { status, failure } = await attempt(there, feed)
      expect([status, failure.failed?.map(({ name }) => name)]).toEqual([wantedStatus, [feed.name]])
      expect(failure.failed?.[0]?.error).toContain(sentence)
      expect(failure.error).toBe(failure.failed?.[0]?.error)
      expect(await databaseContent(site.ctx)).toEqual(before)
      expect(pidsOf(oldHost)).toEqual(pids)
      expect(oldHost.calls.slice(asked)).toEqual([])
      await expect.poll(() => statesOf(newHost)).toEqual({})
      const lines = await site.ctx.db
        .selectFrom('audit')
        .select(['result', 'object_id'])
        .where('call', '=', 'links.changeServer')
        .execute()
      expect(lines).toEqual([{ result: 'failed', object_id: feed.id }])
    },
  )

  test(`API-58 on ${kind}: somebody saves the input while it moves`, async () => {
    const there = await openMoveSite(kind)
    const { site, oldHost, newHost } = there
    const feed = await addRunningFeed(there, 6000, 1)
    newHost.startsAs = 'starting'
    const moving = move(there, [feed.id])
    await newHost.asked('applyProgram')
    newHost.startsAs = 'running'
    const change = site.ctx.db.updateTable('inputs').set({ version: 7 }).where('id', '=', feed.id)
    await change.execute()
    newHost.change(`input-${feed.id}`, { state: 'running' })
    const pids = pidsOf(oldHost)
    const { status, failure } = await moving
    expect([status, failure.error]).toEqual([
      409,
      'Another operator has just changed Feed 6000 or its outputs. It stays on Server acants. Check it, then try again.',
    ])
    expect(pidsOf(oldHost)).toEqual(pids)
    await expect.poll(() => statesOf(newHost)).toEqual({})
    expect(await site.ctx.db.selectFrom('program_copies').selectAll().execute()).toEqual([])
  })
}

test('API-58 a port that is taken on the new server: the owner is named, nothing is started', async () => {
  const there = await openMoveSite('SQLite')
  const { site, newHost } = there
  const mine = await addFeed(site, 6000, 0)
  await move(there, [mine.id])
  await site.ctx.db.deleteFrom('port_claims').where('leg', '=', 'bus').execute()
  const other = await addRunningFeed(there, 6000, 0)
  const asked = newHost.calls.length
  const { status, failure } = await move(there, [other.id])
  expect([status, failure.error]).toEqual([
    409,
    "Port 6000 of host localhost is taken by input 'Feed 6000'. Choose another port.",
  ])
  expect(newHost.calls.slice(asked).map(({ call }) => call)).not.toContain('applyProgram')
})

test('API-58 two inputs of one call that would have the same port there', async () => {
  const there = await openMoveSite('SQLite')
  const { site } = there
  const third = await addAcants(site, 19_998, [site.north], 'third.invalid')
  const first = await addFeed(site, 6000, 0)
  await move(there, [first.id], { newServerId: third })
  const second = await addFeed(site, 6000, 0)
  const { answer } = await move(there, [second.id, first.id])
  expect(answer.moved).toEqual([second.name])
  // By the one that goes with it, or by the one that is there by now.
  expect(answer.failed[0]?.error).toMatch(/^Port 6000 (is also used|of host localhost is taken) /)
})

test('an output that is bound to an address of the old server keeps its input there', async () => {
  const there = await openMoveSite('SQLite')
  const { site } = there
  const feed = await addFeed(site, 6000, 1)
  const [outputId = ''] = feed.outputIds
  const { config } = await site.ctx.db
    .selectFrom('outputs')
    .select('config')
    .where('id', '=', outputId)
    .executeTakeFirstOrThrow()
  const bound = JSON.stringify({ ...(JSON.parse(config) as object), adapterIp: '10.0.0.5' })
  await site.ctx.db.updateTable('outputs').set({ config: bound }).execute()
  const { status, failure } = await move(there, [feed.id])
  expect([status, failure.error]).toEqual([
    409,
    'Its output To hall 0 uses the address 10.0.0.5, which Gateway B does not have. Set that to Any in the output first.',
  ])
})

test('API-58 an invalid request changes nothing and names its field', async () => {
  const there = await openMoveSite('SQLite')
  const { site } = there
  const feed = await addFeed(site, 6000, 0)
  const before = await databaseContent(site.ctx)
  const answered = async (more: object, who?: 'southManager') => {
    const { status, failure } = await move(there, [feed.id], more, who)
    return [status, failure.field ?? failure.error]
  }
  expect(await answered({ localIp: '10.9.9.9' })).toEqual([400, 'localIp'])
  expect(await answered({ adapterId: 7 })).toEqual([400, 'adapterId'])
  expect(await answered({ adapterId: 0, localIp: '127.0.0.2' })).toEqual([400, 'localIp'])
  expect(await answered({ newServerId: site.channelServerId })).toEqual([422, 'newServerId'])
  expect(await answered({ newServerId: 'nowhere' })).toEqual([
    404,
    expect.stringContaining('server'),
  ])
  expect(await answered({ newServerId: site.acantsId })).toEqual([
    409,
    'Feed 6000 is on Server acants already. Choose another server.',
  ])
  expect(await answered({ contributions: ['nothing'] })).toEqual([
    404,
    expect.stringContaining('input'),
  ])
  expect(await answered({}, 'southManager')).toEqual([404, expect.stringContaining('server')])
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('API-58 both servers must be the own ones', async () => {
  const there = await openMoveSite('SQLite')
  const { site } = there
  const feed = await addFeed(site, 6000, 0)
  await site.ctx.db
    .updateTable('server_groups')
    .set({ group_id: site.south })
    .where('server_id', '=', site.acantsId)
    .execute()
  const { status, failure } = await move(there, [feed.id])
  expect([status, failure.error]).toEqual([
    409,
    'Feed 6000 is on a server that none of your groups has. Ask an admin to move it.',
  ])
  expect(
    (
      await site.call('admin', changeServer, {
        body: { newServerId: there.newServerId, contributions: [feed.id], keepOrDelete: '1' },
      })
    ).status,
  ).toBe(200)
})
