/** Whether an element is in sight: one observer for all of them, so that ten thousand cost no more than ten. */
import { useEffect, useRef, useState, type RefObject } from 'react'

interface Watch {
  observer: IntersectionObserver
  watchers: Map<Element, (isInSight: boolean) => void>
}

/** By the margin around the screen, in pixels. */
const watches = new Map<number, Watch>()

function watchWithin(marginPx: number): Watch {
  const known = watches.get(marginPx)
  if (known !== undefined) return known
  const watchers: Watch['watchers'] = new Map()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watchers.get(entry.target)?.(entry.isIntersecting)
    },
    { rootMargin: `${marginPx}px` },
  )
  const made = { observer, watchers }
  watches.set(marginPx, made)
  return made
}

function watch(
  element: Element,
  marginPx: number,
  onChange: (isInSight: boolean) => void,
): () => void {
  const { observer, watchers } = watchWithin(marginPx)
  watchers.set(element, onChange)
  observer.observe(element)
  return () => {
    watchers.delete(element)
    observer.unobserve(element)
    if (watchers.size > 0) return
    observer.disconnect()
    watches.delete(marginPx)
  }
}

/**
 * False until the browser has said so.
 * `marginPx`: how far beyond the edge of the screen still counts, so that it is ready when it comes.
 */
export function useInSight<E extends Element>(marginPx: number): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null)
  const [isInSight, setInSight] = useState(false)
  useEffect(
    () => (ref.current === null ? undefined : watch(ref.current, marginPx, setInSight)),
    [marginPx],
  )
  return [ref, isInSight]
}
