/** API processes that share the hosts of one PostgreSQL: contexts of this process, each with a fleet of its own. */
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { expect, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import {
  openAlarmBoard,
  openMaintenanceBoard,
  openOverrideBoard,
  type Context,
} from '../../context.ts'
import { Board } from '../../fleet/board.ts'
import { FleetCounts } from '../../fleet/counts/fleet-counts.ts'
import { openFleet } from '../../fleet/fleet.service.ts'
import { Programs } from '../../programs/programs.ts'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { OPEN_GUARD } from '../../testing/open-guard.ts'
import { openPostgresDoor, type PostgresDoor } from '../../testing/postgres-door.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { isSameAddress, type HostAddress } from '../host-address.ts'
import { TIMING } from '../host-link.fixture.ts'
import { Hosts } from '../hosts.ts'

export interface SharingProcess {
  ctx: Context
  app: FastifyInstance
  /** Its way to the database. */
  door: PostgresDoor
}

export interface SharedSite extends SharingProcess {
  site: TestSite
  databaseUrl: string
}

/** A site on PostgreSQL with the first process. `more` overrides settings. */
export async function openSharedSite(more: Partial<Config> = {}): Promise<SharedSite> {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const door = await openPostgresDoor(database.url)
  onTestFinished(async () => door[Symbol.asyncDispose]())
  const site = await openTestSite({ ...more, databaseUrl: door.url })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  return { site, ctx: site.ctx, app: site.app, door, databaseUrl: database.url }
}

/** Another process of that site. `end`: in order, as after a signal. */
export async function openAnother(
  { site, databaseUrl }: SharedSite,
  more: Partial<Config> = {},
): Promise<SharingProcess & { end(): Promise<void> }> {
  const stack = new AsyncDisposableStack()
  onTestFinished(async () => stack.disposeAsync())
  const door = stack.use(await openPostgresDoor(databaseUrl))
  const log = pino({ level: 'silent' })
  const hosts = new Hosts({ guard: OPEN_GUARD, log, clock: Date.now, timing: TIMING })
  const programs = new Programs({ hosts, log, clock: Date.now })
  const board = new Board({ hosts, programs, log, clock: Date.now })
  const counts = new FleetCounts({ hosts, programs, board, clock: Date.now })
  const maintenance = openMaintenanceBoard({ hosts, programs, board, clock: Date.now })
  const overrides = openOverrideBoard({ hosts, programs, board })
  const alarms = openAlarmBoard({ hosts, programs, board, clock: Date.now, maintenance })
  const { secretFile } = site.ctx.config
  const parts = { hosts, programs, board, counts, alarms, maintenance, overrides }
  const { ctx } = stack.use(
    await makeTestContext({ ...more, databaseUrl: door.url, secretFile }, () => parts),
  )
  stack.use(hosts)
  stack.use(programs)
  stack.use(board)
  stack.use(counts)
  stack.use(maintenance)
  stack.use(overrides)
  stack.use(alarms)
  stack.use(await openFleet(ctx))
  const app = await buildApp(ctx)
  stack.defer(async () => app.close())
  return { ctx, app, door, end: async () => stack.disposeAsync() }
}

export const HANGS_AFTER = { timeout: 60_000, interval: 10 }

export async function until(isDone: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(isDone()).toBe(true), HANGS_AFTER)
}

/** Everything that people are shown of a host and its programs. */
export function shownBy(ctx: Context, address: HostAddress) {
  return {
    hosts: ctx.hosts
      .recordsAt(address)
      .map((record) => ({ ...ctx.board.host(record), heardAtMs: 0 })),
    programs: [...ctx.programs.allWanted()]
      .filter((wanted) => isSameAddress(wanted.address, address))
      .map((wanted) => ctx.board.look(wanted)),
    capabilities: ctx.hosts.capabilities(address),
  }
}
