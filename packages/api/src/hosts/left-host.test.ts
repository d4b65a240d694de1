/** A host whose last record goes while it is away: its program is stopped when the host is back. */
import { DAY_MS } from '@trunkline/contract/durations'
import {
  addEncoder,
  controlEncoder,
  removeEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { FAKE_KEY, FakeHost, fakeReport } from '../testing/fake-host.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'
import type { HostAddress } from './host-address.ts'
import { Hosts } from './hosts.ts'
import { Programs } from '../programs/programs.ts'
import * as leftHostService from './left-host.service.ts'
import * as leftHostStore from './left-host.store.ts'
import { OPEN_GUARD } from '../testing/open-guard.ts'

async function addRunning(site: TestSite): Promise<string> {
  const { id } = await addTestEncoder(site, 0)
  const body = { data: { name: 'encoder0', command: 'start' as const } }
  await site.call('admin', controlEncoder, { params: { id }, body })
  return id
}

/** The same machine, with what it ran, on the air again. */
async function comeBack({ port, programs }: FakeHost, key: string = FAKE_KEY): Promise<FakeHost> {
  const back = await FakeHost.open({ seatKind: 'encoder', port, key })
  onTestFinished(async () => back[Symbol.asyncDispose]())
  for (const [programId, report] of programs) back.programs.set(programId, report)
  return back
}

async function leftHosts(site: TestSite) {
  return site.ctx.db.selectFrom('left_hosts').select(['host_key', 'port']).execute()
}

/** Looks again at whatever the fleet tells. */
async function until(site: TestSite, isDone: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const release = site.ctx.hosts.listen(() => resolve())
    const done = await isDone()
    if (!done) await promise
    release()
    if (done) return
  }
}

/** Neither a record nor a left host names the address any more. */
async function hungUp(site: TestSite, address: HostAddress): Promise<void> {
  await until(site, async () => Promise.resolve(site.ctx.hosts.status(address) === null))
}

describe.each(BOTH_DATABASES)('hosts that are left on %s', (kind) => {
  test('Q69 an unreachable host does not prevent it: its programs are ended when it is back', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const address = { host: '127.0.0.1', port: site.encoderHost.port }
    await site.encoderHost[Symbol.asyncDispose]()
    const removed = await site.call('admin', removeEncoder, { params: { id } })
    expect(removed.status).toBe(200)
    expect(await leftHosts(site)).toEqual([{ host_key: '127.0.0.1', port: address.port }])
    expect(site.ctx.hosts.records().some(({ kind: recordKind }) => recordKind === 'encoder')).toBe(
      false,
    )
    const back = await comeBack(site.encoderHost)
    await hungUp(site, address)
    expect(back.paramsOf('removeProgram')).toEqual([{ programId: `encoder-${id}` }])
    expect(back.programs.size).toBe(0)
    expect(await leftHosts(site)).toEqual([])
  })

  test('a host that is silent at that moment is left too', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const address = { host: '127.0.0.1', port: site.encoderHost.port }
    site.encoderHost.silentOn.add('removeProgram')
    site.pollFast()
    const removed = await site.call('admin', removeEncoder, { params: { id } })
    expect(removed.status).toBe(200)
    expect(await leftHosts(site)).toHaveLength(1)
    site.encoderHost.silentOn.clear()
    site.encoderHost.cut()
    await hungUp(site, address)
    expect(site.encoderHost.programs.size).toBe(0)
    expect(await leftHosts(site)).toEqual([])
  })
})

test('a left host that gets an encoder again keeps its link, and is cleaned up with the new key', async () => {
  const site = await openSiteOn('SQLite')
  const id = await addRunning(site)
  const address = { host: '127.0.0.1', port: site.encoderHost.port }
  await site.encoderHost[Symbol.asyncDispose]()
  await site.call('admin', removeEncoder, { params: { id } })
  const apiKey = 'a-new-key-of-the-host'
  await site.call('admin', addEncoder, {
    body: { title: 'Again', ip: '127.0.0.1', port: address.port, groupId: site.north, apiKey },
  })
  const back = await comeBack(site.encoderHost, apiKey)
  await back.asked('removeProgram')
  await until(site, async () => (await leftHosts(site)).length === 0)
  expect(site.ctx.hosts.status(address)).toMatchObject({ online: true })
  expect(back.programs.size).toBe(0)
})

test('a restarted API remembers its left hosts, and forgets a host without our programs', async () => {
  const host = await FakeHost.open({ seatKind: 'encoder' })
  onTestFinished(async () => host[Symbol.asyncDispose]())
  host.programs.set('encoder-gone', fakeReport('encoder-gone', Date.now()))
  const address = { host: '127.0.0.1', port: host.port }
  const timing = { callLimitMs: 60_000, beatMs: 30_000, retryFirstMs: 10, retryLongestMs: 50 }
  const hosts = new Hosts({
    guard: OPEN_GUARD,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    timing,
  })
  onTestFinished(async () => hosts[Symbol.asyncDispose]())
  const left = [{ address, apiKey: FAKE_KEY }]
  const { promise: forgotten, resolve: forget } = Promise.withResolvers<HostAddress>()
  const programs = new Programs({ hosts, log: pino({ level: 'silent' }), clock: Date.now })
  onTestFinished(() => programs[Symbol.dispose]())
  await programs.open({
    readRecords: async () => Promise.resolve([]),
    readAllRecords: async function* () {
      yield Promise.resolve([])
    },
    readPrograms: async () => Promise.resolve([]),
    readAllPrograms: async function* () {},
    readLeftHosts: async () => Promise.resolve([...left]),
    retainedAt: async () => Promise.resolve(null),
    dropOutdated: async () => Promise.resolve([]),
    forgetLeftHost: async (item) => {
      left.splice(0)
      forget(item)
      return Promise.resolve()
    },
  })
  expect(await forgotten).toEqual(address)
  expect(host.programs.size).toBe(0)
})

test('a host that does not come back in thirty days is given up', async () => {
  await using test = await makeTestContext()
  const { ctx } = test
  const host = (port: number) => ({
    address: { host: 'enc.example.org', port },
    apiKeySealed: ctx.keys.seal(FAKE_KEY),
  })
  await leftHostService.leave(ctx, ctx.db, host(8000))
  test.advance(29 * DAY_MS)
  expect(await leftHostService.list(ctx)).toEqual([
    { address: { host: 'enc.example.org', port: 8000 }, apiKey: FAKE_KEY },
  ])
  test.advance(2 * DAY_MS)
  expect(await leftHostService.list(ctx)).toEqual([])
  await leftHostService.leave(ctx, ctx.db, host(8001))
  expect(await ctx.db.selectFrom('left_hosts').select('port').execute()).toEqual([{ port: 8001 }])
})

describeOnBothDatabases('Left hosts', (open) => {
  test('left hosts are kept once each, with their latest key', async () => {
    const db = await open()
    const address = { host: 'enc.example.org', port: 8000 }
    await leftHostStore.put(db, { address, apiKeySealed: 'one' }, '2026-11-20T10:00:00.000Z')
    await leftHostStore.put(db, { address, apiKeySealed: 'two' }, '2026-11-21T10:00:00.000Z')
    expect(await leftHostStore.list(db, '2026-11-20T12:00:00.000Z')).toEqual([
      { address, apiKeySealed: 'two' },
    ])
    expect(await leftHostStore.list(db, '2026-11-21T10:00:00.000Z')).toEqual([])
    await leftHostStore.remove(db, { ...address, port: 8001 })
    expect(await leftHostStore.list(db, '')).toHaveLength(1)
    await leftHostStore.remove(db, address)
    expect(await leftHostStore.list(db, '')).toEqual([])
  })
})
