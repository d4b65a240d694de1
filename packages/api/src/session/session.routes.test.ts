import { HOUR_MS } from '@trunkline/contract/durations'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { jwtLogin, login, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LONGEST_WAIT_MS } from '../security/sign-in-queue.ts'
import { resetPassword } from '../users/user.service.ts'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

test('API-01 AUTH-21 signing in answers who it is, with groups, and a token that works', async () => {
  await using test = await openTestApp()
  const { northManager } = test.people
  const body = { email: `  ${northManager.email.toUpperCase()} `, password: TEST_PASSWORD }
  const { status, answer } = await inject(test.app, login, '', { body })
  expect(status).toBe(200)
  expect(answer.user).toEqual({
    _id: northManager.id,
    id: northManager.id,
    firstName: 'Test',
    lastName: 'northManager',
    fullName: 'Test northManager',
    email: northManager.email,
    mode: { _id: 'manager', name: 'manager' },
    modeInfo: { name: 'manager' },
    groups: [{ _id: test.north, title: 'North' }],
    asksBeforeInterrupting: false,
    language: null,
    times: null,
    isFromProvider: false,
    token: answer.token,
  })
  expect((await inject(test.app, listGroups, answer.token, {})).status).toBe(200)
})

test('API-01 one text for an unknown e-mail and for a wrong password', async () => {
  await using test = await openTestApp()
  const tryWith = async (email: string, password: string) =>
    inject(test.app, login, '', { body: { email, password } })
  const unknown = await tryWith('nobody@trunkline.example', TEST_PASSWORD)
  const wrong = await tryWith(test.people.admin.email, `${TEST_PASSWORD}!`)
  expect([unknown.status, wrong.status]).toEqual([401, 401])
  expect(unknown.text).toBe(wrong.text)
  expect(wrong.failure.error).toBe('Please check your email and password')
})

test('T6 an unknown e-mail costs the same work: neither is answered much sooner', async () => {
  await using test = await openTestApp()
  const cpu = async (email: string) => {
    const before = process.cpuUsage()
    for (let at = 0; at < 10; at++) {
      await inject(test.app, login, '', { body: { email, password: 'x' } })
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await cpu('warm@up.example')
  const isAlike = async () => {
    const [unknown, known] = [await cpu('nobody@b.cc'), await cpu(test.people.admin.email)]
    return unknown < 2 * known && known < 2 * unknown
  }
  // Without the decoy an unknown e-mail costs less than a tenth, in every round; a busy machine may
  // spoil one round or another.
  let hasBeenAlike = false
  for (let round = 0; round < 10 && !hasBeenAlike; round++) hasBeenAlike = await isAlike()
  expect(hasBeenAlike).toBe(true)
})

test('T6 too many tries: 429, when to try again, and still 429 for the right password', async () => {
  await using test = await openTestApp({ signInLimit: 2 })
  const { email } = test.people.admin
  const tryWith = async (password: string) =>
    inject(test.app, login, '', { body: { email, password } })
  await tryWith('a')
  await tryWith('b')
  const refused = await tryWith(TEST_PASSWORD)
  expect([refused.status, refused.failure.code]).toEqual([429, 'too_many'])
  expect(refused.failure.error).toMatch(
    /^Too many attempts to sign in\. Try again in \d+ seconds?\.$/,
  )
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  test.advance(61_000)
  expect((await tryWith(TEST_PASSWORD)).status).toBe(200)
})

/** From this address, through everything a request passes. */
async function signInFrom(test: TestApp, ip: string, password: string): Promise<number> {
  const { statusCode } = await test.app.inject({
    method: 'POST',
    url: login.path,
    remoteAddress: ip,
    payload: { email: test.people.admin.email, password },
  })
  return statusCode
}

async function signInLines(test: TestApp) {
  const lines = test.ctx.db.selectFrom('audit').selectAll().where('call', '=', 'session.login')
  return lines.orderBy('at').orderBy('id').execute()
}

test('T6 guesses from many addresses meet a limit; the owner signs in from theirs at once, from a new one later', async () => {
  await using test = await openTestApp({ signInLimit: 1 })
  expect(await signInFrom(test, '192.0.2.7', TEST_PASSWORD)).toBe(200)
  test.advance(29 * 24 * HOUR_MS)
  for (let at = 0; at < 6; at++) {
    expect(await signInFrom(test, `198.51.100.${at}`, 'x')).toBe(401)
  }
  const turns = waitedTurns()
  expect(await signInFrom(test, '192.0.2.7', TEST_PASSWORD)).toBe(200)
  expect(turns()).toBe(0)
  expect(await signInFrom(test, '192.0.3.8', TEST_PASSWORD)).toBe(200)
  expect(turns()).toBe(1)
})

/** Answers a function that counts the tries that had to wait, of those made one after the other: shortly, here. */
function waitedTurns(): () => number {
  const { setTimeout: inFullLength } = globalThis
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const shortened = (work: () => void, ms = 0) => inFullLength(work, ms < 10_000 ? ms : ms / 100)
  timers.mockImplementation(shortened as typeof setTimeout)
  onTestFinished(() => timers.mockRestore())
  return () => timers.mock.calls.filter(([, ms]) => ms === LONGEST_WAIT_MS).length
}

test('T6 an address of long ago no longer counts as known', async () => {
  await using test = await openTestApp({ signInLimit: 1 })
  expect(await signInFrom(test, '192.0.2.7', TEST_PASSWORD)).toBe(200)
  test.advance(31 * 24 * HOUR_MS)
  for (let at = 0; at < 6; at++) await signInFrom(test, `198.51.100.${at}`, 'x')
  const turns = waitedTurns()
  expect(await signInFrom(test, '192.0.2.7', TEST_PASSWORD)).toBe(200)
  expect(turns()).toBe(1)
})

test('T6 T20 behind a proxy that is trusted the guest’s own address counts, otherwise the proxy’s', async () => {
  const addressSeen = async (trustedProxies: string[]) => {
    await using test = await openTestApp({ trustedProxies })
    await test.app.inject({
      method: 'POST',
      url: login.path,
      remoteAddress: '10.1.2.3',
      headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' },
      payload: { email: test.people.admin.email, password: 'x' },
    })
    return (await signInLines(test)).map(({ ip }) => ip)
  }
  expect(await addressSeen([])).toEqual(['10.1.2.3'])
  expect(await addressSeen(['192.0.2.1'])).toEqual(['10.1.2.3'])
  expect(await addressSeen(['10.0.0.0/8'])).toEqual(['198.51.100.7'])
})

test('T20 a flood of tries beyond the limit leaves one line a window', async () => {
  await using test = await openTestApp({ signInLimit: 2 })
  for (let at = 0; at < 20; at++) await signInFrom(test, '192.0.2.7', 'x')
  test.advance(61_000)
  for (let at = 0; at < 20; at++) await signInFrom(test, '192.0.2.7', 'x')
  const lines = await signInLines(test)
  const wrong = 'wrong e-mail or password'
  const reasons = lines.map(({ reason }) => reason.replace(/\d+ seconds?$/, 'n seconds'))
  const window = [wrong, wrong, 'too many attempts; next attempt allowed in n seconds']
  expect(reasons).toEqual([...window, ...window])
  expect(lines[2]).toMatchObject({
    actor_id: test.people.admin.id,
    object_title: 'Test admin',
    ip: '192.0.2.7',
    result: 'refused',
  })
})

test('T20 sign-ins are noted, right ones and wrong ones, without what was typed', async () => {
  await using test = await openTestApp()
  const { admin } = test.people
  await inject(test.app, login, '', { body: { email: admin.email, password: TEST_PASSWORD } })
  await inject(test.app, login, '', { body: { email: admin.email, password: 'my-other-secret' } })
  await inject(test.app, login, '', { body: { email: 'my-secret', password: 'x' } })
  const lines = await test.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
  expect(lines.map((line) => [line.actor_id, line.result])).toEqual([
    [admin.id, 'done'],
    [admin.id, 'refused'],
    [null, 'refused'],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/secret/)
})

test('API-02 a session check slides the session: a fresh token, good for 12 hours from now', async () => {
  await using test = await openTestApp()
  const first = test.people.northEditor.token
  test.advance(11 * HOUR_MS)
  const renewed = await inject(test.app, jwtLogin, first, {})
  expect(renewed.answer.token).not.toBe(first)
  expect(renewed.answer.user.token).toBe(renewed.answer.token)
  test.advance(11 * HOUR_MS)
  expect((await inject(test.app, jwtLogin, first, {})).status).toBe(401)
  expect((await inject(test.app, jwtLogin, renewed.answer.token, {})).status).toBe(200)
})

test('T5 a session that is renewed all the time ends 7 days after its sign-in', async () => {
  await using test = await openTestApp()
  const { email } = test.people.northEditor
  const signedIn = await inject(test.app, login, '', { body: { email, password: TEST_PASSWORD } })
  let { token } = signedIn.answer
  for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
    test.advance(8 * HOUR_MS)
    ;({ token } = (await inject(test.app, jwtLogin, token, {})).answer)
  }
  test.advance(8 * HOUR_MS)
  const ended = await inject(test.app, jwtLogin, token, {})
  expect([ended.status, ended.failure.error]).toEqual([
    401,
    'Your session has ended. Please sign in again.',
  ])
})

test.each(['null', '{}', ''])('AUTH-13 the body of a session check may be %j', async (payload) => {
  await using test = await openTestApp()
  const answer = await test.app.inject({
    method: 'POST',
    url: jwtLogin.path,
    headers: {
      authorization: `bearer ${test.people.admin.token}`,
      'content-type': 'application/json',
    },
    payload,
  })
  expect(answer.statusCode).toBe(200)
})

test.each<[string, string | undefined]>([
  ['none', undefined],
  ['no scheme', 'x.y.z'],
  ['another scheme', 'Basic eDp5'],
  ['nonsense', 'Bearer nonsense'],
  ['two', 'Bearer a b'],
])('AUTH-23 authorization header: %s', async (_, authorization) => {
  await using test = await openTestApp()
  const answer = await test.app.inject({
    method: 'GET',
    url: listGroups.path,
    headers: authorization === undefined ? {} : { authorization },
  })
  expect(answer.statusCode).toBe(401)
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.json()).toMatchObject({ status: false, code: 'unauthenticated' })
})

test('decisions 19 a new password ends every session of that user at once, and of nobody else', async () => {
  await using test = await openTestApp()
  const { admin, superadmin } = test.people
  const gone: string[] = []
  test.ctx.notices.listen((notice) => {
    if (notice.kind === 'gone') gone.push(notice.userId)
  })
  expect((await inject(test.app, listGroups, admin.token, {})).status).toBe(200)
  expect((await inject(test.app, listGroups, superadmin.token, {})).status).toBe(200)
  expect(await resetPassword(test.ctx, admin.email, 'a new and long one')).toBe(true)
  const refused = await inject(test.app, listGroups, admin.token, {})
  expect([refused.status, refused.failure.error]).toEqual([
    401,
    'Your session was ended. Please sign in again.',
  ])
  expect((await inject(test.app, listGroups, superadmin.token, {})).status).toBe(200)
  expect(gone).toEqual([admin.id])
  const old = { email: admin.email, password: TEST_PASSWORD }
  expect((await inject(test.app, login, '', { body: old })).status).toBe(401)
  const fresh = { email: admin.email, password: 'a new and long one' }
  expect((await inject(test.app, login, '', { body: fresh })).status).toBe(200)
})

test('AUTH-23 Q12 signing out everywhere ends every session of the caller, and of nobody else', async () => {
  await using test = await openTestApp()
  const { admin, superadmin } = test.people
  const body = { email: admin.email, password: TEST_PASSWORD }
  const elsewhere = (await inject(test.app, login, '', { body })).answer.token
  const answer = await inject(test.app, signOutEverywhere, elsewhere, {})
  expect([answer.status, answer.answer]).toEqual([200, { status: true }])
  for (const token of [admin.token, elsewhere]) {
    const ended = await inject(test.app, jwtLogin, token, {})
    expect([ended.status, ended.failure.error]).toEqual([
      401,
      'Your session was ended. Please sign in again.',
    ])
  }
  expect((await inject(test.app, jwtLogin, superadmin.token, {})).status).toBe(200)
  const again = (await inject(test.app, login, '', { body })).answer.token
  expect((await inject(test.app, jwtLogin, again, {})).status).toBe(200)
  const lines = test.ctx.db.selectFrom('audit').selectAll()
  const line = await lines.where('call', '=', 'session.signOutEverywhere').execute()
  expect(line).toMatchObject([{ actor_id: admin.id, object_id: admin.id, result: 'done' }])
})

test.each(['northEditor', 'northMonitor'] as const)(
  'ROLE-11 A %s may sign out everywhere',
  async (who) => {
    await using test = await openTestApp()
    const { token } = test.people[who]
    expect((await inject(test.app, signOutEverywhere, token, {})).status).toBe(200)
    expect((await inject(test.app, listGroups, token, {})).status).toBe(401)
  },
)

test('a revocation by another process is seen within a second, without a notice', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using test = await openTestApp()
  const { admin } = test.people
  expect((await inject(test.app, listGroups, admin.token, {})).status).toBe(200)
  await test.ctx.db
    .updateTable('users')
    .set({ token_version: 2 })
    .where('id', '=', admin.id)
    .execute()
  vi.advanceTimersByTime(1001)
  expect((await inject(test.app, listGroups, admin.token, {})).status).toBe(401)
})

test('a removed user loses access at once', async () => {
  await using test = await openTestApp()
  const { loneManager } = test.people
  await test.ctx.db.deleteFrom('users').where('id', '=', loneManager.id).execute()
  expect((await inject(test.app, jwtLogin, loneManager.token, {})).status).toBe(401)
})

test('AUTH-22 an unknown role may use nothing', async () => {
  await using test = await openTestApp()
  const { admin } = test.people
  await test.ctx.db
    .updateTable('users')
    .set({ role: 'root' as never })
    .where('id', '=', admin.id)
    .execute()
  const { status, failure } = await inject(test.app, listGroups, admin.token, {})
  expect([status, failure.error]).toEqual([403, NOT_AUTHORIZED])
})
