import { jwtLogin } from '@trunkline/contract/session/session.calls'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { afterEach, expect, test } from 'vitest'
import { beginSession, endSession, readSession } from '../lib/session.ts'
import { makeFakeApi } from '../test/fake-api.ts'
import { resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'
import { checkSession } from './session.actions.ts'

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

test('AUTH-17 who has logged out meanwhile stays out', async () => {
  await checkDuring(() => endSession(null))
  expect(readSession()).toBeNull()
})
