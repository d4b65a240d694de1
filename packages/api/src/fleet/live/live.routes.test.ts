import { removeChannel, saveChannels } from '@trunkline/contract/channels/channel.calls'
import {
  addEncoder,
  controlEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { health, readLive } from '@trunkline/contract/fleet/fleet.calls'
import { hostKey, streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { addGroupUser } from '@trunkline/contract/groups/group.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tooMany } from '../../errors.ts'
import { fairShareOf } from '../../http/fair-share.ts'
import { everyKey } from '../../testing/every-key.ts'
import { LiveReader } from '../../testing/live-reader.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { resetPassword } from '../../users/user.service.ts'

const HANGS_AFTER_MS = 60_000

let site: TestSite
let address: string
let encoderId: string
const stack: AsyncDisposable[] = []
beforeEach(async () => {
  site = await openTestSite()
  encoderId = (await addTestEncoder(site, 0)).id
  address = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const item of stack.splice(0)) await item[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** Shows everything that the site has, whoever may see it. */
async function watch(who: PersonName): Promise<LiveReader> {
  return show(who, everyKey(site.ctx))
}

async function show(who: PersonName, keys: readonly string[]): Promise<LiveReader> {
  const reader = await LiveReader.open(address, site.people[who].token, keys)
  stack.push(reader)
  return reader
}

const programId = () => `encoder-${encoderId}`

async function startEncoder(): Promise<void> {
  await site.call('admin', controlEncoder, {
    params: { id: encoderId },
    body: { data: { name: 'encoder0', command: 'start' } },
  })
}

test('the health call answers', async () => {
  expect((await site.call('admin', health, {})).answer).toEqual({ status: true })
})

test('T16 a stream is opened by POST alone', async () => {
  const headers = { authorization: `Bearer ${site.people.admin.token}` }
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode } = await site.app.inject({ method, url: '/api/live', headers })
    expect(statusCode).toBe(405)
  }
  expect(site.ctx.board.isWatched).toBe(false)
})

test('a set that is none opens no stream', async () => {
  const headers = { authorization: `Bearer ${site.people.admin.token}` }
  const payload = { sequence: 0, keys: Array.from({ length: 5001 }, (_, index) => `x${index}`) }
  const { statusCode } = await site.app.inject({
    method: 'POST',
    url: '/api/live',
    headers,
    payload,
  })
  expect(statusCode).toBe(400)
  expect(site.ctx.board.isWatched).toBe(false)
})

test('without a session there is no stream', async () => {
  const reader = await LiveReader.open(address, '')
  stack.push(reader)
  expect(reader.response.statusCode).toBe(401)
})

test('the shown states come first, then each change of them', async () => {
  const live = await watch('admin')
  expect(live.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(live.events[0]?.event).toBe('hello')
  expect(live.events.at(-1)).toEqual({ event: 'watching', data: { sequence: 0 } })
  expect(live.of('program')).toMatchObject([{ kind: 'encoder', id: encoderId, state: 'stopped' }])
  expect(live.of('host').filter((host) => host.online).length).toBeGreaterThanOrEqual(2)
  await startEncoder()
  await live.next('program', ({ state }) => state === 'running')
  site.encoderHost.change(programId(), { state: 'backoff', pid: null, cause: 'died', restarts: 1 })
  const died = await live.next('program', ({ state }) => state === 'backoff')
  expect(died).toMatchObject({ kind: 'encoder', id: encoderId, cause: 'died', pid: null })
})

test('decisions 20: no restart event is coalesced', async () => {
  const live = await watch('northMonitor')
  for (let restarts = 1; restarts <= 20; restarts++) {
    site.encoderHost.tell({
      type: 'restart',
      programId: programId(),
      atMs: site.encoderHost.nowMs(),
      restarts,
      cause: 'Ended by SIGKILL',
    })
  }
  await live.next('restart', ({ restarts }) => restarts === 20)
  expect(live.of('restart').map(({ restarts }) => restarts)).toHaveLength(20)
})

test('readings of a second come as one, states in between at once', async () => {
  await startEncoder()
  const live = await watch('admin')
  for (let bitrateKbps = 1; bitrateKbps <= 50; bitrateKbps++) tellReading(bitrateKbps)
  await live.next('program', ({ reading }) => reading?.bitrateKbps === 50)
  // How many seconds the machine took for them is its affair; that the board sends one a second is
  // in board.test.ts.
  expect(live.of('program').filter(({ reading }) => reading !== null).length).toBeLessThan(50)
  tellReading(51)
  site.encoderHost.change(programId(), { state: 'fatal', pid: null })
  await live.next('program', ({ state }) => state === 'fatal')
})

function tellReading(bitrateKbps: number): void {
  const nowMs = site.encoderHost.nowMs()
  site.encoderHost.tell({
    type: 'readings',
    nowMs,
    readings: [
      {
        programId: programId(),
        reading: {
          kind: 'encode',
          atMs: nowMs,
          bitrateKbps,
          framesPerSecond: 25,
          speed: 1,
          droppedFrames: 0,
          duplicatedFrames: 0,
        },
      },
    ],
  })
}

test('F8 programs of an unreachable host become unreachable, with the last reading', async () => {
  await startEncoder()
  const live = await watch('northEditor')
  await site.encoderHost[Symbol.asyncDispose]()
  const lost = await live.next('program', ({ state }) => state === 'unreachable')
  expect(lost.pid).not.toBeNull()
  expect(lost.readAtMs).not.toBeNull()
  const host = await live.next('host', ({ online }) => !online)
  expect(host).toMatchObject({ id: encoderId, kind: 'encoder', fault: null, cause: '' })
})

test('the cause of an unreachable host is sent to admins', async () => {
  const live = await watch('admin')
  await site.encoderHost[Symbol.asyncDispose]()
  const host = await live.next('host', ({ online, cause }) => !online && cause.includes('refuses'))
  expect(host).toMatchObject({ id: encoderId, fault: 'refused' })
})

test.each([
  ['admin', ['encoder', 'input'], 3],
  ['northManager', ['encoder', 'input'], 3],
  ['northEditor', ['encoder'], 3],
  ['northMonitor', ['encoder'], 3],
  ['southManager', [], 0],
  ['southEditor', [], 0],
  ['southMonitor', [], 0],
  ['loneManager', [], 0],
] as const)('ROLE-09 %s gets %j and %i hosts', async (who, kinds, hosts) => {
  await addTestInput(site, 6000)
  const live = await watch(who)
  expect(
    live
      .of('program')
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(kinds)
  expect(live.of('host')).toHaveLength(hosts)
  const counted = live.of('counts').find(({ kind }) => kind === 'encoder')
  expect(counted?.total).toBe(kinds.filter((kind) => kind === 'encoder').length)
  const { answer } = await site.call(who, readLive, {})
  expect(answer.data.programs).toHaveLength(kinds.length)
})

test('T2 nobody of another group receives an event', async () => {
  const [north, south] = [await watch('northManager'), await watch('southManager')]
  await startEncoder()
  const { id } = await addTestInput(site, 6000)
  await north.next('object', (data) => data.kind === 'input' && data.id === id)
  const keys = everyKey(site.ctx)
  for (const live of [north, south]) expect(await live.watch(keys)).toBe(200)
  await north.next('program', ({ kind }) => kind === 'input')
  const own = new Set(['hello', 'beat', 'watching', 'counts'])
  expect(south.events.filter(({ event }) => !own.has(event))).toEqual([])
  expect(south.of('counts').map(({ total }) => total)).toEqual([0, 0, 0, 0, 0])
})

test('objects that become visible are sent, objects that are no longer visible are removed', async () => {
  const live = await watch('southManager')
  await site.call('admin', updateEncoder, { body: { _id: encoderId, groupId: site.south } })
  await live.next('program', ({ id }) => id === encoderId)
  await live.next('host', ({ id }) => id === encoderId)
  await site.call('admin', updateEncoder, { body: { _id: encoderId, groupId: site.north } })
  const unseen = await live.next('unseen', ({ programs }) => programs.length > 0)
  expect(unseen.programs).toEqual([{ kind: 'encoder', id: encoderId }])
})

/** Hosts that are looked at for news of their own: on a busy machine a link may come or go meanwhile. */
function ownNews() {
  const ids = new Set<string>()
  const { hosts, board } = site.ctx
  const stops = [
    hosts.listen((event) => {
      if (event.type === 'host') for (const { id } of hosts.recordsAt(event.address)) ids.add(id)
    }),
    board.followServers((id) => ids.add(id)),
  ]
  return { ids, [Symbol.dispose]: () => stops.forEach((stop) => stop()) }
}

test('API-24 a save is sent to viewers without reading what it does not touch', async () => {
  const keys = everyKey(site.ctx).filter((key) => !key.startsWith('counts'))
  const live = await show('northManager', keys)
  const looks = vi.spyOn(site.ctx.board, 'host')
  using _back = { [Symbol.dispose]: () => looks.mockRestore() }
  using others = ownNews()
  await site.call('admin', updateEncoder, { body: { _id: encoderId, groupId: site.south } })
  await live.next('unseen', ({ hosts }) => hosts.some(({ id }) => id === encoderId))
  await site.call('admin', updateUser, {
    body: { _id: site.people.northEditor.id, firstName: 'Renamed' },
  })
  await live.next('object', ({ kind }) => kind === 'user')
  const unchanged = looks.mock.calls.filter(([{ id }]) => id !== encoderId && !others.ids.has(id))
  expect(unchanged).toEqual([])
})

test('a user who joins a group sees its objects without reloading', async () => {
  const live = await watch('southMonitor')
  await site.call('admin', addGroupUser, {
    params: { groupId: site.north },
    body: { userId: site.people.southMonitor.id },
  })
  expect(await live.next('program', ({ id }) => id === encoderId)).toMatchObject({
    kind: 'encoder',
  })
})

test('an editor receives events of assigned encoders only', async () => {
  const live = await watch('northEditor')
  const other = await site.call('admin', addEncoder, {
    body: { title: 'Other', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.north },
  })
  await site.call('admin', updateEncoder, { body: { _id: encoderId, title: 'Renamed' } })
  await live.next('object', ({ kind }) => kind === 'encoder')
  expect(live.of('object').some(({ id }) => id === other.answer.id)).toBe(false)
})

test('an editor hears that any encoder of the group may have changed, as after missed notices', async () => {
  const [north, south] = [await watch('northEditor'), await watch('southEditor')]
  const notice = { kind: 'encoder', id: '', change: 'changed' } as const
  site.ctx.notices.tell({ ...notice, groupIds: [site.north] })
  site.ctx.notices.tell({ ...notice, groupIds: [site.south] })
  await Promise.all([north, south].map(async (live) => live.next('object', ({ id }) => id === '')))
  for (const live of [north, south]) expect(live.of('object')).toEqual([notice])
})

test('ENC-30 an editor who is assigned or unassigned gets a change of the list', async () => {
  const live = await watch('northEditor')
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'Given', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.north },
  })
  await live.watchMore([hostKey('encoder', answer.id)])
  const tellings = () => live.of('object').filter(({ id }) => id === answer.id).length
  await site.call('admin', updateEncoder, {
    body: { _id: answer.id, users: [site.people.northEditor.id] },
  })
  await live.until(() => tellings() > 0)
  await live.next('host', ({ id }) => id === answer.id)
  const before = tellings()
  await site.call('admin', updateEncoder, { body: { _id: answer.id, users: [] } })
  await live.until(() => tellings() > before)
  const unseen = await live.next('unseen', ({ hosts }) => hosts.length > 0)
  expect(unseen.hosts).toEqual([{ kind: 'encoder', id: answer.id }])
})

test('T5 a revoked session is notified and ended, other users are not', async () => {
  const [revoked, other] = [await watch('northMonitor'), await watch('northEditor')]
  await resetPassword(site.ctx, site.people.northMonitor.email, 'another long password')
  const { error } = await revoked.next('gone', () => true)
  expect(error).toContain('sign in again')
  await revoked.until(() => revoked.isEnded)
  expect(revoked.isEnded).toBe(true)
  expect(other.isEnded).toBe(false)
})

test('a stream of a channel server shows as it is, and as silent when it is', async () => {
  await site.ctx.db
    .insertInto('channels')
    .values({
      id: 'channel1',
      server_id: site.channelServerId,
      name: 'demo',
      title: 'Demo',
      version: 1,
      created_at: '2026-11-20T10:00:00.000Z',
      search: 'demo',
    })
    .execute()
  await site.ctx.db
    .insertInto('channel_groups')
    .values({ channel_id: 'channel1', group_id: site.north })
    .execute()
  site.media.streams.set('demo', { name: 'demo', stats: { alive: true } })
  const notice = {
    kind: 'channel',
    id: 'channel1',
    change: 'added',
    groupIds: [site.north],
  } as const
  const shown = [streamKey(site.channelServerId, 'demo')]
  const [live, south] = [await show('northMonitor', shown), await show('southMonitor', shown)]
  site.ctx.notices.tell(notice)
  await live.next('stream', ({ stream }) => stream?.stats.alive === true)
  await site.media[Symbol.asyncDispose]()
  const silent = await live.next('stream', ({ cause }) => cause.includes('does not answer'))
  expect(silent.stream).toBeNull()
  expect(south.of('stream')).toEqual([])
})

test('Q126 a channel that is removed from the list disappears for those who saw it', async () => {
  site.media.streams.set('demo', { name: 'demo', stats: { alive: true } })
  const saved = await site.call('admin', saveChannels, {
    body: [{ name: 'demo', title: 'Demo', serverId: site.channelServerId, groupIds: [site.north] }],
  })
  const channelId = saved.answer.data[0]?.id ?? ''
  const { streams } = site.ctx.board
  await vi.waitUntil(() => streams.find(site.channelServerId, 'demo') !== null, {
    timeout: HANGS_AFTER_MS,
  })
  const live = await watch('northMonitor')
  expect(new Set(live.of('stream').map(({ streamName }) => streamName))).toEqual(new Set(['demo']))
  await site.call('northManager', removeChannel, { params: { channelId } })
  await live.next(
    'object',
    ({ kind, id, change }) => kind === 'channel' && id === channelId && change === 'removed',
  )
  const { streams: lost } = await live.next('unseen', () => true)
  expect(lost).toEqual([{ serverId: site.channelServerId, streamName: 'demo' }])
})

test('a browser that disconnects leaves nothing behind', async () => {
  const live = await watch('admin')
  expect(site.ctx.board.isWatched).toBe(true)
  await live[Symbol.asyncDispose]()
  await site.ctx.board.unwatched()
  expect(site.ctx.board.isWatched).toBe(false)
})

test('T16 a user has a limited number of streams, and gets them back after disconnecting', async () => {
  const open = await Promise.all(Array.from({ length: 24 }, async () => watch('admin')))
  const more = await LiveReader.open(address, site.people.admin.token)
  stack.push(more)
  expect(more.response.statusCode).toBe(429)
  await (await watch('northManager'))[Symbol.asyncDispose]()
  for (const item of open) await item[Symbol.asyncDispose]()
  await site.ctx.board.unwatched()
  const again = await watch('admin')
  expect(again.events[0]?.event).toBe('hello')
})

test('T16 openings of the live stream count as calls', async () => {
  const counted = vi.spyOn(fairShareOf(site.ctx), 'take').mockImplementation(async () => {
    throw tooMany('Too many calls.', 1)
  })
  using _back = { [Symbol.dispose]: () => counted.mockRestore() }
  const refused = await LiveReader.open(address, site.people.admin.token)
  stack.push(refused)
  expect(refused.response.statusCode).toBe(429)
})

test('G3 the states of a page come while a long list of the same person is read', async () => {
  const endList = await fairShareOf(site.ctx).begin(site.people.admin.id)
  expect((await watch('admin')).of('program').length).toBeGreaterThan(0)
  endList()
})
