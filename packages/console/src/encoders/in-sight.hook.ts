/** Whether an element is in sight: one observer for all of them, so that ten thousand cost no more than ten. */
import { useEffect, useRef, useState, type RefObject } from 'react'

/** What is about to be scrolled in is ready when it comes. */
const MARGIN = '200px'

const watchers = new Map<Element, (isInSight: boolean) => void>()
let observer: IntersectionObserver | null = null

function watch(element: Element, tell: (isInSight: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watchers.get(entry.target)?.(entry.isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  watchers.set(element, tell)
  observer.observe(element)
  return () => {
    watchers.delete(element)
    observer?.unobserve(element)
    if (watchers.size > 0) return
    observer?.disconnect()
    observer = null
  }
}

/** False until the browser has said so. */
export function useInSight<E extends Element>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null)
  const [isInSight, setInSight] = useState(false)
  useEffect(() => (ref.current === null ? undefined : watch(ref.current, setInSight)), [])
  return [ref, isInSight]
}
