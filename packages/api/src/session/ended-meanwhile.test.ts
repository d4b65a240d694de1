/** T5: a session that another process has just ended, and that this one still remembers, leaves nothing behind that lives on. */
import { addGroup, addGroupUser } from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { addUser, listUsers, updateUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { inject, type InjectInput } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

interface Attempt {
  call: Route
  input: (test: TestApp) => InjectInput<Route>
}

function attempt<T extends Route>(call: T, input: (test: TestApp) => InjectInput<T>) {
  return { call, input } as unknown as Attempt
}

const password = {
  newPassword: 'mine from now on',
  newConfirmPassword: 'mine from now on',
  currentPassword: TEST_PASSWORD,
}
const ATTEMPTS = [
  attempt(jwtLogin, () => ({ body: {} })),
  attempt(addUser, () => ({
    body: {
      firstName: 'B',
      lastName: 'D',
      email: 'back@door.example',
      password: 'a long password',
      mode: 'admin' as const,
    },
  })),
  attempt(updateUser, ({ people }) => ({ body: { _id: people.admin.id, ...password } })),
  attempt(addGroup, ({ people }) => ({
    body: { title: 'West', description: 'd', manager: people.loneManager.id },
  })),
  attempt(addGroupUser, ({ people, north }) => ({
    params: { groupId: north },
    body: { userId: people.southEditor.id },
  })),
]

/** As another process does it, which this process does not know yet. */
const ENDINGS = {
  'signed out everywhere': async ({ ctx }: TestApp, userId: string) =>
    ctx.db.updateTable('users').set({ token_version: 2 }).where('id', '=', userId).execute(),
  'signed out': async ({ ctx }: TestApp, userId: string) =>
    ctx.db.deleteFrom('sessions').where('user_id', '=', userId).execute(),
} as const
const CASES = ATTEMPTS.flatMap((item) =>
  (Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).map((ending) => ({ ...item, ending })),
)

test.each(CASES)(
  'T5 $call.name of a session that was just $ending',
  async ({ call, input, ending }) => {
    await using test = await openTestApp()
    const { admin } = test.people
    expect((await inject(test.app, listUsers, admin.token, {})).status).toBe(200)
    await ENDINGS[ending](test, admin.id)
    const before = await databaseContent(test.ctx)
    const { status, failure } = await inject(test.app, call, admin.token, input(test))
    expect([status, failure.error]).toEqual([401, 'Your session was ended. Please sign in again.'])
    expect(await databaseContent(test.ctx)).toEqual(before)
  },
)
