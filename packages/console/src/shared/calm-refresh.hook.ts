/**
 * Reads a list by state again once states have changed, but never under the operator's hands: while
 * the pointer or the focus is in it, what is shown stays in its place with its newest state.
 */
import { useEffect, useRef, useState } from 'react'

/** States change in bursts; a list is read again no more often than this. */
export const CALM_MS = 2000

interface CalmRefresh {
  /** Another text once states have changed; null while they are not known. */
  change: string | null
  /** When the list was last read, whoever asked for it. */
  readAtMs: number
  refresh: () => void
}

export function useCalmRefresh({ change, readAtMs, refresh }: CalmRefresh) {
  const [hold, handlers] = useHold()
  const [read, setRead] = useState({ change, atMs: readAtMs })
  const latest = useRef({ change, refresh })
  useEffect(() => {
    latest.current = { change, refresh }
  })
  // What was read just now is as new as the states that are known.
  if (read.atMs !== readAtMs || read.change === null) {
    if (read.atMs !== readAtMs || change !== null) setRead({ change, atMs: readAtMs })
  }
  const isDue = change !== null && read.change !== null && change !== read.change
  useEffect(() => {
    if (!isDue || hold) return
    const timer = setTimeout(() => {
      setRead((now) => ({ ...now, change: latest.current.change }))
      latest.current.refresh()
    }, CALM_MS)
    return () => clearTimeout(timer)
  }, [isDue, hold])
  return {
    /** The states have changed, and the list waits until nobody reads it. */
    isOutdated: isDue && hold,
    isHeld: hold,
    /** Of the element that holds the list. */
    handlers,
  }
}

function useHold() {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  return [
    isPointed || isFocused,
    {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  ] as const
}
