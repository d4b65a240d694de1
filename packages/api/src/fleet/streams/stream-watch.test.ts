import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostRecord } from '../../hosts/host-record.ts'
import { Hosts } from '../../hosts/hosts.ts'
import { Programs } from '../../programs/programs.ts'
import { FAKE_MEDIA_KEY, FakeMediaServer, fakeStream } from '../../testing/fake-media-server.ts'
import { Board, type BoardEvent } from '../board.ts'
import { StreamWatch, WATCH_PACE } from './stream-watch.ts'
import { OPEN_GUARD } from '../../testing/open-guard.ts'

const log = pino({ level: 'silent' })
const HANGS_AFTER_MS = 60_000
const LIST = /^GET .*\/streams\?/

let media: FakeMediaServer
let stack: AsyncDisposableStack
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  media = stack.use(await FakeMediaServer.open())
  media.streams.set('demo', fakeStream('demo'))
})
afterEach(async () => stack.disposeAsync())

function record(server: FakeMediaServer, id: string): HostRecord {
  return {
    id,
    kind: 'server',
    answerer: 'media server',
    address: { host: '127.0.0.1', port: server.port },
    baseUrl: server.baseUrl,
    apiKey: FAKE_MEDIA_KEY,
    groupIds: [],
    editorIds: [],
    createdAtMs: 0,
  }
}

async function openWatch(pace: { watchedMs: number; unwatchedMs: number }) {
  const records = [record(media, 's1')]
  const hosts = stack.use(new Hosts({ guard: OPEN_GUARD, log, clock: Date.now }))
  const programs = stack.use(new Programs({ hosts, log, clock: Date.now }))
  const board = stack.use(new Board({ hosts, programs, log, clock: Date.now }))
  board.streams.setChannels([{ id: 'c1', serverId: 's1', name: 'demo', groupIds: [] }])
  await programs.open({
    readRecords: async () => Promise.resolve([...records]),
    readAllRecords: async function* () {
      yield Promise.resolve([...records])
    },
    readLeftHosts: async () => Promise.resolve([]),
    retainedAt: async () => Promise.resolve(null),
    dropOutdated: async () => Promise.resolve([]),
    forgetLeftHost: async () => Promise.resolve(),
    readPrograms: async () => Promise.resolve([]),
    readAllPrograms: async function* () {},
  })
  const watch = new StreamWatch({ hosts, board, log, pace })
  stack.defer(() => watch.close())
  watch.follow()
  return { board, hosts, watch, records }
}

test('each server is asked at once, and again at its pace', async () => {
  const { board } = await openWatch({ watchedMs: 10, unwatchedMs: 10 })
  await media.asked(LIST, 3)
  expect(board.streams.find('s1', 'demo')?.stream?.name).toBe('demo')
})

test('while somebody watches, a server is asked twice within the 2 s that a state may be late', () => {
  expect(WATCH_PACE.watchedMs * 2).toBeLessThanOrEqual(2000)
})

test('a new viewer does not wait for the slow pace', async () => {
  const { board } = await openWatch({ watchedMs: 10, unwatchedMs: 3_600_000 })
  await media.asked(LIST)
  board.listen(() => undefined)
  await media.asked(LIST, 3)
  expect(board.isWatched).toBe(true)
})

test('a server that has not answered yet does not wait for the slow pace', async () => {
  media.answer = (_, response) => void response.destroy()
  const { board } = await openWatch({ watchedMs: 10, unwatchedMs: 3_600_000 })
  await media.asked(LIST, 2)
  media.answer = null
  const asked = media.requests.length
  await media.asked(LIST, asked + 1)
  await vi.waitFor(() => expect(board.streams.server('s1')?.online).toBe(true))
})

test('browsers that connect and disconnect cause no more requests to servers', async () => {
  const { board, hosts, watch, records } = await openWatch({
    watchedMs: 3_600_000,
    unwatchedMs: 3_600_000,
  })
  await vi.waitUntil(() => board.streams.server('s1') !== null, { timeout: HANGS_AFTER_MS })
  for (let browser = 0; browser < 20; browser++) {
    board.listen(() => undefined)()
  }
  // One that is new is asked at once, so the first would have been asked before it.
  const other = stack.use(await FakeMediaServer.open())
  records.push(record(other, 's2'))
  await hosts.sync({ by: 'all' })
  watch.follow()
  await other.asked(LIST)
  expect(media.requests).toHaveLength(1)
})

test('F10 a silent server gets one request at a time, and delays no other', async () => {
  const { board, hosts, watch, records } = await openWatch({ watchedMs: 5, unwatchedMs: 5 })
  await media.asked(LIST)
  media.isSilent = true
  const other = stack.use(await FakeMediaServer.open())
  records.push(record(other, 's2'))
  await hosts.sync({ by: 'all' })
  watch.follow()
  board.listen(() => undefined)
  await other.asked(LIST, 5)
  const open = media.requests.length
  await other.asked(LIST, 15)
  expect(media.requests.length - open).toBeLessThanOrEqual(1)
})

test('a server that becomes unreachable is reported once, and its return too', async () => {
  const { board } = await openWatch({ watchedMs: 5, unwatchedMs: 5 })
  const events: BoardEvent[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  board.listen((event) => {
    events.push(event)
    if (event.event === 'stream' && event.data.stream === null) resolve()
  })
  await media.asked(LIST, 2)
  await media[Symbol.asyncDispose]()
  await promise
  const hosts = events.filter((event) => event.event === 'host')
  expect(hosts.at(-1)).toMatchObject({ data: { online: false } })
  expect(board.streams.find('s1', 'demo')?.cause).toContain('does not answer')
})

test('a server that was removed is asked no more', async () => {
  const { board, hosts, watch, records } = await openWatch({ watchedMs: 5, unwatchedMs: 5 })
  await media.asked(LIST)
  records.splice(0)
  await hosts.sync({ by: 'all' })
  watch.follow()
  expect(board.streams.server('s1')).toBeNull()
})

test('SRV-02 the time of the last answer of a media server is stored, and sends no event by itself', async () => {
  const { board, hosts } = await openWatch({ watchedMs: 5, unwatchedMs: 5 })
  const [server] = hosts.records()
  if (server === undefined) throw new Error('There is no server.')
  expect(board.host(server).heardAtMs).toBeNull()
  const events: BoardEvent[] = []
  board.listen((event) => events.push(event))
  await media.asked(LIST, 2)
  const first = board.streams.server('s1')
  expect(first?.heardAtMs).toBe(first?.sinceMs)
  const hostEvents = () => events.filter(({ event }) => event === 'host').length
  await vi.waitUntil(() => (board.host(server).heardAtMs ?? 0) > (first?.sinceMs ?? Infinity), {
    timeout: HANGS_AFTER_MS,
  })
  expect(hostEvents()).toBe(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  board.listen(({ event }) => {
    if (event === 'host') resolve()
  })
  await media[Symbol.asyncDispose]()
  await promise
  const away = board.host(server)
  expect(away).toMatchObject({ online: false, heardAtMs: board.streams.server('s1')?.heardAtMs })
  expect(away.heardAtMs).toBeGreaterThan(first?.sinceMs ?? Infinity)
})
