import { renderHook } from '@testing-library/react'
import { jwtLogin, signOut } from '@trunkline/contract/session/session.calls'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import {
  beginSession,
  endSession,
  followOtherTabs,
  onSessionEnd,
  readSession,
} from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { useToasts } from '../lib/toast.ts'
import { makeFakeApi, refuse } from '../test/fake-api.ts'
import { resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'
import { checkSession, endOwnSession } from './session.actions.ts'

afterEach(resetConsole)

/** A check whose answer is on its way while `meanwhile` happens. */
async function checkDuring(meanwhile: (user: SessionUser) => void): Promise<void> {
  const user = userOf('admin')
  const answered = Promise.withResolvers<{ status: true; user: SessionUser; token: string }>()
  makeFakeApi()
    .on(jwtLogin)
    .answer(async () => answered.promise)
  beginSession(user, 'first')
  const check = checkSession()
  meanwhile(user)
  answered.resolve({ status: true, user, token: 'checked' })
  await check
}

test('AUTH-14 the answer to a check replaces the stored token', async () => {
  await checkDuring(() => {})
  expect(readSession()?.token).toBe('checked')
})

test('AUTH-14 a session begun meanwhile, as by a new password, is not replaced by an older one', async () => {
  await checkDuring((user) =>
    beginSession({ ...user, fullName: 'Day Desk' }, 'of the new password'),
  )
  expect(readSession()?.token).toBe('of the new password')
  expect(readSession()?.user.fullName).toBe('Day Desk')
})

test('AUTH-17 a user who has logged out meanwhile stays logged out', async () => {
  await checkDuring(() => endSession(null))
  expect(readSession()).toBeNull()
})

test('ERR-04 AUTH-15 Q11 a check that fails for another reason shows a single notice, and the session stays', async () => {
  const api = makeFakeApi()
  api.on(jwtLogin).answer(() => refuse(500, 'The database is locked.'))
  beginSession(userOf('admin'), 'tok')
  await checkSession()
  await checkSession()
  expect(readSession()?.token).toBe('tok')
  expect(storage.token.read()).toBe('tok')
  const { result } = renderHook(() => useToasts())
  expect(result.current.map(({ title }) => title)).toEqual(['The database is locked.'])
})

test.each([401, 403])('AUTH-15 Q11 a check answered with %d ends the session', async (status) => {
  makeFakeApi()
    .on(jwtLogin)
    .answer(() => refuse(status, 'This account is locked.'))
  beginSession(userOf('admin'), 'tok')
  const reasons: (string | null)[] = []
  onTestFinished(onSessionEnd((reason) => reasons.push(reason)))
  await checkSession()
  expect(readSession()).toBeNull()
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null])
  expect(reasons).toEqual(['This account is locked.'])
})

test('AUTH-18 decisions 36 each call carries the token that is stored now', async () => {
  const api = makeFakeApi()
  const user = userOf('admin')
  api.on(jwtLogin).answer(() => ({ status: true as const, user, token: 'renewed' }))
  beginSession(user, 'first')
  localStorage.setItem('token', 'put there by hand')
  await checkSession()
  expect(api.asked[0]?.headers.get('authorization')).toBe('Bearer put there by hand')
})

test('NAV-16 decisions 36 a removed token is signed out, and is not written back', async () => {
  makeFakeApi()
  beginSession(userOf('admin'), 'tok')
  storage.groupId.write('north')
  const reasons: (string | null)[] = []
  onTestFinished(onSessionEnd((reason) => reasons.push(reason)))
  localStorage.removeItem('token')
  expect(readSession()).toBeNull()
  await Promise.resolve()
  expect(reasons).toEqual([null])
  expect([storage.user.read(), storage.token.read(), storage.groupId.read()]).toEqual([
    null,
    null,
    null,
  ])
})

/** Another tab has removed the token; this one hears of it now. */
function hearRemoval(): void {
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue: 'x', newValue: null }))
}

test('Q14 a sign-out in another tab holds, although a check in this tab stored its token meanwhile', async () => {
  onTestFinished(followOtherTabs())
  await checkDuring(() => {})
  expect(storage.token.read()).toBe('checked')
  hearRemoval()
  expect(readSession()).toBeNull()
  expect(storage.token.read()).toBeNull()
})

test('Q14 a user who has signed in again in another tab stays signed in', async () => {
  onTestFinished(followOtherTabs())
  await checkDuring(() => {})
  localStorage.setItem('token', 'of a new sign-in')
  hearRemoval()
  expect(readSession()?.token).toBe('of a new sign-in')
  expect(storage.token.read()).toBe('of a new sign-in')
})

const STILL_OPEN =
  'The session ends there within 12 hours; to end it now, sign in and use Sign out everywhere.'

test.each([
  ['no answer', 0, `The server did not answer. ${STILL_OPEN}`],
  [
    'too many calls',
    429,
    `The server refused: too many requests from your account at that moment. ${STILL_OPEN}`,
  ],
  ['a full disk', 507, `The server refused: The disk is full. ${STILL_OPEN}`],
])('a log-out that fails by %s says so', async (_, status, sentence) => {
  const api = makeFakeApi()
  api.on(signOut).answer(() => refuse(status, 'The disk is full.'))
  api.setReachable(status !== 0)
  beginSession(userOf('admin'), 'tok')
  await endOwnSession()
  expect(readSession()).toBeNull()
  const { result } = renderHook(() => useToasts())
  expect(result.current.map(({ title, detail }) => [title, detail])).toEqual([
    ['Signed out in this browser only', sentence],
  ])
})
