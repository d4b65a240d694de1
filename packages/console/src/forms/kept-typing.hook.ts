/**
 * What is typed on a page outlives the end of its session, as when the session expired or was ended
 * elsewhere: whoever signs in again on the same page finds it there. In memory only, of one form, and
 * never for somebody else.
 */
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onSessionEnd, useSession } from '../lib/session.ts'
import { showToast } from '../lib/toast.ts'
import type { FormState } from './form-state.rules.ts'
import { TYPED_IS_BACK } from './unsaved.messages.ts'

interface Kept {
  userId: string
  pathname: string
  state: unknown
}

let kept: Kept | null = null

/** The form as it stood when the session ended; null where it begins as it is saved. */
export function useKeptTyping<T extends object>() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const userId = useSession()?.user._id ?? ''
  const [state] = useState(() =>
    kept?.userId === userId && kept.pathname === pathname ? (kept.state as FormState<T>) : null,
  )
  useEffect(() => {
    kept = null
    if (state !== null) showToast('warning', TYPED_IS_BACK, '')
  }, [state])
  return { state, pathname, userId }
}

/** By choice, the operator was asked before what is typed is thrown away. */
export function useKeepingTyping<T extends object>(
  { pathname, userId }: Omit<ReturnType<typeof useKeptTyping<T>>, 'state'>,
  state: FormState<T>,
  hasChanges: boolean,
): void {
  useEffect(
    () =>
      onSessionEnd((reason) => {
        if (reason !== null && hasChanges) kept = { userId, pathname, state }
      }),
    [userId, pathname, state, hasChanges],
  )
}
