/** What a change of the own account does: this session goes on, whatever ends elsewhere; ending one. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { endUserSession } from '@trunkline/contract/users/user-session.calls'
import type { Times } from '@trunkline/contract/session/display.schema'
import type { Language } from '@trunkline/contract/session/language.rules'
import { updateUser } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askFirst } from '../../lib/confirm.ts'
import { keepLanguage } from '../../lib/locale/language.ts'
import { beginSession, endSession, keepSessionDuring, readSession } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { showToast } from '../../lib/toast.ts'
import { changesAccess, editBody, type OwnValues } from '../form/user-form.rules.ts'
import { useReadAgain } from '../user.actions.ts'
import {
  DISPLAY_NOT_SAVED,
  OTHERS_SIGNED_OUT,
  SIGN_OUT_EVERYWHERE_FAILED,
  SIGN_OUT_EVERYWHERE_SENTENCES,
  USER_UPDATED,
  END_SESSION_FAILED,
  SESSION_ENDED,
  SESSION_ENDED_MORE,
} from '../user.messages.ts'
import { userSessionsKey } from '../user.queries.ts'

/** @returns changes the own account and says so; throws ApiError when nothing was changed */
export function useUpdateAccount() {
  const readAgain = useReadAgain()
  return async (
    id: string,
    values: OwnValues,
    { email, version }: { email: string; version: number | null },
  ): Promise<void> => {
    const { asksBeforeInterrupting, currentPassword } = values
    const endsOthers = changesAccess(values, email)
    const body = {
      ...editBody(id, values, version),
      asksBeforeInterrupting,
      ...(endsOthers ? { currentPassword } : {}),
    }
    followAccount((await call(updateUser, { body })).data)
    showToast('success', USER_UPDATED, endsOthers ? OTHERS_SIGNED_OUT : '')
    readAgain()
  }
}

/** USER-36. */
function followAccount(account: User): void {
  const session = readSession()
  if (session?.user._id !== account._id) return
  const { firstName, lastName, fullName, email, asksBeforeInterrupting, language, times } = account
  const own = { firstName, lastName, fullName, email, asksBeforeInterrupting, language, times }
  beginSession({ ...session.user, ...own }, session.token)
}

/**
 * @returns keeps the choice with the own account and with this browser, then loads the page again; says
 *   so when it was not saved, and changes nothing then
 */
export function useChooseDisplay(id: string, version: number | undefined) {
  const { mutate, isPending } = useMutation({
    mutationFn: async (choice: { language: Language } | { times: Times }) =>
      call(updateUser, { body: { _id: id, ...choice, version } }),
    onSuccess: ({ data }, choice) => {
      followAccount(data)
      if ('language' in choice) keepLanguage(choice.language)
      else storage.times.write(choice.times)
      location.reload()
    },
    onError: (error) => showToast('failure', sentenceFor(error, DISPLAY_NOT_SAVED), ''),
  })
  return (choice: { language: Language } | { times: Times }): void => {
    if (!isPending) mutate(choice)
  }
}

/** Asks, then ends every session of the own account; never throws. */
export async function signOutOfEverything(): Promise<void> {
  const isConfirmed = await askFirst({
    sentences: SIGN_OUT_EVERYWHERE_SENTENCES,
    doLabel: 'Sign out everywhere',
    keepLabel: 'Stay signed in',
  })
  if (!isConfirmed) return
  try {
    await keepSessionDuring(async () => {
      await call(signOutEverywhere, {})
      endSession(null)
    })
  } catch (error) {
    showToast('failure', sentenceFor(error, SIGN_OUT_EVERYWHERE_FAILED), '')
  }
}

const ENDING = ['userSession', 'end']

/** True while this session is being ended: a second click does nothing. */
export function useIsEnding(sessionId: string): boolean {
  const isOfIt = (variables: unknown) => variables === sessionId
  return (
    useIsMutating({ mutationKey: ENDING, predicate: ({ state }) => isOfIt(state.variables) }) > 0
  )
}

/** @returns ends one session of that person, and says how it went; never throws */
export function useEndSession(userId: string) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: ENDING,
    mutationFn: async (sessionId: string) =>
      call(endUserSession, { params: { id: userId, sessionId } }),
  })
  return async (sessionId: string): Promise<void> => {
    try {
      await mutateAsync(sessionId)
      showToast('success', SESSION_ENDED, SESSION_ENDED_MORE)
    } catch (error) {
      showToast('failure', sentenceFor(error, END_SESSION_FAILED), '')
    }
    await client.invalidateQueries({ queryKey: userSessionsKey(userId) })
  }
}
