/** A person who is removed between the check of the password and the start of the session. */
import { login } from '@trunkline/contract/session/session.calls'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp } from '../testing/test-app.ts'
import { DATABASES, openTwoProcesses } from '../testing/two-processes.ts'
import * as userSessionService from '../users/sessions/user-session.service.ts'
import { WRONG_PAIR } from './session.service.ts'

test('signing in while the user is removed is answered as a wrong password and recorded as refused', async () => {
  await using test = await openTestApp()
  const { id, email } = test.people.northMonitor
  await sql`create trigger removal before insert on sessions
    begin delete from users where id = new.user_id; end`.execute(test.ctx.db)
  const body = { email, password: TEST_PASSWORD }
  const { status, failure } = await inject(test.app, login, '', { body })
  expect([status, failure.error]).toEqual([401, WRONG_PAIR])
  const lines = test.ctx.db.selectFrom('audit').select(['actor_id', 'result', 'reason'])
  expect(await lines.execute()).toEqual([
    { actor_id: id, result: 'refused', reason: 'the account was removed meanwhile' },
  ])
})

test.each(DATABASES)('on %s nobody who was removed begins a session', async (kind) => {
  await using test = await openTwoProcesses(kind)
  const client = { ip: '192.0.2.1', userAgent: '' }
  const begun = await userSessionService.begin(test.ctx, { id: 'removed', tokenVersion: 1 }, client)
  expect(begun).toBeNull()
})
