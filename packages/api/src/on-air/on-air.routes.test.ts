import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { removeFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { listOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import { addTestFeeder } from '../testing/feeder.fixture.ts'
import { inject } from '../testing/inject.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function titles(site: TestSite, who: 'admin' | 'northEditor' | 'southManager') {
  const { answer } = await site.call(who, listOnAir, {})
  return answer.data.map(({ title }) => title)
}

test.each(BOTH_DATABASES)(
  'an object is put on air, scheduled and taken off, each recorded, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { id } = await addTestEncoder(site, 0)
    const params = { kind: 'encoder' as const, id }
    const first = await site.call('northEditor', putOnAir, { params, body: { note: 'The match' } })
    expect(first.answer.data).toMatchObject({
      title: 'Camera 0',
      isOnAir: true,
      untilMs: null,
      note: 'The match',
      by: 'Test northEditor',
      version: 1,
    })
    expect(await titles(site, 'northEditor')).toEqual(['Camera 0'])
    expect(await titles(site, 'southManager')).toEqual([])

    const body = { from: inHours(1), until: inHours(2), version: 1 }
    const scheduled = await site.call('northManager', putOnAir, { params, body })
    expect(scheduled.answer.data).toMatchObject({ isOnAir: false, version: 2 })
    expect(site.ctx.onAir.onAir().size).toBe(0)
    const late = await site.call('admin', putOnAir, { params, body })
    expect([late.status, late.failure.code]).toEqual([409, 'conflict'])

    expect((await site.call('northEditor', takeOffAir, { params })).status).toBe(200)
    expect((await site.call('northEditor', takeOffAir, { params })).status).toBe(404)
    const gone = await site.call('northEditor', putOnAir, { params, body: { version: 2 } })
    expect(gone.status).toBe(409)
    const { answer } = await site.call('admin', listAudit, { query: { objectKind: 'encoder' } })
    const calls = answer.data.filter(({ result }) => result === 'done').map(({ call }) => call)
    expect(calls.slice(0, 3)).toEqual(['onAir.takeOff', 'onAir.put', 'onAir.put'])
  },
)

test('only who may command a kind puts it on air', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestInput(site, 6000)
  const params = { kind: 'input' as const, id }
  const put = async (who: 'northManager' | 'northEditor' | 'southManager' | 'northMonitor') =>
    (await site.call(who, putOnAir, { params, body: {} })).status
  expect(await put('northEditor')).toBe(404)
  expect(await put('southManager')).toBe(404)
  expect(await put('northMonitor')).toBe(403)
  expect(await put('northManager')).toBe(200)
})

test('an end before its start or in the past is refused by its field', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const params = { kind: 'encoder' as const, id }
  const put = async (from: string | null, until: string) =>
    (await site.call('admin', putOnAir, { params, body: { from, until } })).failure.field
  expect(await put(inHours(2), inHours(1))).toBe('until')
  expect(await put(null, inHours(-1))).toBe('until')
})

test('a mark goes with its object', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const feederName = await addTestFeeder(site, id, 5000)
  const params = { kind: 'feeder' as const, id: feederName }
  await site.call('admin', putOnAir, { params, body: {} })
  expect(await titles(site, 'admin')).toEqual(['to Gateway'])
  const headers = { 'x-trunkline-on-air-override': 'yes' }
  const encoder = { encoderId: id, feederName }
  const removed = await site.call('admin', removeFeeder, { params: encoder, headers })
  expect(removed.status).toBe(200)
  await expect.poll(() => site.ctx.onAir.size, { timeout: 60_000 }).toBe(0)
  expect(await titles(site, 'admin')).toEqual([])
})

test('what one API process puts on air the other guards', async () => {
  const site = await openSiteOn('PostgreSQL')
  const { id } = await addTestEncoder(site, 0)
  const { databaseUrl, secretFile } = site.ctx.config
  const other = await makeTestContext({ databaseUrl, secretFile })
  onTestFinished(async () => other[Symbol.asyncDispose]())
  const app = await buildApp(other.ctx)
  onTestFinished(async () => app.close())
  const params = { kind: 'encoder' as const, id }
  await site.call('northEditor', putOnAir, { params, body: {} })
  await expect.poll(() => other.ctx.onAir.onAir().size, { timeout: 60_000 }).toBe(1)
  const { status } = await inject(app, takeOffAir, site.people.admin.token, { params })
  expect(status).toBe(200)
  await expect.poll(() => site.ctx.onAir.onAir().size, { timeout: 60_000 }).toBe(0)
})
