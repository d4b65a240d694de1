/** What a test does with its session: it ends from outside, and the same person signs in again. */
import { act, screen, waitFor } from '@testing-library/react'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import type { Role } from '@trunkline/contract/roles'
import { expect } from 'vitest'
import { beginSession, endSession } from '../lib/session.ts'
import type { FakeApi } from './fake-api.ts'
import { userOf } from './samples.ts'

export const TYPED_IS_BACK =
  'What you entered before you were signed out is here again. It is not saved.'

/** Who signs in is led back to the page where they were. */
export async function comeBack(
  { api, pathname }: { api: FakeApi; pathname: () => string },
  role: Role,
): Promise<void> {
  const path = pathname()
  act(() => endSession('Your session was ended. Please sign in again.'))
  await screen.findByLabelText('Email')
  const user = userOf(role)
  api.on(jwtLogin).answer(() => ({ status: true, user, token: user.token }))
  act(() => beginSession(user, user.token))
  await waitFor(() => expect(pathname()).toBe(path))
}
