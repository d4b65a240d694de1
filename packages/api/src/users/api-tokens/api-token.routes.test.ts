/** T5: API tokens: made once, listed without themselves, and ended. */
import { DAY_MS, MINUTE_MS } from '@trunkline/contract/durations'
import { addGroup, listGroups } from '@trunkline/contract/groups/group.calls'
import { signOutEverywhere } from '@trunkline/contract/session/session.calls'
import {
  addApiToken,
  addServiceToken,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { inject } from '../../testing/inject.ts'
import { LiveReader } from '../../testing/live-reader.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { openTwoProcesses, DATABASES } from '../../testing/two-processes.ts'
import { addTestToken, personOwner } from './api-token.fixture.ts'

const DRAFT = { title: 'Grafana', scope: 'read', days: 30, currentPassword: TEST_PASSWORD } as const
const NOT_VALID =
  'This API token is not valid: it has expired or was revoked. Make another in the console.'

async function makeOwn(site: TestApp, token: string) {
  return inject(site.app, addApiToken, token, { body: DRAFT })
}

async function statusOf(site: TestApp, token: string): Promise<number> {
  return (await inject(site.app, listGroups, token, {})).status
}

test('T5 a token is shown once, works in place of a sign-in, and is stored as a hash', async () => {
  await using site = await openTestApp()
  const { northMonitor } = site.people
  const { status, answer } = await makeOwn(site, northMonitor.token)
  expect(status).toBe(201)
  expect(answer.token).toMatch(/^trk_[0-9a-f]{48}$/)
  expect(answer.data).toMatchObject({
    title: 'Grafana',
    scope: 'read',
    start: answer.token.slice(0, 8),
    owner: { kind: 'person', id: northMonitor.id, fullName: 'Test northMonitor', role: 'monitor' },
    createdBy: 'Test northMonitor',
    usedAt: null,
  })
  const { createdAt, expiresAt } = answer.data
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * DAY_MS)
  expect(await statusOf(site, answer.token)).toBe(200)
  const { text } = await inject(site.app, listOwnApiTokens, northMonitor.token, {})
  const stored = JSON.stringify(await databaseContent(site.ctx))
  expect([text, stored].filter((all) => all.includes(answer.token))).toEqual([])
  expect(stored).toContain(answer.token.slice(0, 8))
})

test('T5 making a token needs the current password of who makes it', async () => {
  await using site = await openTestApp()
  const body = { ...DRAFT, currentPassword: 'not my password' }
  const { status, failure } = await inject(site.app, addApiToken, site.people.admin.token, { body })
  expect([status, failure.field]).toEqual([422, 'currentPassword'])
  const { currentPassword: _, ...without } = DRAFT
  const none = await inject(site.app, addApiToken, site.people.admin.token, { body: without })
  expect([none.status, none.failure.field]).toEqual([400, 'currentPassword'])
  expect(
    (await inject(site.app, listOwnApiTokens, site.people.admin.token, {})).answer.data,
  ).toEqual([])
})

test('a token lives 1 to 365 days', async () => {
  await using site = await openTestApp()
  const make = async (days: number) => {
    const body = { ...DRAFT, days }
    return (await inject(site.app, addApiToken, site.people.admin.token, { body })).status
  }
  expect([await make(0), await make(366), await make(365)]).toEqual([400, 400, 201])
})

test('T5 an expired token is refused', async () => {
  // What is remembered of a token is a second old at most.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using site = await openTestApp()
  const owner = await personOwner(site.ctx, site.people.northMonitor.id)
  const { text } = await addTestToken(site.ctx, owner, { expiresInMs: 60_000 })
  expect(await statusOf(site, text)).toBe(200)
  site.advance(60_000)
  vi.advanceTimersByTime(1001)
  const { status, failure } = await inject(site.app, listGroups, text, {})
  expect([status, failure.error]).toEqual([401, NOT_VALID])
})

test.each(DATABASES)(
  'T5 on %s a revoked token is refused at once, in every process',
  async (kind) => {
    await using site = await openTwoProcesses(kind)
    const { northMonitor } = site.people
    const { answer } = await site.ask(addApiToken, northMonitor.token, { body: DRAFT })
    const call = async () => (await site.ask(listGroups, answer.token, {})).status
    expect([await call(), await call()]).toEqual([200, 200])
    const params = { id: answer.data.id }
    expect((await site.ask(revokeApiToken, northMonitor.token, { params })).status).toBe(200)
    await vi.waitFor(async () => expect([await call(), await call()]).toEqual([401, 401]), {
      timeout: 30_000,
    })
    expect((await site.ask(revokeApiToken, northMonitor.token, { params })).status).toBe(404)
  },
)

test('T5 a live stream that was opened with a token ends when the token is revoked', async () => {
  // An open stream also looks at its token each minute; here it must hear of the end.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using site = await openTestApp()
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { northMonitor } = site.people
  const { answer } = await makeOwn(site, northMonitor.token)
  await using stream = await LiveReader.open(address, answer.token)
  await using own = await LiveReader.open(address, northMonitor.token)
  await stream.until(() => stream.events.length > 0)
  await inject(site.app, revokeApiToken, northMonitor.token, { params: { id: answer.data.id } })
  await stream.until(() => stream.isEnded)
  expect(own.isEnded).toBe(false)
})

test('T5 what ends all sessions of a person ends their tokens', async () => {
  await using site = await openTestApp()
  const { token } = site.people.northMonitor
  const { answer } = await makeOwn(site, token)
  expect(await statusOf(site, answer.token)).toBe(200)
  await inject(site.app, signOutEverywhere, token, {})
  expect(await statusOf(site, answer.token)).toBe(401)
})

test('T2 only an admin revokes the tokens of others, and only a superadmin those of superadmins', async () => {
  await using site = await openTestApp()
  const { superadmin, admin, northManager, northMonitor } = site.people
  const { answer: ofRoot } = await makeOwn(site, superadmin.token)
  const { answer: ofMonitor } = await makeOwn(site, northMonitor.token)
  const revoke = async (by: string, id: string) =>
    (await inject(site.app, revokeApiToken, by, { params: { id } })).status
  const listed = async (by: string) =>
    (await inject(site.app, listApiTokens, by, {})).answer.data.map(({ id }) => id).toSorted()
  expect(await listed(admin.token)).toEqual([ofMonitor.data.id])
  expect(await listed(superadmin.token)).toEqual([ofMonitor.data.id, ofRoot.data.id].toSorted())
  expect(await revoke(northManager.token, ofMonitor.data.id)).toBe(404)
  expect(await revoke(admin.token, ofRoot.data.id)).toBe(404)
  expect(await revoke(admin.token, ofMonitor.data.id)).toBe(200)
  expect(await statusOf(site, ofMonitor.token)).toBe(401)
  expect(await statusOf(site, ofRoot.token)).toBe(200)
})

test('a service has a role and groups of its own; an admin has no groups, others at least 1', async () => {
  await using site = await openTestApp()
  const make = async (role: 'admin' | 'manager' | 'monitor', groupIds: string[]) => {
    const body = { ...DRAFT, scope: 'all' as const, role, groupIds }
    return inject(site.app, addServiceToken, site.people.admin.token, { body })
  }
  const { answer } = await make('monitor', [site.north])
  const groups = (await inject(site.app, listGroups, answer.token, {})).answer.data
  expect(groups.map(({ title }) => title)).toEqual(['North'])
  const statuses = [
    (await make('admin', [site.north])).status,
    (await make('monitor', [])).status,
    (await make('monitor', ['gone'])).status,
  ]
  expect(statuses).toEqual([400, 400, 400])
  // Deleting a group, which nobody may while it is in use, takes it from the service as well.
  await site.ctx.db.deleteFrom('api_token_groups').execute()
  site.ctx.notices.tell({ kind: 'group', id: '', change: 'changed', groupIds: [] })
  expect((await inject(site.app, listGroups, answer.token, {})).answer.data).toEqual([])
})

test('T20 what a token does is in the record of activity with the title of the token', async () => {
  await using site = await openTestApp()
  const { admin, loneManager } = site.people
  const make = { ...DRAFT, title: 'Provisioning', scope: 'all' as const }
  const service = { ...make, role: 'admin' as const, groupIds: [] }
  const own = await inject(site.app, addApiToken, admin.token, { body: make })
  const ofService = await inject(site.app, addServiceToken, admin.token, { body: service })
  for (const [title, { answer }] of [
    ['West', own],
    ['East', ofService],
  ] as const) {
    const body = { title, description: 'd', manager: loneManager.id }
    expect((await inject(site.app, addGroup, answer.token, { body })).status).toBe(201)
  }
  const lines = site.ctx.db.selectFrom('audit').selectAll().where('call', '=', 'groups.add')
  expect(await lines.orderBy('object_title', 'desc').execute()).toMatchObject([
    { actor_id: admin.id, actor_name: 'Test admin', token: 'Provisioning', role: 'admin' },
    { actor_id: ofService.answer.data.id, actor_name: 'Provisioning', token: 'Provisioning' },
  ])
})

test('the last use is written once in a minute, however much is called', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using site = await openTestApp()
  const owner = await personOwner(site.ctx, site.people.northMonitor.id)
  const { id, text } = await addTestToken(site.ctx, owner)
  const useFrom = async (remoteAddress: string) => {
    vi.advanceTimersByTime(1001)
    const headers = { authorization: `Bearer ${text}` }
    await site.app.inject({ url: listGroups.path, headers, remoteAddress })
    const row = site.ctx.db.selectFrom('api_tokens').selectAll().where('id', '=', id)
    const { used_at: usedAt, used_address: address } = await row.executeTakeFirstOrThrow()
    return [usedAt, address] as const
  }
  const first = await useFrom('203.0.113.9')
  expect(first[1]).toBe('203.0.113.9')
  site.advance(MINUTE_MS - 1000)
  expect(await useFrom('203.0.113.10')).toEqual(first)
  site.advance(1000)
  expect((await useFrom('203.0.113.10'))[1]).toBe('203.0.113.10')
})
