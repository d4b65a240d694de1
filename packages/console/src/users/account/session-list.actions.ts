/** Ending one session of a person. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { endUserSession } from '@trunkline/contract/users/user-session.calls'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { showToast } from '../../lib/toast.ts'
import { END_SESSION_FAILED, SESSION_ENDED, SESSION_ENDED_MORE } from '../user.messages.ts'
import { userSessionsKey } from '../user.queries.ts'

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
