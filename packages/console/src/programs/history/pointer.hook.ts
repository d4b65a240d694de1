/** Which step of charts is pointed at, by pointer or keyboard. */
import { type KeyboardEvent, useState } from 'react'

/** `last`: the index of the newest step; -1 while there is none. */
export function usePointer(last: number) {
  const [pointed, setPointed] = useState<number | null>(null)
  return {
    /** Null while nothing is pointed at: then the newest is shown. */
    pointed: pointed === null || pointed > last ? null : pointed,
    setPointed,
    onKeyDown: (event: KeyboardEvent) => {
      const next = stepTo(event.key, pointed ?? last, last)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      setPointed(next === 'none' ? null : next)
    },
  }
}

/** Ten at a time with the page keys. */
const FAR = 10

/** Null for a key that is not ours. */
function stepTo(key: string, from: number, last: number): number | 'none' | null {
  const within = (index: number) => Math.min(last, Math.max(0, index))
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(from - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return within(from + 1)
    case 'PageDown':
      return within(from - FAR)
    case 'PageUp':
      return within(from + FAR)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return 'none'
    default:
      return null
  }
}
