/** For tests of what an edit of a user does: the edit, and what is left of the sign-in afterwards. */
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { expect } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { inject, type InjectInput } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import type { TestApp } from '../testing/test-app.ts'

export type Edit = NonNullable<InjectInput<typeof updateUser>['body']>

export async function save(
  test: TestApp,
  who: PersonName,
  whom: PersonName,
  edit: Omit<Edit, '_id'>,
) {
  const body = { _id: test.people[whom].id, ...edit }
  return inject(test.app, updateUser, test.people[who].token, { body })
}

export async function isSignedIn(test: TestApp, who: PersonName): Promise<boolean> {
  return (await inject(test.app, jwtLogin, test.people[who].token, {})).status === 200
}

/** Status of signing in. */
export async function signIn(test: TestApp, email: string, password: string): Promise<number> {
  return (await inject(test.app, login, '', { body: { email, password } })).status
}

/** Status and sentence of an edit that must change nothing. */
export async function refused(test: TestApp, act: () => ReturnType<typeof save>) {
  const before = await databaseContent(test.ctx)
  const { status, failure } = await act()
  expect(await databaseContent(test.ctx)).toEqual(before)
  return [status, failure.error]
}
