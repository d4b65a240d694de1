/**
 * What is typed in a form outlives the end of its session, as when the session expired or was ended
 * elsewhere: whoever signs in again finds it on the same page, or in the same dialog once that is opened
 * again. In memory only, without secrets, and never for somebody else.
 */
import { useEffect, useState } from 'react'
import { hasSignedOut, onSessionEnd, useSession } from '../../lib/session.ts'
import { dropToast, showToast } from '../../lib/toast.ts'
import { hasTyped, type Typed, withoutSecrets } from './secret-fields.rules.ts'
import { TYPED_IS_KEPT, TYPE_SECRETS_AGAIN, TYPED_IS_BACK } from './kept.messages.ts'

interface Kept {
  userId: string
  state: unknown
  /** A secret was typed, and is not kept. */
  lacksSecret: boolean
  /** A page comes back by itself; a dialog has to be opened again. */
  is: 'page' | 'dialog'
}

/** By the place of the form: the path of its page, or the name of its dialog. */
const kept = new Map<string, Kept>()

interface FormPlace {
  is: Kept['is']
  /** '' where nothing is kept. */
  place: string
}

/** Of a dialog or field that names what it is about; undefined in it: of none yet. */
export function dialogPlace(keptAs: readonly (string | undefined)[]): FormPlace {
  return { is: 'dialog', place: keptAs.join(' ') }
}

/** The form as it stood when the session ended; null where it begins as it is saved. */
export function useKeptTyping<S extends Typed>({ place }: FormPlace): S | null {
  const userId = useSession()?.user._id ?? ''
  const [found] = useState(() => {
    const entry = kept.get(place)
    return entry?.userId === userId ? entry : null
  })
  useEffect(() => {
    if (found === null) return
    kept.delete(place)
    dropToast(TYPED_IS_KEPT)
    showToast('warning', TYPED_IS_BACK, found.lacksSecret ? TYPE_SECRETS_AGAIN : '')
  }, [found, place])
  return found === null ? null : (found.state as S)
}

/** By choice, the operator was asked before what is typed is thrown away. */
export function useKeepingTyping(
  { is, place }: FormPlace,
  state: Typed,
  hasChanges: boolean,
): void {
  const userId = useSession()?.user._id ?? ''
  useEffect(
    () =>
      onSessionEnd(() => {
        if (place === '' || userId === '' || !hasChanges || hasSignedOut()) return
        const open = withoutSecrets(state)
        const lacksSecret = open.values !== state.values
        if (hasTyped(open)) kept.set(place, { userId, state: open, lacksSecret, is })
      }),
    [userId, is, place, state, hasChanges],
  )
}

/** After a sign-in: nobody looks for it in a dialog that is closed. */
export function useKeptDialogNotice(userId: string | null): void {
  useEffect(() => {
    const isKept = [...kept.values()].some(
      (entry) => entry.is === 'dialog' && entry.userId === userId,
    )
    if (isKept) showToast('warning', TYPED_IS_KEPT, '')
  }, [userId])
}

/** After a sign-out by choice. */
export function forgetTyping(): void {
  kept.clear()
}
