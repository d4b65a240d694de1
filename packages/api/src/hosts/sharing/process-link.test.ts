/** Two ends of a connection between API processes, without hosts and without a database. */
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { fakeReport } from '../../testing/fake-host.ts'
import type { LinkedHost, LinkEvent } from '../linked-host.ts'
import type { HostNews } from './process.messages.ts'
import { ProcessLink } from './process-link.ts'
import { ProcessServer } from './process-server.ts'
import { RelayedLink, type Carrier } from './relayed-link.ts'

const log = pino({ level: 'silent' })
const KEY = 'key of the tests'
const ADDRESS = { host: '10.0.0.2', port: 6000 }

/** A process that has the link to this host. */
async function openServer(ownLink?: LinkedHost): Promise<ProcessServer> {
  return ProcessServer.open({
    listen: { ip: '127.0.0.1', port: 0 },
    key: KEY,
    processId: () => 'p',
    hosts: {
      ownLink: () => ownLink,
      call: async () => Promise.resolve(null),
      reach: async () => Promise.resolve(null),
      settle: async () => Promise.resolve(),
      exclusive: async (_programId, work) => work(),
      refusalsAt: () => new Map(),
    },
    clock: Date.now,
    log,
  })
}

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
    answerLimitMs: 1000,
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
