/** Copies on trial are no strays while somebody tries them, and nothing else once that process has ended. */
import { MINUTE_MS } from '@trunkline/contract/durations'
import { expect, onTestFinished, test } from 'vitest'
import pino from 'pino'
import { openFleet } from '../../fleet/fleet.service.ts'
import { Board } from '../../fleet/board.ts'
import type { Context } from '../../context.ts'
import { Hosts } from '../../hosts/hosts.ts'
import { Programs } from '../../programs/programs.ts'
import { fakeReport } from '../../testing/fake-host.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import {
  addFeed,
  addRunningFeed,
  all,
  move,
  openMoveSite,
  relink,
  statesOf,
  type Feed,
  type MoveSite,
} from './server-change.fixture.ts'
import { OPEN_GUARD } from '../../testing/open-guard.ts'
import { TIMING } from '../../hosts/host-link.fixture.ts'

/** Another process on the same database, with links of its own to both hosts. */
async function openOther({
  site,
  oldHost,
  newHost,
}: MoveSite): Promise<Pick<Context, 'hosts' | 'programs'>> {
  const { databaseUrl, secretFile } = site.ctx.config
  const hosts = new Hosts({
    guard: OPEN_GUARD,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    timing: TIMING,
  })
  const log = pino({ level: 'silent' })
  const programs = new Programs({ hosts, log, clock: Date.now })
  const board = new Board({ hosts, programs, log, clock: Date.now })
  const other = await makeTestContext({ databaseUrl, secretFile }, { hosts, programs, board })
  const fleet = await openFleet(other.ctx)
  onTestFinished(async () => {
    await fleet[Symbol.asyncDispose]()
    await board[Symbol.asyncDispose]()
    programs[Symbol.dispose]()
    await hosts[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
  })
  await hosts.linked({ host: '127.0.0.1', port: oldHost.port })
  await hosts.linked({ host: 'localhost', port: newHost.port })
  return { hosts, programs }
}

/** As a process leaves it that ends while it tries the input on the new server. */
async function leaveCopy({ site, newHost }: MoveSite, { id }: Feed, until: Date): Promise<void> {
  const programId = `input-${id}`
  const place = { host_key: 'localhost', port: newHost.port, program_id: programId }
  await site.ctx.db
    .insertInto('program_copies')
    .values({ ...place, until_at: until.toISOString() })
    .execute()
  const report = {
    ...fakeReport(programId, Date.now()),
    state: 'running',
    wanted: 'running',
  } as const
  newHost.programs.set(programId, report)
}

test('another process leaves a copy alone while it is on trial', async () => {
  const there = await openMoveSite('PostgreSQL')
  const { oldHost, newHost } = there
  const feed = await addRunningFeed(there, 6000, 0)
  const { hosts, programs } = await openOther(there)
  newHost.startsAs = 'starting'
  const moving = move(there, [feed.id])
  await newHost.asked('applyProgram')
  await expect.poll(() => hosts.reports({ host: 'localhost', port: newHost.port }).length).toBe(1)
  await programs.settle({ host: 'localhost', port: newHost.port })
  expect(statesOf(newHost)).toEqual(all(feed, 'starting'))
  newHost.change(`input-${feed.id}`, { state: 'running' })
  expect((await moving).answer.moved).toEqual([feed.name])
  await programs.refresh({ by: 'all' })
  expect([statesOf(oldHost), statesOf(newHost)]).toEqual([{}, all(feed, 'running')])
  expect(newHost.paramsOf('removeProgram')).toEqual([])
})

test('a copy whose process has ended is taken off at the next hello, and the old one is not touched', async () => {
  const there = await openMoveSite('PostgreSQL')
  const { oldHost, newHost } = there
  const feed = await addRunningFeed(there, 6000, 0)
  const asked = oldHost.calls.length
  await leaveCopy(there, feed, new Date(Date.now() - MINUTE_MS))
  await relink(there, newHost)
  await expect.poll(() => statesOf(newHost)).toEqual({})
  expect([statesOf(oldHost), oldHost.calls.slice(asked)]).toEqual([all(feed, 'running'), []])
})

test('it is retained until then: another process may be trying it', async () => {
  const there = await openMoveSite('PostgreSQL')
  const { newHost, site } = there
  const feed = await addFeed(site, 6000, 0)
  await leaveCopy(there, feed, new Date(Date.now() + MINUTE_MS))
  await relink(there, newHost)
  await site.ctx.programs.settle({ host: 'localhost', port: newHost.port })
  expect(statesOf(newHost)).toEqual(all(feed, 'running'))
})

test('SQLite has one process: when it begins nothing is on trial', async () => {
  const there = await openMoveSite('SQLite')
  const { newHost, site } = there
  const feed = await addRunningFeed(there, 6000, 0)
  await leaveCopy(there, feed, new Date(Date.now() + MINUTE_MS))
  const fleet = await openFleet(site.ctx)
  await fleet[Symbol.asyncDispose]()
  await relink(there, newHost)
  await expect.poll(() => statesOf(newHost)).toEqual({})
  expect(statesOf(there.oldHost)).toEqual(all(feed, 'running'))
})
