import { HOUR_MS, MINUTE_MS } from '@trunkline/contract/durations'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inject } from '../../testing/inject.ts'
import { signInAs, TEST_PASSWORD, type PersonName } from '../../testing/people.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function signInFrom(test: TestApp, who: PersonName, ip: string): Promise<string> {
  const response = await test.app.inject({
    method: 'POST',
    url: login.path,
    remoteAddress: ip,
    headers: { 'user-agent': FIREFOX },
    payload: { email: test.people[who].email, password: TEST_PASSWORD },
  })
  return response.json<{ token: string }>().token
}

async function sessionsOf(test: TestApp, who: PersonName, token: string) {
  const input = { params: { id: test.people[who].id } }
  return (await inject(test.app, listUserSessions, token, input)).answer.data
}

test('one’s own sessions are listed with device, address and times, the last used first', async () => {
  await using test = await openTestApp()
  const token = await signInFrom(test, 'northMonitor', '203.0.113.9')
  const [newest, first, ...others] = await sessionsOf(test, 'northMonitor', token)
  expect(others).toEqual([])
  expect(newest).toMatchObject({
    isCurrent: true,
    address: '203.0.113.9',
    device: 'Firefox (Linux)',
  })
  expect(newest?.usedAt).toBe(newest?.signedInAt)
  expect(first).toMatchObject({ isCurrent: false, address: '127.0.0.1', device: '' })
})

test('T5 one session is ended alone, its token refused at once', async () => {
  await using test = await openTestApp()
  const { id, token } = test.people.northMonitor
  const lost = await signInFrom(test, 'northMonitor', '203.0.113.9')
  expect((await inject(test.app, listGroups, lost, {})).status).toBe(200)
  const [{ id: sessionId } = { id: '' }] = await sessionsOf(test, 'northMonitor', token)
  const end = async () => inject(test.app, endUserSession, token, { params: { id, sessionId } })
  expect((await end()).status).toBe(200)
  expect((await inject(test.app, listGroups, lost, {})).status).toBe(401)
  expect((await inject(test.app, jwtLogin, lost, {})).status).toBe(401)
  expect((await inject(test.app, jwtLogin, token, {})).status).toBe(200)
  expect((await end()).status).toBe(404)
})

test('T2 a session is not ended under the name of somebody else', async () => {
  await using test = await openTestApp()
  const { northMonitor, southEditor, admin } = test.people
  const [{ id: sessionId } = { id: '' }] = await sessionsOf(test, 'southEditor', admin.token)
  const params = { id: northMonitor.id, sessionId }
  expect((await inject(test.app, endUserSession, northMonitor.token, { params })).status).toBe(404)
  expect((await inject(test.app, jwtLogin, southEditor.token, {})).status).toBe(200)
})

test('ended sessions are not listed: signed out everywhere, unused for long, older than seven days', async () => {
  await using test = await openTestApp()
  const { id } = test.people.northMonitor
  const { token: adminToken } = test.people.admin
  expect(await sessionsOf(test, 'northMonitor', adminToken)).toHaveLength(1)
  await test.ctx.db.updateTable('users').set({ token_version: 2 }).where('id', '=', id).execute()
  expect(await sessionsOf(test, 'northMonitor', adminToken)).toEqual([])
  await signInAs(test.ctx, id)
  expect(await sessionsOf(test, 'northMonitor', adminToken)).toHaveLength(1)
  test.advance(13 * HOUR_MS)
  const later = await signInAs(test.ctx, test.people.admin.id)
  expect(await sessionsOf(test, 'northMonitor', later)).toEqual([])
})

test('the last use and its address are written once in five minutes, however much is called', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using test = await openTestApp()
  const { id, token } = test.people.northMonitor
  const callFrom = async (remoteAddress: string) => {
    // What is remembered of a session is a second old at most.
    vi.advanceTimersByTime(1001)
    const headers = { authorization: `Bearer ${token}` }
    const { statusCode } = await test.app.inject({ url: listGroups.path, headers, remoteAddress })
    expect(statusCode).toBe(200)
  }
  const stored = async () => {
    const rows = test.ctx.db.selectFrom('sessions').selectAll().where('user_id', '=', id)
    const { used_at: usedAt, address } = await rows.executeTakeFirstOrThrow()
    return [usedAt, address] as const
  }
  const atFirst = await stored()
  test.advance(4 * MINUTE_MS)
  await callFrom('203.0.113.9')
  expect(await stored()).toEqual(atFirst)
  test.advance(MINUTE_MS)
  await callFrom('203.0.113.9')
  const [usedAt, address] = await stored()
  expect(address).toBe('203.0.113.9')
  expect(usedAt > atFirst[0]).toBe(true)
  await callFrom('203.0.113.10')
  expect(await stored()).toEqual([usedAt, address])
})
