/**
 * A whole API with its fleet open: people, a host for encoders, one for links, a media server. Hosts
 * are fakes that speak over real sockets; everything else is the product.
 */
import type { Route } from '@trunkline/contract/route'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import {
  openAlarmBoard,
  openMaintenanceBoard,
  openOverrideBoard,
  type Context,
} from '../context.ts'
import { Board } from '../fleet/board.ts'
import { FleetCounts } from '../fleet/counts/fleet-counts.ts'
import { openFleet } from '../fleet/fleet.service.ts'
import type { LinkTiming } from '../hosts/link-timing.ts'
import { Hosts } from '../hosts/hosts.ts'
import { Programs } from '../programs/programs.ts'
import { palConfig } from './encoder.fixture.ts'
import { FAKE_KEY, FakeHost } from './fake-host.ts'
import { FAKE_MEDIA_KEY, FakeMediaServer } from './fake-media-server.ts'
import { inject, type Injected, type InjectInput } from './inject.ts'
import { addPeople, type People, type PersonName } from './people.ts'
import { makeTestContext } from './test-context.ts'
import { OPEN_GUARD } from './open-guard.ts'
import { addGateway } from './server.fixture.ts'

/**
 * Limits only end what hangs: hosts and API share one event loop here, and a busy machine may put
 * it aside for seconds.
 */
const TIMING: LinkTiming = {
  callLimitMs: 60_000,
  beatMs: 30_000,
  retryFirstMs: 10,
  retryLongestMs: 50,
}
/** For a call that is never answered. */
const SOON_MS = 500
/** Each of these dials costs a millisecond of this process, and a long walk makes many hosts that are away. */
const SELDOM_MS = 5000
/** Streams are read again at once, so that no test waits for a pace. */
const PACE = { watchedMs: 50, unwatchedMs: 50 }

export interface TestSite extends AsyncDisposable, People {
  ctx: Context
  app: FastifyInstance
  encoderHost: FakeHost
  linkHost: FakeHost
  media: FakeMediaServer
  /** Servers of group North. */
  acantsId: string
  channelServerId: string
  /** From now on a host that does not answer is given up soon. */
  pollFast(): void
  /** From now on hosts that are away are dialled seldom: for a test that waits for none of them. */
  dialSlowly(): void
  call<T extends Route>(who: PersonName, call: T, input: InjectInput<T>): Promise<Injected<T>>
}

/** `more` overrides settings, such as the database, `parts` members of the context. */
export async function openTestSite(
  more: Partial<Config> = {},
  parts: (opened: Context) => Partial<Context> = () => ({}),
): Promise<TestSite> {
  const stack = new AsyncDisposableStack()
  const encoderHost = stack.use(await FakeHost.open({ seatKind: 'encoder' }))
  const linkHost = stack.use(await FakeHost.open({ seatKind: 'acants' }))
  const media = stack.use(await FakeMediaServer.open())
  const log = pino({ level: 'silent' })
  const timing = { ...TIMING }
  const hosts = new Hosts({ guard: OPEN_GUARD, log, clock: Date.now, timing })
  const programs = new Programs({ hosts, log, clock: Date.now })
  const board = new Board({ hosts, programs, log, clock: Date.now })
  const counts = new FleetCounts({ hosts, programs, board, clock: Date.now })
  const maintenance = openMaintenanceBoard({ hosts, programs, board, clock: Date.now })
  const overrides = openOverrideBoard({ hosts, programs, board })
  const alarms = openAlarmBoard({ hosts, programs, board, clock: Date.now, maintenance })
  const { ctx } = stack.use(
    await makeTestContext(more, (opened) => ({
      hosts,
      programs,
      board,
      counts,
      alarms,
      maintenance,
      overrides,
      ...parts(opened),
    })),
  )
  stack.use(hosts)
  stack.use(programs)
  stack.use(board)
  stack.use(counts)
  stack.use(maintenance)
  stack.use(overrides)
  stack.use(alarms)
  const people = await addPeople(ctx)
  stack.use(await openFleet(ctx, PACE))
  const app = await buildApp(ctx)
  stack.defer(async () => app.close())
  const call: TestSite['call'] = async (who, route, input) =>
    inject(app, route, people.people[who].token, input)
  const server = async (serverType: 'acants' | 'channel', port: number, apiKey: string) => {
    const body = { title: `Server ${serverType}`, port, serverType, apiKey }
    return addGateway({ call, north: people.north }, body)
  }
  return {
    ...people,
    ctx,
    app,
    encoderHost,
    linkHost,
    media,
    acantsId: await server('acants', linkHost.port, FAKE_KEY),
    channelServerId: await server('channel', media.port, FAKE_MEDIA_KEY),
    pollFast: () => {
      timing.callLimitMs = SOON_MS
    },
    dialSlowly: () => {
      timing.retryLongestMs = SELDOM_MS
    },
    call,
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  }
}

/** An encoder of group North on the site's host, configured on this card. */
export async function addTestEncoder(
  site: TestSite,
  cardIdx: number,
): Promise<{ id: string; version: number }> {
  const added = await site.call('admin', addEncoder, {
    body: {
      title: `Camera ${cardIdx}`,
      ip: '127.0.0.1',
      port: site.encoderHost.port,
      groupId: site.north,
      apiKey: cardIdx === 0 ? FAKE_KEY : '',
    },
  })
  const saved = await site.call('admin', updateEncoder, {
    body: {
      _id: added.answer.id,
      users: [site.people.northEditor.id],
      config: palConfig(cardIdx),
    },
  })
  const { id, version } = saved.answer.data
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.encoderHost.port })
  await site.ctx.programs.refresh({ by: 'encoder', id })
  return { id, version }
}
