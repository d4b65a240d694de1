/** What a browser is sent follows from what it shows: at opening, when it changes, and for whom. */
import {
  addEncoder,
  controlEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { readLive, watchLive } from '@trunkline/contract/fleet/fleet.calls'
import { addGroupUser, removeGroupUser } from '@trunkline/contract/groups/group.calls'
import { countsKey, hostKey, programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { everyKey } from '../../testing/every-key.ts'
import { LiveReader } from '../../testing/live-reader.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { openFleet } from '../fleet.service.ts'
import { listenLive } from './live.fixture.ts'

async function open() {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { show } = await listenLive(site)
  const shown = (await addTestEncoder(site, 0)).id
  const other = (await addTestEncoder(site, 1)).id
  return { site, show, shown, other }
}

async function start(site: TestSite, id: string, name: string): Promise<void> {
  const body = { data: { name, command: 'start' } } as const
  await site.call('admin', controlEncoder, { params: { id }, body })
}

test('what is not shown is not sent', async () => {
  const { site, show, shown, other } = await open()
  const live = await show('admin', [programKey('encoder', shown)])
  await start(site, other, 'encoder1')
  await start(site, shown, 'encoder0')
  await live.next('program', ({ state }) => state === 'running')
  expect(new Set(live.of('program').map(({ id }) => id))).toEqual(new Set([shown]))
  expect(live.of('host')).toEqual([])
})

test('what is shown later is sent at once, what is shown no longer is not', async () => {
  const { site, show, shown, other } = await open()
  const live = await show('admin', [programKey('encoder', shown)])
  expect(await live.watch([programKey('encoder', other)])).toBe(200)
  expect(live.of('program').map(({ id }) => id)).toEqual([shown, other])
  await start(site, shown, 'encoder0')
  await start(site, other, 'encoder1')
  await live.next('program', ({ id, state }) => id === other && state === 'running')
  expect(live.of('program').filter(({ id }) => id === shown)).toHaveLength(1)
})

test('what stays in the set is not sent again', async () => {
  const { show, shown, other } = await open()
  const live = await show('admin', [programKey('encoder', shown)])
  await live.watchMore([programKey('encoder', other)])
  expect(live.of('program').map(({ id }) => id)).toEqual([shown, other])
})

test('an older set that comes late changes nothing', async () => {
  const { site, show, shown, other } = await open()
  const live = await show('admin', [])
  await live.watch([])
  await live.watch([programKey('encoder', shown)])
  const body = { connection: live.connection, sequence: 1, keys: [programKey('encoder', other)] }
  expect((await site.call('admin', watchLive, { body })).status).toBe(200)
  await start(site, shown, 'encoder0')
  await live.next('program', ({ id, state }) => id === shown && state === 'running')
  expect(live.of('program').some(({ id }) => id === other)).toBe(false)
})

test('T2 the connection of another person is not found', async () => {
  const { show, site, shown } = await open()
  const live = await show('admin', [])
  const body = { connection: live.connection, sequence: 1, keys: [programKey('encoder', shown)] }
  expect((await site.call('northManager', watchLive, { body })).status).toBe(404)
  await live.watch([])
  expect(live.of('program')).toEqual([])
})

test('T2 whatever a person asks for, only what they may see is sent', async () => {
  const { site, show } = await open()
  await site.call('admin', addEncoder, {
    body: { title: 'South', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.south },
  })
  const keys = everyKey(site.ctx)
  for (const who of ['northManager', 'northMonitor', 'northEditor', 'southManager'] as const) {
    const live = await show(who, keys)
    const { answer } = await site.call(who, readLive, {})
    const { programs, hosts } = answer.data
    const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id).toSorted()
    expect(idsOf(live.of('program'))).toEqual(idsOf(programs))
    expect(idsOf(live.of('host'))).toEqual(idsOf(hosts))
    await live[Symbol.asyncDispose]()
  }
})

test('what goes out of sight stays shown, and comes back with the right to see it', async () => {
  const { site, show, shown } = await open()
  const live = await show('southMonitor', [programKey('encoder', shown), hostKey('encoder', shown)])
  expect(live.of('program')).toEqual([])
  const person = { userId: site.people.southMonitor.id }
  for (let times = 1; times <= 2; times++) {
    await site.call('admin', addGroupUser, { params: { groupId: site.north }, body: person })
    await live.until(() => live.of('program').length === times)
    await site.call('admin', removeGroupUser, { params: { groupId: site.north }, body: person })
    await live.until(() => live.of('unseen').length === times)
  }
  expect(live.of('unseen')).toEqual(
    [1, 2].map(() => ({
      programs: [{ kind: 'encoder', id: shown }],
      hosts: [{ kind: 'encoder', id: shown }],
      streams: [],
    })),
  )
})

test('what does not exist yet comes when it does', async () => {
  const { site, show, shown } = await open()
  const live = await show('southManager', [hostKey('encoder', shown)])
  expect(live.of('host')).toEqual([])
  await site.call('admin', updateEncoder, { body: { _id: shown, groupId: site.south } })
  expect(await live.next('host', () => true)).toMatchObject({ id: shown })
})

test('counts come when they are asked for, and when they change', async () => {
  const { site, show, shown } = await open()
  const live = await show('northManager', [countsKey('encoder', '')])
  expect(live.of('counts')).toMatchObject([{ kind: 'encoder', group: '', total: 2 }])
  expect(live.of('counts')[0]?.families.off).toBe(2)
  await start(site, shown, 'encoder0')
  await live.next('counts', ({ families }) => families.off === 1)
  await addTestEncoder(site, 2)
  await live.next('counts', ({ total }) => total === 3)
  const texts = live.of('counts').map((counts) => JSON.stringify(counts))
  expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([])
})

test('a stream that is opened again begins with what it shows', async () => {
  const { site, show, shown } = await open()
  const first = await show('admin', [programKey('encoder', shown)])
  await first[Symbol.asyncDispose]()
  await start(site, shown, 'encoder0')
  const again = await show('admin', [programKey('encoder', shown)])
  expect(again.connection).not.toBe(first.connection)
  expect(again.of('program')[0]).toMatchObject({ id: shown })
  expect(await again.next('program', ({ state }) => state === 'running')).toMatchObject({
    id: shown,
  })
})

test('two processes on PostgreSQL: a set that reaches the other one opens the stream there', async () => {
  await using stack = new AsyncDisposableStack()
  const { url: databaseUrl } = stack.use(await createPostgresDatabase())
  const site = stack.use(await openTestSite({ databaseUrl }))
  const { id } = await addTestEncoder(site, 0)
  const { secretFile } = site.ctx.config
  const { ctx: second } = stack.use(await makeTestContext({ databaseUrl, secretFile }))
  stack.use(await openFleet(second))
  const secondApp = await buildApp(second)
  stack.defer(async () => secondApp.close())
  const { token } = site.people.northManager
  const here = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const there = await secondApp.listen({ port: 0, host: '127.0.0.1' })
  const keys = [programKey('encoder', id), hostKey('encoder', id)]
  const first = stack.use(await LiveReader.open(here, token))
  const body = JSON.stringify({ connection: first.connection, sequence: 1, keys })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const missed = await fetch(`${there}/api/live/watch`, { method: 'POST', headers, body })
  expect(missed.status).toBe(404)
  const again = stack.use(await LiveReader.open(there, token, keys))
  expect(again.of('program')).toMatchObject([{ id }])
  // A save at the first process is seen at the second.
  await site.call('admin', updateEncoder, { body: { _id: id, groupId: site.south } })
  await again.next('unseen', ({ hosts }) => hosts.some((host) => host.id === id))
})

test('somebody who shows thousands of things is sent them all and stays on the stream', async () => {
  const { site, show, shown } = await open()
  const unknown = Array.from({ length: 4900 }, (_, index) => hostKey('server', `none ${index}`))
  const live = await show('admin', [...unknown, ...everyKey(site.ctx)])
  expect(live.of('program')).toHaveLength(2)
  await start(site, shown, 'encoder0')
  await live.next('program', ({ state }) => state === 'running')
})

test('a client that does not read is cut off, not fed without end', async () => {
  const { site, show, shown } = await open()
  const live = await show('admin', everyKey(site.ctx))
  live.response.pause()
  // Long texts fill what sockets and kernel hold for a reader.
  const cause = 'x'.repeat(400)
  const address = { host: '127.0.0.1', port: site.encoderHost.port }
  for (let times = 0; times < 40_000 && site.ctx.board.isWatched; times++) {
    const state = times % 2 === 0 ? 'backoff' : 'fatal'
    site.encoderHost.change(`encoder-${shown}`, { state, cause: `${times} ${cause}` })
    if (times % 100 === 0) await site.ctx.hosts.call(address, 'probePort', { port: 6000 })
  }
  expect(site.ctx.board.isWatched).toBe(false)
})
