/**
 * The strip of what needs attention pushes the cards down: it neither comes nor goes while a hand is
 * at work on them, or a click would land on another card, or on none.
 */
import { useEffect, useRef, useState } from 'react'

/** A pointer that lies still for so long is at rest. */
const AT_REST_AFTER_MS = 1500

export function useSteadyStrip(isWanted: boolean) {
  const [isShown, setShown] = useState(isWanted)
  const [isAtWork, setAtWork] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!isAtWork && isShown !== isWanted) setShown(isWanted)
  const note = () => {
    setAtWork(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAtWork(false), AT_REST_AFTER_MS)
  }
  return {
    isShown: isAtWork ? isShown : isWanted,
    /** Of the element that holds the cards. */
    handlers: { onPointerMove: note, onPointerDown: note },
  }
}
