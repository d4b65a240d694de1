/**
 * Asks inside a dialog before what was entered there is thrown away: by a click
 * beside it, or by a link or the browser's way back. A second dialog over the first would hide what is at
 * stake.
 */
import { useState } from 'react'

export interface LeaveQuestion {
  hasChanges: boolean
  /** The question stands, and waits for `answer`. */
  isAsking: boolean
  /** True: leave it. */
  answer: (isConfirmed: boolean) => void
  /** @returns true at once when there is nothing to lose */
  ask: () => Promise<boolean>
}

/** `hasChanges`: something is lost by leaving; not while it is being saved, which may itself leave. */
export function useLeaveQuestion(
  hasChanges: boolean,
  isSaving: () => boolean = () => false,
): LeaveQuestion {
  const [pending, setPending] = useState<{ answer: (isConfirmed: boolean) => void } | null>(null)
  const ask = async (): Promise<boolean> => {
    if (!hasChanges || isSaving()) return true
    // Who tries again while the question stands has not answered it.
    pending?.answer(false)
    const focused = document.activeElement
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setPending({
      answer: (isConfirmed) => {
        if (!isConfirmed) giveFocusBack(focused)
        setPending(null)
        resolve(isConfirmed)
      },
    })
    return promise
  }
  return {
    hasChanges,
    isAsking: pending !== null,
    answer: (isConfirmed) => pending?.answer(isConfirmed),
    ask,
  }
}

/** To the field that had it. A click beside the dialog takes the focus from all of it: then to the first. */
function giveFocusBack(focused: Element | null): void {
  const dialog = focused?.parentElement?.closest('[role="dialog"]') ?? null
  const isInside = dialog !== null && focused?.isConnected === true
  const place = isInside ? focused : document.querySelector('[role="dialog"] [data-autofocus]')
  if (place instanceof HTMLElement) place.focus()
}
