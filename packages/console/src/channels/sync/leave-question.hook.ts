/**
 * Asks inside a dialog before what was chosen there is thrown away: by Escape, by the cross, or by a
 * link of the page's head. A second dialog over the first would hide what is at stake.
 */
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { readSession } from '../../lib/session.ts'

type Answer = (isConfirmed: boolean) => void

/** `isAsking` with `answer`, to be shown; `ask` resolves true when nothing stands in the way. */
export function useLeaveQuestion(hasChanges: boolean) {
  const [pending, setPending] = useState<{ answer: Answer } | null>(null)
  const ask = async (): Promise<boolean> => {
    if (!hasChanges) return true
    // Who tries again while the question stands has not answered it.
    pending?.answer(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setPending({
      answer: (isConfirmed) => {
        setPending(null)
        resolve(isConfirmed)
      },
    })
    return promise
  }
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another tab of this page is no leaving; who is signed out cannot stay.
      if (current.pathname === next.pathname || readSession() === null) return false
      return !(await ask())
    },
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
  })
  return {
    isAsking: pending !== null,
    answer: (isConfirmed: boolean) => pending?.answer(isConfirmed),
    ask,
  }
}
