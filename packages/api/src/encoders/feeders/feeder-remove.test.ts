import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { findEncoder, removeEncoder } from '@trunkline/contract/encoders/encoder.calls'
import {
  readFeederStatus,
  removeFeeder,
  saveFeeder,
} from '@trunkline/contract/encoders/feeder.calls'
import { describe, expect, test } from 'vitest'
import type { Context, Db } from '../../context.ts'
import type { Notice } from '../../notices.ts'
import { databaseContent } from '../../testing/database-content.ts'
import { FakeHost } from '../../testing/fake-host.ts'
import { addTestFeeder, testFeeder } from '../../testing/feeder.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../../testing/test-site.ts'
import * as feederService from './feeder.service.ts'

async function remove(
  site: TestSite,
  encoderId: string,
  feederName: string,
  who: PersonName = 'northEditor',
) {
  return site.call(who, removeFeeder, { params: { encoderId, feederName } })
}

async function start(site: TestSite, id: string, feederName: string) {
  const body = { id, type: 10 as const, actionType: 'start' as const, feederName }
  return site.call('admin', contributionAction, { body })
}

async function find(site: TestSite, id: string) {
  return (await site.call('admin', findEncoder, { params: { id } })).answer.data
}

async function auditLines(site: TestSite) {
  const lines = await site.ctx.db
    .selectFrom('audit')
    .selectAll()
    .where('call', '=', 'feeders.remove')
    .execute()
  return lines.filter(({ result }) => result === 'done')
}

describe.each(BOTH_DATABASES)('removing a feeder on %s', (kind) => {
  test('FEED-24, Q105 the feeder is ended first; the answer is the encoder without it', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const kept = await addTestFeeder(site, id, 5000)
    const gone = await addTestFeeder(site, id, 5020)
    await start(site, id, gone)
    const before = await find(site, id)
    const heard: Notice[] = []
    site.ctx.notices.listen((notice) => heard.push(notice))
    const calls = site.encoderHost.calls.length
    const { status, answer } = await remove(site, id, gone)
    expect(status).toBe(200)
    const { status: _, data, encoder, ...top } = answer
    expect([top, encoder]).toEqual([data, data])
    expect(data.config?.feeder.map(({ name }) => name)).toEqual([kept])
    expect(data.version).toBe(before.version + 1)
    expect(data).toEqual(await find(site, id))
    // Ended before it is forgotten; then the encoder gets a configuration without it.
    const hostCalls = site.encoderHost.calls.slice(calls).map(({ call }) => call)
    expect(hostCalls).toEqual(['removeProgram', 'applyProgram'])
    expect(site.encoderHost.paramsOf('removeProgram')).toEqual([{ programId: `feeder-${gone}` }])
    expect(site.encoderHost.paramsOf('applyProgram').at(-1)).toMatchObject({
      programId: `encoder-${id}`,
      spec: { feederLegs: [] },
    })
    expect(heard).toEqual([{ kind: 'encoder', id, change: 'changed', groupIds: [site.north] }])
    expect(site.ctx.board.program(`feeder-${gone}`)).toBeNull()
    const params = { encoderId: id, feederName: gone }
    expect((await site.call('admin', readFeederStatus, { params })).status).toBe(404)
  })

  test('its port is free for another, and the encoder can be removed after the last one', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const other = await addTestEncoder(site, 1)
    const name = await addTestFeeder(site, id, 5020)
    await remove(site, id, name)
    expect(await addTestFeeder(site, other.id, 5020)).toMatch(/./)
    const removed = await site.call('northManager', removeEncoder, { params: { id } })
    expect(removed.status).toBe(200)
  })

  test('of two operators who remove it at once one succeeds, the other gets not found', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    const name = await addTestFeeder(site, id, 5000)
    const answers = await Promise.all([remove(site, id, name), remove(site, id, name, 'admin')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await auditLines(site)).toHaveLength(1)
  })

  test('a feeder that is saved while it is removed does not come back', async () => {
    const site = await openSiteOn(kind)
    const { id } = await addTestEncoder(site, 0)
    for (let round = 0; round < 5; round++) {
      const name = await addTestFeeder(site, id, 5000)
      const [removed, saved] = await Promise.all([
        remove(site, id, name),
        site.call('admin', saveFeeder, {
          params: { product: 'acan' },
          body: { _id: id, feederPost: { ...testFeeder(site, 5000), name } },
        }),
      ])
      expect(removed.status).toBe(200)
      expect([200, 404, 409]).toContain(saved.status)
      const { feeders, port_claims } = await databaseContent(site.ctx)
      expect([feeders, port_claims?.join()]).toEqual([[], expect.not.stringContaining('feeder')])
    }
  })
})

test('a feeder that is removed between read and save does not come back', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const name = await addTestFeeder(site, id, 5000)
  const { admin } = site.people
  const actor = { ...admin, fullName: 'Admin', groupIds: [], sessionId: '', ip: '' }
  const body = { _id: id, feederPost: { ...testFeeder(site, 5000), name } }
  const parsed = saveFeeder.body.parse(body)
  const saved = feederService.save(withRemoval(site, id, name), actor, parsed)
  await expect(saved).rejects.toThrow('There is no such feeder.')
  expect((await databaseContent(site.ctx))['feeders']).toEqual([])
})

/** A context in which somebody removes the feeder just before a transaction begins. */
function withRemoval(site: TestSite, id: string, name: string): Context {
  const { ctx } = site
  const transaction = () => ({
    async execute(work: (trx: Db) => Promise<void>) {
      await remove(site, id, name)
      return ctx.db.transaction().execute(work)
    },
  })
  const db = new Proxy(ctx.db, {
    get(target, property) {
      if (property === 'transaction') return transaction
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { ...ctx, db }
}

test('API-34 a feeder of another encoder, or of none, is a 404 and nothing changes', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const other = await addTestEncoder(site, 1)
  const name = await addTestFeeder(site, other.id, 5010)
  const before = await databaseContent(site.ctx)
  for (const [encoderId, feederName] of [
    [id, name],
    [id, 'nowhere'],
    ['nowhere', name],
  ] as const) {
    expect((await remove(site, encoderId, feederName, 'admin')).status).toBe(404)
  }
  expect((await remove(site, id, 'x'.repeat(65), 'admin')).status).toBe(400)
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(site.encoderHost.paramsOf('removeProgram')).toEqual([])
})

test('API-34 a host that cannot end it keeps the feeder, and its message is shown', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const name = await addTestFeeder(site, id, 5000)
  site.encoderHost.refusals.set('removeProgram', 'supervisord does not answer.')
  const before = await databaseContent(site.ctx)
  const { status, failure } = await remove(site, id, name)
  expect(status).toBe(502)
  expect(failure.error).toContain('supervisord does not answer.')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('decisions 9: an unreachable host does not prevent it, and ends the feeder when it is back', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const name = await addTestFeeder(site, id, 5000)
  await start(site, id, name)
  const { port, programs } = site.encoderHost
  await site.encoderHost[Symbol.asyncDispose]()
  expect((await remove(site, id, name)).answer.config?.feeder).toEqual([])
  await using back = await FakeHost.open({ seatKind: 'encoder', port })
  for (const [programId, report] of programs) back.programs.set(programId, report)
  await back.asked('removeProgram')
  expect(back.paramsOf('removeProgram')).toEqual([{ programId: `feeder-${name}` }])
})
