/** What a change of the own account does: the operator stays signed in here, whatever ends elsewhere. */
import { login, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { sentenceFor } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { askFirst } from '../lib/confirm.ts'
import { beginSession, endSession, outlive, readSession } from '../lib/session.ts'
import { showToast } from '../lib/toast.ts'
import { useReadAgain } from './user.actions.ts'
import {
  OTHERS_SIGNED_OUT,
  SIGN_IN_WITH_NEW_PASSWORD,
  SIGN_OUT_EVERYWHERE_FAILED,
  SIGN_OUT_EVERYWHERE_SENTENCES,
  USER_UPDATED,
} from './user.messages.ts'
import { editBody, type OwnValues } from './user-form.rules.ts'

/** @returns changes the own account and says so; throws ApiError when nothing was changed */
export function useUpdateAccount() {
  const readAgain = useReadAgain()
  return async (id: string, values: OwnValues, version: number | null): Promise<void> => {
    const { asksBeforeInterrupting } = values
    const body = { ...editBody(id, values, version), asksBeforeInterrupting }
    const { newPassword } = body
    if (newPassword === undefined) {
      followAccount((await call(updateUser, { body })).data)
      showToast('success', USER_UPDATED, '')
    } else {
      await outlive(async () => {
        const { data } = await call(updateUser, { body })
        // Whoever logged out meanwhile stays out.
        if (isSignedIn(id)) await signInAgain(id, data.email, newPassword)
      })
    }
    readAgain()
  }
}

/** USER-36. */
function followAccount(account: User): void {
  const session = readSession()
  if (session?.user._id !== account._id) return
  const { firstName, lastName, fullName, email, asksBeforeInterrupting } = account
  const own = { firstName, lastName, fullName, email, asksBeforeInterrupting }
  beginSession({ ...session.user, ...own }, session.token)
}

function isSignedIn(id: string): boolean {
  return readSession()?.user._id === id
}

/** The API has ended every session of this account, this browser's too. */
async function signInAgain(id: string, email: string, password: string): Promise<void> {
  try {
    const { user, token } = await call(login, { body: { email, password } })
    if (!isSignedIn(id)) return
    beginSession(user, token)
    showToast('success', USER_UPDATED, OTHERS_SIGNED_OUT)
  } catch {
    endSession(SIGN_IN_WITH_NEW_PASSWORD)
  }
}

/** Asks, then ends every session of the own account; never throws. */
export async function signOutOfEverything(): Promise<void> {
  const isMeant = await askFirst({
    sentences: SIGN_OUT_EVERYWHERE_SENTENCES,
    doLabel: 'Sign out everywhere',
    keepLabel: 'Stay signed in',
  })
  if (!isMeant) return
  try {
    await outlive(async () => {
      await call(signOutEverywhere, {})
      endSession(null)
    })
  } catch (error) {
    showToast('failure', sentenceFor(error, SIGN_OUT_EVERYWHERE_FAILED), '')
  }
}
