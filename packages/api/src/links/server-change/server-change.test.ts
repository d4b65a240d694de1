/** API-58, Q144: inputs move with their outputs, and run on the new server before the old ones end. */
import { removeInput } from '@trunkline/contract/contributions/input.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { expect, test } from 'vitest'
import { walkFeeder } from '../../testing/role-walk/things.ts'
import { BOTH_DATABASES } from '../../testing/site-on.ts'
import { addTestEncoder } from '../../testing/test-site.ts'
import {
  addFeed,
  addRunningFeed,
  all,
  move,
  NEW_TITLE,
  OLD_TITLE,
  openMoveSite,
  programIdsOf,
  relink,
  statesOf,
  type Feed,
  type MoveSite,
} from './server-change.fixture.ts'

async function claimsOf({ site }: MoveSite): Promise<string[]> {
  const rows = await site.ctx.db.selectFrom('port_claims').selectAll().execute()
  return rows.map((row) => `${row.host_key} ${row.port} ${row.leg}`).toSorted()
}

async function rowOf({ site }: MoveSite, { id }: Feed) {
  return site.ctx.db
    .selectFrom('inputs')
    .select(['server_id', 'version', 'config'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test.each(BOTH_DATABASES)(
  'CON-IN-38 API-58 Q144 on %s: an input with two outputs runs on the new server before the old one is asked to end it',
  async (kind) => {
    const there = await openMoveSite(kind)
    const { site, oldHost, newHost, newServerId } = there
    const feed = await addRunningFeed(there, 6000, 2)
    const pids = [...oldHost.programs.values()].map(({ pid }) => pid)
    const asked = oldHost.calls.length
    newHost.startsAs = 'starting'
    const moving = move(there, [feed.name], { localIp: '127.0.0.2', adapterId: 1 })
    // A move that is refused asks nothing, and says why below.
    await Promise.race([newHost.asked('applyProgram'), moving])
    newHost.startsAs = 'running'
    expect(oldHost.calls.slice(asked)).toEqual([])
    expect([...oldHost.programs.values()].map(({ pid }) => pid)).toEqual(pids)
    newHost.change(`input-${feed.id}`, { state: 'running' })
    const { status, answer } = await moving
    expect([status, answer.msg, answer.moved, answer.failed]).toEqual([
      200,
      'Server changed successfully..',
      [feed.name],
      [],
    ])
    expect(answer.notes).toEqual([
      { name: feed.name, note: 'Its callers must redial: it listens on 127.0.0.2, port 6000.' },
    ])
    expect(statesOf(newHost)).toEqual(all(feed, 'running'))
    expect(statesOf(oldHost)).toEqual({})
    const row = await rowOf(there, feed)
    expect([row.server_id, row.version]).toEqual([newServerId, 2])
    expect(JSON.parse(row.config)).toMatchObject({ adapterIp: '127.0.0.2', multicastPort: 20_000 })
    expect(await claimsOf(there)).toEqual(['localhost 20000 bus', 'localhost 6000 outer'])
    expect(newHost.paramsOf('applyProgram')).toHaveLength(3)
    expect(site.ctx.board.program(`input-${feed.id}`)?.state).toBe('running')
    const lines = await site.ctx.db.selectFrom('audit').selectAll().execute()
    const line = lines.filter(({ call }) => call === 'links.changeServer')
    expect(line.map(({ result, object_id }) => [result, object_id])).toEqual([['done', feed.id]])
    expect([line[0]?.before, line[0]?.after].join()).toContain(newServerId)
  },
)

test.each(BOTH_DATABASES)(
  'Q144 on %s: kept on the old server the definition stays stopped, whatever happens, until it comes back',
  async (kind) => {
    const there = await openMoveSite(kind)
    const { site, oldHost, newHost } = there
    const feed = await addRunningFeed(there, 6000, 1)
    await move(there, [feed.id], { keepOrDelete: '0' })
    expect(statesOf(oldHost)).toEqual(all(feed, 'stopped'))
    expect([...oldHost.programs.values()].map(({ wanted }) => wanted)).toEqual([
      'stopped',
      'stopped',
    ])
    // Somebody starts it there by hand: it is ended, and kept.
    oldHost.change(`input-${feed.id}`, { state: 'running', wanted: 'running' })
    await expect.poll(() => statesOf(oldHost)).toEqual(all(feed, 'stopped'))
    await relink(there, oldHost)
    await site.ctx.programs.refresh({ by: 'all' })
    expect(statesOf(oldHost)).toEqual(all(feed, 'stopped'))

    const back = await move(there, [feed.id], { newServerId: site.acantsId })
    expect(back.answer.moved).toEqual([feed.name])
    expect(statesOf(oldHost)).toEqual(all(feed, 'running'))
    expect(statesOf(newHost)).toEqual({})
    expect(await site.ctx.db.selectFrom('kept_programs').selectAll().execute()).toEqual([])
  },
)

test('Q144 a kept definition is removed from its server when the input is deleted', async () => {
  const there = await openMoveSite('SQLite')
  const { site, oldHost } = there
  const feed = await addFeed(site, 6000, 0)
  expect(Object.keys(statesOf(oldHost))).toEqual(programIdsOf(feed))
  await move(there, [feed.id], { keepOrDelete: '0' })
  expect(Object.keys(statesOf(oldHost))).toEqual(programIdsOf(feed))
  await site.call('admin', removeInput, { params: { id: feed.id } })
  await expect.poll(() => statesOf(oldHost)).toEqual({})
})

test('a stopped input is only written: it is defined on the new server, not started', async () => {
  const there = await openMoveSite('SQLite')
  const feed = await addFeed(there.site, 6000, 1)
  const { answer } = await move(there, [feed.id])
  expect([answer.moved, answer.notes]).toEqual([[feed.name], []])
  expect(statesOf(there.newHost)).toEqual(all(feed, 'stopped'))
  expect(statesOf(there.oldHost)).toEqual({})
})

test('CON-IN-38 an old server that does not answer does not prevent the move, is named, and ends the program once it is back', async () => {
  const there = await openMoveSite('SQLite')
  const { site, oldHost, newHost } = there
  const feed = await addRunningFeed(there, 6000, 1)
  const { key } = oldHost
  oldHost.key = 'another-key-0001'
  oldHost.cut()
  await oldHost.unlinked()
  await expect
    .poll(() => site.ctx.hosts.status({ host: '127.0.0.1', port: oldHost.port })?.online)
    .toBe(false)
  const { answer } = await move(there, [feed.id])
  expect(answer.moved).toEqual([feed.name])
  expect(answer.notes.map(({ note }) => note)).toContain(
    `${OLD_TITLE} does not answer: the program there is stopped when it is back.`,
  )
  expect([statesOf(oldHost), statesOf(newHost)]).toEqual([
    all(feed, 'running'),
    all(feed, 'running'),
  ])
  oldHost.key = key
  await oldHost.asked('removeProgram', 2)
  await expect.poll(() => statesOf(oldHost)).toEqual({})
})

test('a port of the local bus that the new server has in use is exchanged for a free one', async () => {
  const there = await openMoveSite('SQLite')
  const feed = await addRunningFeed(there, 6000, 1)
  there.newHost.takenPorts.add(20_000)
  await move(there, [feed.id])
  const applied = there.newHost.paramsOf('applyProgram').map(({ spec }) => spec)
  expect(applied.map((spec) => spec.kind !== 'encoder' && spec.local.port)).toEqual([
    20_001, 20_001,
  ])
  expect(await claimsOf(there)).toContain('localhost 20001 bus')
})

test('when one input fails the others still move, and each failure has its reason', async () => {
  const there = await openMoveSite('SQLite')
  const feeds = [await addRunningFeed(there, 6000, 0), await addRunningFeed(there, 6002, 0)]
  there.newHost.takenPorts.add(6002)
  const { status, answer } = await move(there, [...feeds.map(({ name }) => name), 'no-such'])
  expect([status, answer.moved]).toEqual([200, [feeds[0]?.name]])
  expect(answer.failed.map(({ name }) => name)).toEqual([feeds[1]?.name, 'no-such'])
  expect(answer.failed[0]?.error).toContain('Port 6002 is in use by another program on localhost')
  expect(Object.keys(statesOf(there.oldHost))).toEqual([`input-${feeds[1]?.id}`])
})

test(`${NEW_TITLE} on the same machine: a port that is open there already keeps the input where it is`, async () => {
  const there = await openMoveSite('SQLite')
  const { site, newHost, oldHost } = there
  const feed = await addRunningFeed(there, 6000, 0)
  await site.ctx.db
    .updateTable('servers')
    .set({ host: '127.0.0.1', host_key: '127.0.0.1' })
    .where('id', '=', there.newServerId)
    .execute()
  await site.ctx.programs.refresh({ by: 'server', id: there.newServerId })
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: newHost.port })
  const { status, failure } = await move(there, [feed.id], { localIp: '127.0.0.1' })
  expect([status, failure.error]).toEqual([
    409,
    'Both servers are one machine, where port 6000 of Feed 6000 cannot be open twice. Choose another Local IP, or stop it first.',
  ])
  expect(statesOf(oldHost)).toEqual(all(feed, 'running'))
})

test('CON-IN-38 feeders that still send to the old server are named', async () => {
  const there = await openMoveSite('SQLite')
  const { site } = there
  const { id } = await addTestEncoder(site, 0)
  await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: id, feederPost: walkFeeder(site.acantsId, 0) },
  })
  const feed = await addFeed(site, 6000, 0)
  const { answer } = await move(there, [feed.id])
  expect(answer.notes.map(({ note }) => note)).toEqual([
    `1 feeder still sends to ${OLD_TITLE}, port 6000. Point it at ${NEW_TITLE}.`,
  ])
})
