/** Two ends of a connection between API processes, without hosts and without a database. */
import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeReport } from '../../testing/fake-host.ts'
import type { LinkedHost, LinkEvent } from '../linked-host.ts'
import { PROCESS_PATH, type HostNews } from './process.messages.ts'
import { ProcessLink } from './process-link.ts'
import { ProcessServer } from './process-server.ts'
import { RelayedLink, type Carrier } from './relayed-link.ts'
import { stall } from '../../testing/process/stall.ts'

const log = pino({ level: 'silent' })
const KEY = 'key of the tests'
const ADDRESS = { host: '10.0.0.2', port: 6000 }

/** A process that has the link to this host. */
async function openServer(
  ownLink?: LinkedHost,
  call: () => Promise<unknown> = async () => Promise.resolve(null),
): Promise<ProcessServer> {
  return ProcessServer.open({
    listen: { ip: '127.0.0.1', port: 0 },
    key: KEY,
    processId: () => 'p',
    hosts: {
      ownLink: () => ownLink,
      call,
      reach: async () => Promise.resolve(null),
      settle: async () => Promise.resolve(),
      exclusive: async (_programId, work) => work(),
      refusalsAt: () => new Map(),
    },
    clock: Date.now,
    log,
  })
}

const ANSWER_LIMIT_MS = 1000

interface Received {
  onNews: (news: HostNews) => void
  onLost: (watched: string[]) => void
}

function connect({ address }: ProcessServer, { onNews, onLost }: Partial<Received>): ProcessLink {
  const link = new ProcessLink({
    processId: 'p',
    address,
    key: KEY,
    clock: Date.now,
    log,
    answerLimitMs: ANSWER_LIMIT_MS,
    onNews: (_at, news) => onNews?.(news),
    onRefusal: () => undefined,
    onLost: (watched) => onLost?.([...watched]),
  })
  onTestFinished(() => link.close())
  return link
}

function relay(carrier: Carrier, onEvent: (event: LinkEvent) => void): RelayedLink {
  const about = { address: ADDRESS, carrier, before: undefined, clock: Date.now, graceMs: 60_000 }
  const link = new RelayedLink({ ...about, onEvent })
  onTestFinished(() => link.close())
  return link
}

test('a lost connection reports the hosts that are watched there, and no other', async () => {
  const server = await openServer()
  const lost = Promise.withResolvers<string[]>()
  const link = connect(server, { onLost: lost.resolve })
  link.watch({ host: '10.0.0.1', port: 6000 })
  link.watch(ADDRESS)
  link.unwatch('10.0.0.1:6000')
  await server[Symbol.asyncDispose]()
  expect(await lost.promise).toEqual(['10.0.0.2:6000'])
})

test('who watches a host gets the last report of each transport stream at once', async () => {
  const nowMs = Date.now()
  const transport = {
    programId: 'input-a',
    report: { state: 'unread', reason: 'unicast', atMs: nowMs },
  } as const
  await using stranger = await openServer()
  const known = relay(connect(stranger, {}), () => undefined)
  known.hear({
    type: 'host',
    status: { online: true, sinceMs: nowMs, fault: null },
    heardAtMs: nowMs,
    clockOffsetMs: 0,
    seatKind: 'acants',
    capabilities: null,
    health: null,
    reports: [{ ...fakeReport('input-a', nowMs), readAtMs: nowMs }],
    transports: [transport, { ...transport, programId: 'not-known' }],
  })
  await using server = await openServer(known)
  const events: LinkEvent[] = []
  const reported = Promise.withResolvers<void>()
  const link: RelayedLink = relay(
    connect(server, { onNews: (news) => link.hear(news) }),
    (event) => {
      events.push(event)
      if (event.type === 'readings') reported.resolve()
    },
  )
  await reported.promise
  expect(link.reports.transports()).toEqual([transport])
  expect(events.at(-1)).toEqual({
    type: 'readings',
    programIds: [],
    transportIds: ['input-a'],
  })
})

test('an answer that came while this process was held up counts, though its time is over', async () => {
  let holdsUp = false
  await using stranger = await openServer()
  const known = relay(connect(stranger, {}), () => undefined)
  await using server = await openServer(known, async () => {
    // After the answer is sent.
    if (holdsUp) setImmediate(stall, ANSWER_LIMIT_MS)
    return Promise.resolve({ free: false })
  })
  const link = connect(server, {})
  const ask = async () =>
    link.ask({ type: 'call', host: ADDRESS, name: 'probePort', params: { port: 6000 } })
  await vi.waitFor(ask)
  holdsUp = true
  expect(await ask()).toEqual({ free: false })
})

/** Asks for the link without the key. Resolves once neither end has a connection; `isCut`: as this end wants it. */
async function askWithoutKey({ address }: ProcessServer, isCut: boolean): Promise<string> {
  const socket = connectTo({
    port: Number(address.split(':').at(-1)),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('error', () => undefined).on('data', (text) => (heard += String(text)))
  // Only an end that is closed answers this by a reset, and that shows in the next write.
  const writing = setInterval(() => socket.writable && heard !== '' && socket.write('.'), 5)
  socket.on('close', () => clearInterval(writing))
  await once(socket, 'connect')
  const head = 'host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
  socket.write(`GET ${PROCESS_PATH} HTTP/1.1\r\n${head}`)
  if (isCut) socket.resetAndDestroy()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

test('T16 a stranger without the key is refused and closed, also one that hangs up at once', async () => {
  await using server = await openServer()
  for (let count = 0; count < 20; count += 1) await askWithoutKey(server, true)
  // It does not close its end by itself, and would stay for ever.
  expect(await askWithoutKey(server, false)).toContain('401 Unauthorized')
})
