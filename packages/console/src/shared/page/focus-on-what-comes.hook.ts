import { type RefObject, useLayoutEffect, useRef } from 'react'

const CONTROLS = ':is(a[href], button, input, select, textarea):not(:disabled)'

/** What takes the place of an element takes its focus too: a button that asked for it goes with the element. */
export function useFocusOnWhatComes(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    const around = element?.parentElement
    return () => {
      if (element?.contains(document.activeElement) !== true) return
      queueMicrotask(() => around?.querySelector<HTMLElement>(CONTROLS)?.focus())
    }
  }, [])
  return place
}
